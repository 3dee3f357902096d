package io.teff.cluster.consensus;

import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.ArchiveException;
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
 * another member reads there, is tried again, and keeps no other one from being made.
 */
final class SnapshotKeeper implements AutoCloseable {
    private static final long CYCLE_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long AGAIN_NS = TimeUnit.SECONDS.toNanos(5);
    /** From the begin of a snapshot that fails to that of the next one. */
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
    /** The last snapshot when one was begun last. */
    private long askedAfter = -1;
    private long askedNs;

    /** The member, as the keeper sees it. */
    interface Member {
        /** Returns whether a snapshot is due, and this member leads. */
        boolean isDue();

        /** Returns where in the log the last snapshot is, or where this process began. */
        long lastSnapshot();

        /** Begins a snapshot, unless one is under way; returns whether it has begun. */
        boolean snapshot();
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

    /** Begins a snapshot when one is due. After one that has failed, the next one is begun a while later. */
    private void ask() {
        long last = member.lastSnapshot();
        if (member.isDue() && (last != askedAfter || clock.nowNs() - askedNs >= FAILED_NS) && member.snapshot()) {
            askedAfter = last;
            askedNs = clock.nowNs();
        }
    }

    /** Deletes recordings and log that are needed no more. Returns whether no deletion has failed. */
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
        } catch (IOException | RuntimeException e) {            // the others are tried nevertheless
            refused(e);
            return false;
        }
    }

    private void refused(Exception failure) {
        againNs = clock.nowNs() + AGAIN_NS;
        errors.accept(failure);
    }

    /** Deletes also what an earlier process has left of the segments in front. */
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
            MemberFiles.deleteRecording(config.folder(), recording);     // an earlier process has left them
        }
    }

    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(thread);
        Threads.join(thread);
    }
}
