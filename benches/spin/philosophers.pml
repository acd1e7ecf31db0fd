/* The philosophers of examples/philosophers, one Promela step for each action of the LAbS model. bench-compare puts
   the number of philosophers, N, before this text.

   A process has eight control states, as an agent has eight actions, and hands is written where the agent writes it,
   so both have the same states. Nobody else looks at hands: as a local variable it gives Spin's partial-order
   reduction something to work with. A deadlock is what Spin calls an invalid end state. */

#ifndef N
#define N 3
#endif

bit fork[N];

active [N] proctype Phil() {
  byte hands;
  do
  :: d_step { fork[_pid] == 0 -> fork[_pid] = 1 };
     hands = 1;
     d_step { fork[(_pid + 1) % N] == 0 -> fork[(_pid + 1) % N] = 1 };
     hands = 2;
     fork[(_pid + 1) % N] = 0;
     hands = 3;
     fork[_pid] = 0;
     hands = 0
  od
}
