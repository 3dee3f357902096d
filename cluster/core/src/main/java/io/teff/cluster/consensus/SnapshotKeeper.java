package io.teff.cluster.consensus;

import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.ArchiveException;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Bounds a member's folder, on a separate thread: lets the leading member take a due snapshot, and lets every member
 * delete the data no longer needed according to {@link LogKeeping}. The archive may refuse a deletion, for example
 * because another member is reading. A refused deletion is tried again, and prevents no other deletion.
 */
final class SnapshotKeeper implements AutoCloseable {
    private static final long CYCLE_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long AGAIN_NS = TimeUnit.SECONDS.toNanos(5);
    /** Time between the begin of a failing snapshot and the begin of the next snapshot. */
    private static final long FAILED_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long ARCHIVE_NS = TimeUnit.SECONDS.toNanos(5);

    private final MemberConfig config;
    private final Member member;
    private final Clock clock;
    private final Consumer<Throwable> errors;
    private final Thread thread;
    private volatile boolean isClosed;
    private long seenBytes;
    private long againNs;
    /** The last snapshot when the last attempt began. */
    private long askedAfter = -1;
    private long askedNs;

    /** The member, as seen by the keeper. */
    interface Member {
        /** Returns whether a snapshot is due, and this member leads. */
        boolean isDue();

        /** Returns where in the log the last snapshot is, or where this process began. */
        long lastSnapshot();

        /** Begins a snapshot, unless a snapshot is under way; returns whether a snapshot has begun. */
        boolean snapshot();
    }

    SnapshotKeeper(MemberConfig config, Member member, Platform platform, Consumer<Throwable> errors) {
        this.config = config;
        this.member = member;
        clock = platform.clock();
        this.errors = errors;
        againNs = clock.nowNs();
        thread = platform.threads().create("teff-superpeer-snapshots", this::run);
    }

    void start() {
        thread.start();
    }

    private void run() {
        while (!isClosed) {
            try {
                cycle();
            } catch (IOException | RuntimeException e) {
                refused(e);
            }
            clock.park(this, CYCLE_NS);
        }
    }

    void cycle() throws IOException {
        ask();
        long bytes = MemberFiles.noteBytes(config.folder());
        if (bytes != seenBytes && clock.nowNs() - againNs >= 0 && purge()) {
            seenBytes = bytes;
        }
    }

    /** Begins a due snapshot. After a failed snapshot, the next snapshot begins a while later. */
    private void ask() {
        long last = member.lastSnapshot();
        if (member.isDue() && (last != askedAfter || clock.nowNs() - askedNs >= FAILED_NS) && member.snapshot()) {
            askedAfter = last;
            askedNs = clock.nowNs();
        }
    }

    /** Deletes recordings and log no longer needed. Returns whether no deletion has failed. */
    private boolean purge() throws IOException {
        Path folder = config.folder();
        Map<Long, NavigableSet<Long>> segments = MemberFiles.segments(folder);
        LogKeeping.Needless needless = LogKeeping.needless(MemberFiles.entries(folder), segments.keySet());
        NavigableSet<Long> log = segments.get(needless.log());
        boolean hasSegment = log != null && needless.before() - log.first() >= AeronMember.SEGMENT_BYTES;
        if (needless.recordings().isEmpty() && !hasSegment) {
            return true;
        }
        try (AeronArchive archive = AeronArchive.connect(AeronMember.client(config, ARCHIVE_NS))) {
            boolean isDone = !hasSegment || isDone(() -> purgeLog(archive, needless));
            for (long recording : needless.recordings()) {
                isDone &= isDone(() -> purgeRecording(archive, recording));
            }
            return isDone;
        }
    }

    private interface Purge {
        void run() throws IOException;
    }

    private boolean isDone(Purge purge) {
        try {
            purge.run();
            return true;
        } catch (IOException | RuntimeException e) {            // further deletions are tried nevertheless
            refused(e);
            return false;
        }
    }

    private void refused(Exception failure) {
        againNs = clock.nowNs() + AGAIN_NS;
        errors.accept(failure);
    }

    /** Also deletes segments left in front by an earlier process. */
    private static void purgeLog(AeronArchive archive, LogKeeping.Needless needless) {
        long[] bounds = {0, 0};
        archive.listRecording(needless.log(), (_, _, _, _, _, start, _, _, segmentBytes, termBytes, _, _, _, _, _,
            _) -> {
            bounds[0] = start;
            bounds[1] = AeronArchive.segmentFileBasePosition(start, needless.before(), termBytes, segmentBytes);
        });
        if (bounds[1] > bounds[0]) {
            archive.detachSegments(needless.log(), bounds[1]);
        }
        archive.deleteDetachedSegments(needless.log());
    }

    private void purgeRecording(AeronArchive archive, long recording) throws IOException {
        try {
            archive.purgeRecording(recording);
        } catch (ArchiveException e) {
            if (e.errorCode() != ArchiveException.UNKNOWN_RECORDING) {
                throw e;
            }
            MemberFiles.deleteRecording(config.folder(), recording);     // left by an earlier process
        }
    }

    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(thread);
        Threads.join(thread);
    }
}
