//! Splitting for rare events: runs that come closer to the goal are continued several times. P. Glasserman, P. Heidelberger, P. Shahabuddin and T. Zajic, "Multilevel
//! Splitting for Estimating Rare Event Probabilities", Operations Research 47, 1999; M. J. J. Garvels, *The Splitting Method in Rare Event Simulation*, 2000.
