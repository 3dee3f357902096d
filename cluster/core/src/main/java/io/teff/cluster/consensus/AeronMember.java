package io.teff.cluster.consensus;

import io.aeron.CommonContext;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ClusterControl;
import io.aeron.cluster.ClusteredMediaDriver;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.ElectionState;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.teff.cluster.consensus.MemberConfig.Member;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Threads;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The parts of Aeron in a member: media driver, archive, consensus module, service container. All settings of Aeron are
 * here.
 *
 * <p>Timeouts are the smallest timeouts with which a starved machine of two processors kept its leader; shorter
 * timeouts changed leaders without a failure. The archive syncs each write, so the log survives a power cut.
 *
 * <p><b>Who gets in.</b> Proposals come over shared memory alone, in a folder that other users cannot enter. Aeron
 * opens a port for proposals, too; the port drops each datagram. Each datagram at the ports of consensus, log, catch-up
 * and archive is sealed with the secret of the cluster ({@link DatagramSeal}).
 *
 * <p>Driver and clients are in one process. By default the driver and each client take the other side for dead after a
 * pause of 10 s, and the member ends; a member must continue after a stop of its process, or a suspension of its
 * machine. Aeron has no setting of a member for the pause of the driver that clients tolerate. The setting is a
 * property of the JVM, to be set before classes of Aeron are loaded; a property set by the program is kept.
 */
final class AeronMember implements AutoCloseable {
    private static final long HEARTBEAT_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(750);
    private static final long HEARTBEAT_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(75);
    private static final long ELECTION_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long ELECTION_STATUS_NS = TimeUnit.MILLISECONDS.toNanos(30);
    private static final long CANVASS_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long SESSION_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long TERMINATION_NS = TimeUnit.SECONDS.toNanos(2);
    /** A process with a longer pause ends after the pause. */
    private static final long PAUSE_NS_MAX = TimeUnit.DAYS.toNanos(30);
    private static final int TERM_BYTES = 64 << 10;
    static final int SEGMENT_BYTES = 1 << 20;
    /** Room for the names of some thousand recordings. */
    private static final int CATALOG_BYTES = 1 << 20;
    /** The least. The default takes 50 MB of memory, as the archive reads through all counters now and then. */
    private static final int COUNTER_BYTES = 1 << 20;
    /** Interval of the thread that resolves names; the default is 1 ms. */
    private static final long RESOLVE_MS = 16;
    private static final int SYNCED = 1;
    /** The longest message of a channel with the smallest terms, an eighth of a term, less the header of a session. */
    static final int PROPOSAL_BYTES_MAX = TERM_BYTES / 8 - 64;
    static final String SMALL_IPC = "aeron:ipc?term-length=64k";
    private static final String SMALL_UDP = "aeron:udp?term-length=64k";
    private static final String LOG_UDP = "aeron:udp?term-length=256k";

    private static final int INGRESS = 0;
    private static final int CONSENSUS = 1;
    private static final int LOG = 2;
    private static final int CATCH_UP = 3;
    private static final int ARCHIVE = 4;

    static {
        System.getProperties().putIfAbsent(CommonContext.DRIVER_TIMEOUT_PROP_NAME,
            String.valueOf(TimeUnit.NANOSECONDS.toMillis(PAUSE_NS_MAX)));
    }

    private final ClusteredMediaDriver driver;
    private final ClusteredServiceContainer container;
    private final DriverThread driverThread;
    private final int electionState;
    private final Pulse archive;
    private boolean isClosed;

    /**
     * Settings for tests.
     *
     * @param idleMs how long idle threads sleep
     * @param archiveNs an agent without an answer of its archive for this time ends, and the member ends as well
     * @param archiveIdle idle strategy of the archive
     */
    record Tuning(long idleMs, long archiveNs, Supplier<IdleStrategy> archiveIdle) {
        static Tuning of(long idleMs) {
            return new Tuning(idleMs, TimeUnit.SECONDS.toNanos(60), () -> idle(2 * idleMs));
        }
    }

    private AeronMember(ClusteredMediaDriver driver, ClusteredServiceContainer container, DriverThread driverThread,
                        Pulse archive) {
        this.driver = driver;
        this.container = container;
        this.driverThread = driverThread;
        this.archive = archive;
        electionState = driver.consensusModule().context().electionStateCounter().id();
    }

    /** Launches a member. Any thread of the member calls {@code ended} if the member has ended by itself. */
    static AeronMember launch(MemberConfig config, boolean isNewcomer, MetadataService service, Tuning tuning,
                              Threads platform, ErrorHandler errors, ErrorHandler archiveErrors, Runnable ended) {
        long idleMs = tuning.idleMs();
        ThreadFactory threads = task -> thread(platform, task, errors, ended);
        DriverThread driverThread = new DriverThread(platform, errors, ended);
        String driverFolder = driverFolder(config.folder());
        Member self = config.members().get(config.number());
        AeronArchive.Context client = client(config, tuning.archiveNs());
        ConsensusModule.Context consensus = new ConsensusModule.Context().aeronDirectoryName(driverFolder)
            .clusterDir(file(config, MemberFiles.CONSENSUS)).clusterMemberId(config.number())
            .clusterMembers(members(config))
            .ingressChannel(SMALL_UDP).isIpcIngressAllowed(true)   // Aeron wants a port; the port takes nothing
            .logChannel(LOG_UDP).consensusChannel(SMALL_UDP)
            .replicationChannel("aeron:udp?endpoint=" + self.host() + ":0").archiveContext(client.clone())
            .leaderHeartbeatTimeoutNs(HEARTBEAT_TIMEOUT_NS).leaderHeartbeatIntervalNs(HEARTBEAT_INTERVAL_NS)
            .electionTimeoutNs(ELECTION_NS).electionStatusIntervalNs(ELECTION_STATUS_NS)
            .startupCanvassTimeoutNs(CANVASS_NS).sessionTimeoutNs(SESSION_NS).terminationTimeoutNs(TERMINATION_NS)
            .fileSyncLevel(SYNCED).idleStrategySupplier(() -> idle(idleMs)).errorHandler(errors)
            .terminationHook(ended).threadFactory(threads);
        if (isNewcomer) {                                       // a member that appoints another member is no candidate
            consensus.appointedLeaderId((config.number() + 1) % config.members().size());
        }
        Pulse pulse = new Pulse();
        Archive.Context archive = archive(config, config.folder(), idleMs, archiveErrors)
            .idleStrategySupplier(() -> pulse.observe(tuning.archiveIdle().get())).threadFactory(threads);
        MediaDriver.Context media = media(config, idleMs, errors)
            .sharedThreadFactory(driverThread);
        ClusteredMediaDriver driver = null;
        ClusteredServiceContainer container = null;
        boolean isDone = false;
        try {
            driver = ClusteredMediaDriver.launch(media, archive, consensus);
            container = ClusteredServiceContainer.launch(
                new ClusteredServiceContainer.Context().aeronDirectoryName(driverFolder)
                    .archiveContext(client.clone()).clusterDir(file(config, MemberFiles.CONSENSUS))
                    .clusteredService(service).idleStrategySupplier(() -> idle(idleMs)).errorHandler(errors)
                    .terminationHook(ended).threadFactory(threads));
            MemberRoom.reserve(config.folder());
            isDone = true;
            return new AeronMember(driver, container, driverThread, pulse);
        } catch (IOException e) {
            throw new UncheckedIOException(FailureText.of(e), e);
        } finally {
            driverThread.endLaunch();
            if (!isDone) {
                CloseHelper.quietCloseAll(container, driver, driverThread);
            }
        }
    }

    /**
     * The thread of the driver. If an exception ends this thread, a launch that waits for the driver is interrupted,
     * and the driver's sockets and files are closed with the member: Aeron leaves the sockets and files open, and open
     * sockets and files would keep any further member from starting in this process.
     */
    private static final class DriverThread implements ThreadFactory, AutoCloseable {
        private final Threads platform;
        private final ErrorHandler errors;
        private final Runnable ended;
        private @Nullable Thread launcher = Thread.currentThread();
        private boolean hasInterrupted;
        private @Nullable Agent failed;

        DriverThread(Threads platform, ErrorHandler errors, Runnable ended) {
            this.platform = platform;
            this.errors = errors;
            this.ended = ended;
        }

        @Override
        public Thread newThread(Runnable task) {
            return thread(platform, task, errors, () -> fail(((AgentRunner) task).agent()));
        }

        private void fail(Agent agent) {
            ended.run();
            synchronized (this) {
                failed = agent;
                if (launcher != null) {
                    hasInterrupted = true;
                    launcher.interrupt();
                }
            }
        }

        synchronized void endLaunch() {
            launcher = null;
            if (hasInterrupted) {
                Threads.dropInterrupt();                        // the interrupt was meant for the launch alone
            }
        }

        /** To be called when all clients of the driver have been closed. */
        @Override
        public synchronized void close() {
            Agent agent = failed;
            failed = null;
            if (agent != null) {
                agent.onClose();
            }
        }
    }

    /** A thread of Aeron whose end by an exception ends the member. */
    private static Thread thread(Threads platform, Runnable task, ErrorHandler errors, Runnable ended) {
        Thread thread = platform.create("teff-superpeer", task);    // Aeron names the thread after the agent
        thread.setUncaughtExceptionHandler((_, failure) -> {
            errors.onError(failure);
            ended.run();
        });
        return thread;
    }

    /** Returns whether the archive's thread has gone through no duty cycle for a time; to be asked all the time. */
    boolean isArchiveStill(long nowNs, long limitNs) {
        return archive.isStill(nowNs, limitNs);
    }

    /** Starts driver and archive alone, with the archive in another folder. */
    static ArchivingMediaDriver launchArchive(MemberConfig config, Path folder, long idleMs, ErrorHandler errors) {
        return ArchivingMediaDriver.launch(media(config, idleMs, errors), archive(config, folder, idleMs, errors));
    }

    private static MediaDriver.Context media(MemberConfig config, long idleMs, ErrorHandler errors) {
        DatagramSeal seal = new DatagramSeal(config.secret(), () -> errors.onError(new IllegalStateException(
            "a datagram at the ports of consensus is not from a superpeer with the secret of this cluster: refused, as "
            + "all further ones")));
        int ingress = config.members().get(config.number()).port() + INGRESS;
        return new MediaDriver.Context()
            .receiveChannelEndpointSupplier((channel, dispatcher, status, context) ->
                new SealedReceiver(channel, dispatcher, status, context, seal,
                    channel.remoteData().getPort() == ingress))
            .sendChannelEndpointSupplier((channel, status, context) ->
                new SealedSender(channel, status, context, seal))
            .aeronDirectoryName(driverFolder(config.folder()))
            .threadingMode(ThreadingMode.SHARED).sharedIdleStrategy(idle(idleMs)).termBufferSparseFile(false)
            .dirDeleteOnStart(true).dirDeleteOnShutdown(true).warnIfDirectoryExists(false)
            .clientLivenessTimeoutNs(PAUSE_NS_MAX).publicationUnblockTimeoutNs(2 * PAUSE_NS_MAX)
            .publicationTermBufferLength(TERM_BYTES).ipcTermBufferLength(TERM_BYTES)
            .counterValuesBufferLength(COUNTER_BYTES).asyncExecutorIdleStrategy(idle(RESOLVE_MS)).errorHandler(errors);
    }

    private static Archive.Context archive(MemberConfig config, Path folder, long idleMs, ErrorHandler errors) {
        return new Archive.Context().aeronDirectoryName(driverFolder(config.folder()))
            .archiveDir(folder.resolve(MemberFiles.ARCHIVE).toFile())
            .controlChannel(archiveChannel(config, config.number())).localControlChannel(SMALL_IPC)
            .replicationChannel("aeron:udp?endpoint=" + config.members().get(config.number()).host() + ":0")
            .recordChecksum(new FrameChecksum()).replayChecksum(new FrameChecksum())
            .recordingEventsEnabled(false).threadingMode(ArchiveThreadingMode.SHARED)
            .segmentFileLength(SEGMENT_BYTES).catalogCapacity(CATALOG_BYTES)
            .controlTermBufferLength(TERM_BYTES).controlTermBufferSparse(false)
            .fileIoMaxLength(SEGMENT_BYTES).fileSyncLevel(SYNCED).catalogFileSyncLevel(SYNCED)
            .lowStorageSpaceThreshold(SEGMENT_BYTES).idleStrategySupplier(() -> idle(2 * idleMs)).errorHandler(errors);
    }

    /** Returns the settings of a client of the own archive. */
    static AeronArchive.Context client(MemberConfig config, long timeoutNs) {
        return new AeronArchive.Context().aeronDirectoryName(driverFolder(config.folder()))
            .controlRequestChannel(SMALL_IPC).controlResponseChannel(SMALL_IPC).controlTermBufferSparse(false)
            .messageTimeoutNs(timeoutNs);
    }

    /** Returns where the archive of a member takes requests. */
    static String archiveChannel(MemberConfig config, int member) {
        return "aeron:udp?endpoint=" + config.members().get(member).endpoint(ARCHIVE);
    }

    static String driverFolder(Path folder) {
        return folder.resolve("driver").toString();
    }

    private static File file(MemberConfig config, String name) {
        return config.folder().resolve(name).toFile();
    }

    private static IdleStrategy idle(long ms) {
        return new SleepingMillisIdleStrategy(ms);
    }

    private static String members(MemberConfig config) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < config.members().size(); i++) {
            Member member = config.members().get(i);
            text.append(i == 0 ? "" : "|").append(i);
            for (int port : new int[] {INGRESS, CONSENSUS, LOG, CATCH_UP, ARCHIVE}) {
                text.append(',').append(member.endpoint(port));
            }
        }
        return text.toString();
    }

    /** Takes a snapshot, if this member leads. */
    boolean snapshot() {
        return ClusterControl.ToggleState.SNAPSHOT.toggle(
            driver.consensusModule().context().controlToggleCounter());
    }

    /** Returns whether the member looks for a leader. */
    synchronized boolean isElecting() {
        if (isClosed) {
            return false;                                       // the counters are gone
        }
        long state = driver.mediaDriver().context().countersManager().getCounterValue(electionState);
        return state >= ElectionState.CANVASS.code() && state <= ElectionState.FOLLOWER_BALLOT.code();
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        CloseHelper.closeAll(container, driver, driverThread);
    }
}
