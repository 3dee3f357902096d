package io.teff.cluster.consensus;

import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.ReplicationParams;
import io.aeron.archive.codecs.RecordingSignal;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.RecordingLog;
import io.aeron.exceptions.AeronException;
import io.teff.cluster.message.LogOrigin;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Copies the last snapshot of another member, and the log in front of the snapshot, between the archives of both
 * members. The own member does not run meanwhile; the new files are beside the old files, until the copy is complete
 * ({@link MemberFolder}).
 */
final class LogCopy {
    /** How long a step may take, and how long a copy may make no progress. */
    private static final long STEP_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Between two looks at the position of the copy. */
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long NONE = -1;
    private static final int SERVICE = 0;
    private static final int SYNCED = 1;

    private final MemberConfig config;
    private final int source;
    private final Clock clock;
    private final BooleanSupplier isCancelled;

    // ---- of the replication under way ----
    private long replication = NONE;
    private long copied = NONE;
    private boolean isWhole;
    private boolean isEnded;
    private long position;
    private long progressNs;
    private long lookNs;

    private LogCopy(MemberConfig config, int source, Clock clock, BooleanSupplier isCancelled) {
        this.config = config;
        this.source = source;
        this.clock = clock;
        this.isCancelled = isCancelled;
    }

    /**
     * Copies.
     *
     * @param config the own member, which must not run
     * @param target folder for the copy
     * @param source number of the member with the origin
     * @param origin recordings of the other member
     * @param idleMs how long idle threads sleep
     * @param clock measures progress
     * @param errors receives errors of Aeron
     * @param isCancelled whether to give up
     * @throws IOException if the copy fails, or makes no progress for 20 s
     */
    static void run(MemberConfig config, Path target, int source, LogOrigin origin, long idleMs, Clock clock,
                    Consumer<Throwable> errors, BooleanSupplier isCancelled) throws IOException {
        LogCopy copy = new LogCopy(config, source, clock, isCancelled);
        LogOrigin.Snapshot snapshot = origin.snapshot();
        try (ArchivingMediaDriver _ = AeronMember.launchArchive(config, target, idleMs, errors::accept);
             AeronArchive archive = AeronArchive.connect(AeronMember.client(config, STEP_NS)
                 .recordingSignalConsumer((_, correlation, recording, _, _, signal) ->
                     copy.signal(correlation, recording, signal)))) {
            final long log = copy.recording(archive, origin.log(), snapshot.position());
            final long module = copy.recording(archive, snapshot.module(), AeronArchive.NULL_POSITION);
            final long service = copy.recording(archive, snapshot.service(), AeronArchive.NULL_POSITION);
            note(target, origin, log, module, service);
        } catch (AeronException e) {
            throw new IOException("the log of superpeer " + source + " cannot be copied: " + FailureText.of(e), e);
        }
    }

    private void signal(long correlation, long recording, RecordingSignal signal) {
        if (correlation == replication) {
            if (recording != NONE) {
                copied = recording;
            }
            isWhole |= signal == RecordingSignal.SYNC;
            isEnded |= signal == RecordingSignal.REPLICATE_END;
        }
    }

    /** Copies a recording up to a position, or as a whole; returns the number of the recording in the own archive. */
    private long recording(AeronArchive archive, long recording, long stop) throws IOException {
        copied = NONE;
        isWhole = false;
        isEnded = false;
        position = NONE;
        progressNs = clock.nowNs();
        lookNs = progressNs;
        replication = archive.replicate(recording, AeronArchive.Configuration.CONTROL_STREAM_ID_DEFAULT,
            AeronMember.archiveChannel(config, source), new ReplicationParams().stopPosition(stop));
        while (!isEnded) {
            if (archive.pollForRecordingSignals() == 0) {
                pause(archive, recording);
            }
        }
        if (copied == NONE) {
            throw new IOException("recording " + recording + " of superpeer " + source + " cannot be read");
        }
        long end = archive.getStopPosition(copied);
        while (end == AeronArchive.NULL_POSITION) {             // the archive is about to end the recording
            pause(archive, recording);
            end = archive.getStopPosition(copied);
        }
        if (stop == AeronArchive.NULL_POSITION ? !isWhole : end != stop) {
            throw new IOException("recording " + recording + " of superpeer " + source + " ends too early, at " + end);
        }
        return copied;
    }

    private void pause(AeronArchive archive, long recording) throws IOException {
        final long nowNs = clock.nowNs();
        if (copied != NONE && nowNs - lookNs >= LOOK_NS) {
            final long now = archive.getRecordingPosition(copied);
            progressNs = now == position ? progressNs : nowNs;
            position = now;
            lookNs = nowNs;
        }
        if (isCancelled.getAsBoolean() || nowNs - progressNs >= STEP_NS) {
            throw new IOException("recording " + recording + " of superpeer " + source + " is not copied: "
                + (isCancelled.getAsBoolean() ? "cancelled" : "there is nothing new for 20 s, at " + position));
        }
        clock.park(this, PAUSE_NS);
    }

    /** Notes the terms up to the snapshot, and the snapshot. */
    private static void note(Path target, LogOrigin origin, long log, long module, long service) {
        LogOrigin.Snapshot snapshot = origin.snapshot();
        try (RecordingLog notes = new RecordingLog(target.resolve(MemberFiles.CONSENSUS).toFile(), true)) {
            for (LogOrigin.Term term : origin.terms()) {
                if (term.id() <= snapshot.term()) {
                    notes.appendTerm(log, term.id(), term.base(), term.timestamp());
                    if (term.id() < snapshot.term() && term.end() != AeronArchive.NULL_POSITION) {
                        notes.commitLogPosition(term.id(), term.end());
                    }
                }
            }
            notes.appendSnapshot(service, snapshot.term(), snapshot.base(), snapshot.position(),
                snapshot.timestamp(), SERVICE);
            notes.appendSnapshot(module, snapshot.term(), snapshot.base(), snapshot.position(),
                snapshot.timestamp(), ConsensusModule.Configuration.SERVICE_ID);
            notes.force(SYNCED);
        }
    }
}
