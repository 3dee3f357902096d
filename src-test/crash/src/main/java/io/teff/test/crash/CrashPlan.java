package io.teff.test.crash;

import java.nio.file.Path;

/**
 * What a run does.
 *
 * @param seed where all chance comes from, but for that of the machine
 * @param kills how often the child is killed at a random moment
 * @param calls up to which call of the system it is killed
 * @param errors how many calls of each kind fail
 * @param fulls how often the disk runs full
 * @param folder where everything is
 * @param hangSeconds when a wait is a hang
 * @param plant a fault that the child has
 */
record CrashPlan(long seed, int kills, int calls, int errors, int fulls, Path folder, int hangSeconds, Plant plant) {}
