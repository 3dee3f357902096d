package io.teff.cluster.consensus;

import io.aeron.archive.client.AeronArchive;
import io.aeron.exceptions.AeronException;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Bounds a member's folder, on a thread of its own: lets the leading member take a snapshot when one is due, and lets
 * every member delete what {@link LogKeeping} needs no more. A deletion that the archive refuses, for example as
 * another member reads there, is tried again.
 */
final class SnapshotKeeper implements AutoCloseable {
    private static final long CYCLE_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long AGAIN_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long ARCHIVE_NS = TimeUnit.SECONDS.toNanos(5);

    private final MemberConfig config;
    private final Member member;
    private final Clock clock;
    private final Consumer<Throwable> errors;
    private final Thread thread;
    private volatile boolean isClosed;
    private long seenBytes;
    private long againNs;

    /** The member, as the keeper sees it. */
    interface Member {
        /** Returns whether a snapshot is due, and this member leads. */
        boolean isDue();

        /** Begins a snapshot, unless one is under way. */
        void snapshot();
    }

    SnapshotKeeper(MemberConfig config, Member member, Clock clock, Consumer<Throwable> errors) {
        this.config = config;
        this.member = member;
        this.clock = clock;
        this.errors = errors;
        againNs = clock.nowNs();
        thread = Threads.SYSTEM.create("teff-superpeer-snapshots", this::run);
    }

    void start() {
        thread.start();
    }

    private void run() {
        while (!isClosed) {
            try {
                cycle();
            } catch (IOException | AeronException e) {
                againNs = clock.nowNs() + AGAIN_NS;
                errors.accept(e);
            }
            clock.park(this, CYCLE_NS);
        }
    }

    private void cycle() throws IOException {
        if (member.isDue()) {
            member.snapshot();
        }
        long bytes = MemberFiles.noteBytes(config.folder());
        if (bytes != seenBytes && clock.nowNs() - againNs >= 0) {
            purge();
            seenBytes = bytes;
        }
    }

    private void purge() throws IOException {
        Path folder = config.folder();
        Map<Long, NavigableSet<Long>> segments = MemberFiles.segments(folder);
        LogKeeping.Needless needless = LogKeeping.needless(MemberFiles.entries(folder), segments.keySet());
        NavigableSet<Long> log = segments.get(needless.log());
        boolean hasSegment = log != null && needless.before() - log.first() >= AeronMember.SEGMENT_BYTES;
        if (needless.recordings().isEmpty() && !hasSegment) {
            return;
        }
        try (AeronArchive archive = AeronArchive.connect(AeronMember.client(config, ARCHIVE_NS))) {
            needless.recordings().forEach(archive::purgeRecording);
            if (hasSegment) {
                purgeLog(archive, needless);
            }
        }
    }

    private static void purgeLog(AeronArchive archive, LogKeeping.Needless needless) {
        long[] bounds = {0, 0};
        archive.listRecording(needless.log(), (_, _, _, _, _, start, _, _, segmentBytes, termBytes, _, _, _, _, _,
            _) -> {
            bounds[0] = start;
            bounds[1] = AeronArchive.segmentFileBasePosition(start, needless.before(), termBytes, segmentBytes);
        });
        if (bounds[1] > bounds[0]) {
            archive.purgeSegments(needless.log(), bounds[1]);
        }
    }

    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(thread);
        Threads.join(thread);
    }
}
