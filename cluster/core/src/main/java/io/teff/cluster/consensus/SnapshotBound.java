package io.teff.cluster.consensus;

/**
 * How long the log may become until the leading member takes a snapshot. Pure.
 *
 * @param commands most commands since the last snapshot, from 1
 * @param bytes most bytes of the log since the last snapshot, from 1
 */
public record SnapshotBound(long commands, long bytes) {
    /** Commands by default. */
    public static final int COMMANDS = 20_000;
    /** Bytes: 16 MiB. */
    public static final long BYTES = 16L << 20;

    /** Checks the numbers. */
    public SnapshotBound {
        if (commands < 1 || bytes < 1) {
            throw new IllegalArgumentException("commands=" + commands + ", bytes=" + bytes + ": less than 1");
        }
    }

    /**
     * {@return a bound with the bytes of all members}
     *
     * @param commands most commands since the last snapshot
     */
    public static SnapshotBound ofCommands(long commands) {
        return new SnapshotBound(commands, BYTES);
    }

    /**
     * {@return whether a snapshot is due}
     *
     * @param newCommands commands since the last snapshot
     * @param newBytes bytes of the log since the last snapshot
     */
    public boolean isDue(long newCommands, long newBytes) {
        return newCommands >= commands || newCommands > 0 && newBytes >= bytes;
    }
}
