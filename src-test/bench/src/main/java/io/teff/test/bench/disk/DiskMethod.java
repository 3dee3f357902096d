package io.teff.test.bench.disk;

import io.teff.test.bench.store.Contender;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The compared methods to write and read files. */
public enum DiskMethod implements Contender {
    /** The JDK's channel, from an array. */
    CHANNEL_HEAP("FileChannel, array"),
    /** The JDK's channel, from memory outside of the heap. */
    CHANNEL_DIRECT("FileChannel, direct buffer"),
    /** The JDK's channel, bypassing the page cache. */
    CHANNEL_NO_CACHE("FileChannel, DIRECT"),
    /** The JDK's channel, bypassing the page cache, where each write waits for the device. */
    CHANNEL_NO_CACHE_SYNC("FileChannel, DIRECT, DSYNC"),
    /** The system call. */
    PWRITE("pwrite"),
    /** The system call for several pieces; only pieces are measured, everything else is as above. */
    PWRITEV("pwritev"),
    /** io_uring. */
    RING("io_uring"),
    /** io_uring, bypassing the page cache. */
    RING_NO_CACHE("io_uring, O_DIRECT"),
    /** The file as memory. */
    MAPPED("mapped");

    private static final List<String> NATIVE = List.of("--enable-native-access=ALL-UNNAMED");

    private final String title;

    DiskMethod(String title) {
        this.title = title;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public List<String> flags() {
        return NATIVE;                                          // all of them: what is read is dropped by a native call
    }

    /** Whether only pieces are measured. */
    boolean isForPieces() {
        return this == PWRITEV;
    }

    /** Returns why this method is not available here, or null. */
    @Nullable String problem() {
        return this == RING || this == RING_NO_CACHE ? RingAccess.problem() : null;
    }

    /** Opens a file whose blocks are all allocated. */
    Access open(Path path) throws IOException {
        return switch (this) {
            case CHANNEL_HEAP -> new ChannelAccess(path, true, 1);
            case CHANNEL_DIRECT -> new ChannelAccess(path, false, 1);
            case CHANNEL_NO_CACHE -> new ChannelAccess(path, false, Content.PAGE_BYTES, ChannelAccess.noCache());
            case CHANNEL_NO_CACHE_SYNC -> new ChannelAccess(path, false, Content.PAGE_BYTES, ChannelAccess.noCache(),
                StandardOpenOption.DSYNC);
            case PWRITE -> new CallAccess(path, false);
            case PWRITEV -> new CallAccess(path, true);
            case RING -> new RingAccess(path, false);
            case RING_NO_CACHE -> new RingAccess(path, true);
            case MAPPED -> new MappedAccess(path);
        };
    }
}
