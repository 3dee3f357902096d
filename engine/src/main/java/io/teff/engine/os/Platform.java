package io.teff.engine.os;

/**
 * All seams of a machine, as a single value. A simulator gives a platform of its own to each simulated store, log and
 * node.
 *
 * @param clock time and waiting
 * @param threads background threads
 * @param chance random numbers
 * @param disk files
 */
public record Platform(Clock clock, Threads threads, Chance chance, Disk disk) {
    /** The machine that this JVM runs on. */
    public static final Platform SYSTEM = new Platform(Clock.SYSTEM, Threads.SYSTEM, Chance.SYSTEM, Disk.SYSTEM);

    /**
     * Replaces the clock.
     *
     * @param value the clock to use
     * @return a platform that differs in nothing else
     */
    public Platform withClock(Clock value) {
        return new Platform(value, threads, chance, disk);
    }

    /**
     * Replaces the threads.
     *
     * @param value the threads to use
     * @return a platform that differs in nothing else
     */
    public Platform withThreads(Threads value) {
        return new Platform(clock, value, chance, disk);
    }

    /**
     * Replaces the random numbers.
     *
     * @param value the random numbers to use
     * @return a platform that differs in nothing else
     */
    public Platform withChance(Chance value) {
        return new Platform(clock, threads, value, disk);
    }

    /**
     * Replaces the disk.
     *
     * @param value the disk to use
     * @return a platform that differs in nothing else
     */
    public Platform withDisk(Disk value) {
        return new Platform(clock, threads, chance, value);
    }
}
