/* The leader election of examples/leader. LAbS sends messages by itself; here they are written out, with the same
   granularity: an action, or the delivery of one message to everybody. bench-compare puts N, RANKS and ELECTED before
   this text, and CLAIM to ask whether a leader is elected eventually.

   Ranks stand for timestamps: equal ranks, equal timestamps, and no rank is left out. tell and ask are the messages
   that a node has still to send, for Zp and Zc of the papers. */

#ifndef N
#define N 3
#define RANKS { 0, 1, 2 }
#define ELECTED (leader[0] + leader[1] + leader[2] == 0)
#endif

byte leader[N] = N;
byte rank[N] = RANKS;
bit tell[N];
bit ask[N];
/* Scratch, no part of the state. */
hidden byte other;
hidden byte mine;
hidden byte alone;

/* Everybody with an older value takes that of this node, and will tell. Older ranks die out. */
inline inform() {
  mine = rank[_pid];
  for (other : 0 .. N - 1) {
    if
    :: rank[other] < mine ->
       leader[other] = leader[_pid];
       rank[other] = 0;
       ask[other] = 0;
       tell[other] = 1
    :: else -> rank[other] = rank[other] - mine
    fi
  };
  skip    /* a d_step may not end with a loop */
}

active [N] proctype Node() {
  do
  :: d_step {
       !tell[_pid] && !ask[_pid] && leader[_pid] > _pid ->
       leader[_pid] = _pid;
       tell[_pid] = 1;
       ask[_pid] = 1;
       /* The writer becomes the newest; its old rank goes if nobody shares it. */
       mine = 0;
       alone = 1;
       for (other : 0 .. N - 1) {
         if
         :: other != _pid && rank[other] == rank[_pid] -> alone = 0
         :: else
         fi
       }
       for (other : 0 .. N - 1) {
         if
         :: other != _pid ->
            if
            :: rank[other] > rank[_pid] -> rank[other] = rank[other] - alone
            :: else
            fi;
            if
            :: rank[other] >= mine -> mine = rank[other] + 1
            :: else
            fi
         :: else
         fi
       }
       rank[_pid] = mine
     }
  :: d_step {
       tell[_pid] ->
       tell[_pid] = 0;
       inform()
     }
  :: d_step {
       ask[_pid] ->
       ask[_pid] = 0;
       /* Those who know something newer will tell. */
       for (other : 0 .. N - 1) {
         if
         :: rank[other] > rank[_pid] -> tell[other] = 1
         :: else
         fi
       }
       inform()
     }
  od
}

#ifdef CLAIM
ltl elected { <> ELECTED }
#endif
