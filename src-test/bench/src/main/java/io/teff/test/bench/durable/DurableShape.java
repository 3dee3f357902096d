package io.teff.test.bench.durable;

import io.teff.test.bench.store.Named;
import java.util.List;

/** The measurements of a store, each in processes of its own, and the columns of its table: names of figures. */
enum DurableShape implements Named {
    /** Puts that are on the device when they return. */
    SYNCED(false, "puts per second, each on the device when it returns, by 1, 16 and 64 threads; beside them, how "
        + "often a plain loop writes and syncs 88 B or a page", "raw 88 B/s", "raw 4 KiB/s", "synced 1/s",
        "synced 16/s", "synced 64/s"),
    /** Entries that have reached the kernel when the call returns. */
    LOGGED(false, "million new entries of 64 B per second that the kernel has, by 1 and 2 threads, each alone or 64 at "
        + "once; +s: until the device has all", "put 1", "put 1+s", "put 2", "put 2+s", "batch 1", "batch 1+s",
        "batch 2", "batch 2+s"),
    /** Disk and memory. */
    SPACE(false, "million entries per second filled in batches, and then all overwritten in random order; bytes on the "
        + "disk per entry then, and after a close; growth of the process", "fill", "B filled", "overwrite",
        "B overwritten", "B closed", "B memory"),
    /** Opening again. */
    RESTART(false, "seconds from the start of the process to the first entry read and until every entry was read once, "
        + "and the latter per GiB of values: closed, and not in the page cache; killed, and in it", "first", "all",
        "all/GiB", "killed first", "killed all", "killed/GiB", "killed lost"),
    /** Teff's logging rate, by length of the chunks. */
    LOGGING(true, "new chunks in batches of 64, and then put: all of them once more, until the device has all; raw: a "
        + "new file written by a plain loop in blocks of 128 KiB, before and after each", "64 B M/s", "64 B put M/s",
        "512 B MB/s", "512 B put MB/s", "raw MB/s 512", "512 B/raw", "512 B put/raw", "4096 B MB/s",
        "4096 B put MB/s", "raw MB/s 4096", "4096 B/raw", "4096 B put/raw"),
    /** Updates during Teff's cleaning. */
    UPDATES(true, "million updates of 64 B per second in batches of 64, while cleaning keeps 80 % of the log's bytes "
        + "alive; bytes on the disk per entry then", "sequential", "B sequential", "random", "B random", "zipf",
        "B zipf", "hot-cold", "B hot-cold"),
    /** Many zones, with the primary log and without. */
    ZONES(true, "updates of 64 B spread over so many zones, 1: every part of a zone goes to its segment at once, 2: "
        + "small ones through the primary log; M/s in batches of 64, and per second by 16 threads, SYNCED; MB of "
        + "memory that the log takes meanwhile",
        Zoned.columns());

    private static final long ZONES_BYTES = 12L << 30;

    private final boolean forTeff;
    private final String title;
    private final List<String> columns;

    DurableShape(boolean forTeff, String title, String... columns) {
        this.forTeff = forTeff;
        this.title = title;
        this.columns = List.of(columns);
    }

    String title() {
        return title;
    }

    List<String> columns() {
        return columns;
    }

    /** Returns the maximum disk space needed beside that for entries: a zone has whole segments. */
    long diskBytes() {
        return this == ZONES ? ZONES_BYTES : 0;
    }

    /** Whether a store supports this shape. */
    boolean isFor(DurableKind kind) {
        return switch (this) {
            case SYNCED -> kind.keeps(Keeping.SYNCED);
            case LOGGED -> kind.keeps(Keeping.LOGGED);
            default -> !forTeff || kind == DurableKind.TEFF;
        };
    }
}
