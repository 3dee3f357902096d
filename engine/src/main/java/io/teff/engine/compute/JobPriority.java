package io.teff.engine.compute;

/**
 * Which of the waiting jobs of a node runs first. One of sixteen turns begins with the lowest priority, so that each
 * job runs at some time.
 */
public enum JobPriority {
    /** Before all others. */
    HIGH,
    /** The default. */
    NORMAL,
    /** Behind all others. */
    LOW
}
