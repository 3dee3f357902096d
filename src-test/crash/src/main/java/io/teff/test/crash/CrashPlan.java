package io.teff.test.crash;

import java.nio.file.Path;

/**
 * The plan of a run.
 *
 * @param seed seed of all random decisions except those of the machine
 * @param kills number of kills of the child at random moments
 * @param calls number of system calls at each of which the child is killed
 * @param errors number of failing calls of each kind
 * @param fulls number of times the disk becomes full
 * @param wounds number of damaged files and lost locks
 * @param stacks number of children in which stacks of threads end
 * @param folder the folder of all files
 * @param hangSeconds the limit of a wait, after which it counts as a hang
 * @param plant a fault of the child
 */
record CrashPlan(long seed, int kills, int calls, int errors, int fulls, int wounds, int stacks, Path folder,
                 int hangSeconds, Plant plant) {}
