package io.teff.cluster.consensus;

import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ClusterControl;
import io.aeron.cluster.ClusteredMediaDriver;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.teff.cluster.consensus.MemberConfig.Member;
import java.io.File;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;

/**
 * The parts of Aeron that make a member: media driver, archive, consensus module, service container. All settings of
 * Aeron are here.
 *
 * <p>Timeouts are the smallest with which a starved machine of two processors kept its leader; shorter ones changed
 * leaders without a failure. The archive syncs each write, so the log survives a power cut.
 */
final class AeronMember implements AutoCloseable {
    private static final long HEARTBEAT_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(750);
    private static final long HEARTBEAT_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(75);
    private static final long ELECTION_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long ELECTION_STATUS_NS = TimeUnit.MILLISECONDS.toNanos(30);
    private static final long CANVASS_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long SESSION_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long TERMINATION_NS = TimeUnit.SECONDS.toNanos(2);
    /** An agent that does not reach its archive in time at the start ends, and with it the member. */
    private static final long ARCHIVE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int TERM_BYTES = 64 << 10;
    private static final int SEGMENT_BYTES = 1 << 20;
    /** The least. The default takes 50 MB of memory, as the archive reads through all counters now and then. */
    private static final int COUNTER_BYTES = 1 << 20;
    /** Between two looks of the thread that resolves names; the default is 1 ms. */
    private static final long RESOLVE_MS = 16;
    private static final int SYNCED = 1;
    private static final String SMALL_IPC = "aeron:ipc?term-length=64k";
    private static final String SMALL_UDP = "aeron:udp?term-length=64k";
    private static final String LOG_UDP = "aeron:udp?term-length=256k";

    private static final int INGRESS = 0;
    private static final int CONSENSUS = 1;
    private static final int LOG = 2;
    private static final int CATCH_UP = 3;
    private static final int ARCHIVE = 4;

    private final ClusteredMediaDriver driver;
    private final ClusteredServiceContainer container;

    private AeronMember(ClusteredMediaDriver driver, ClusteredServiceContainer container) {
        this.driver = driver;
        this.container = container;
    }

    static AeronMember launch(MemberConfig config, boolean isNewcomer, MetadataService service, long idleMs,
                              ErrorHandler errors) {
        String driverFolder = driverFolder(config.folder());
        Member self = config.members().get(config.number());
        MediaDriver.Context media = new MediaDriver.Context().aeronDirectoryName(driverFolder)
            .threadingMode(ThreadingMode.SHARED).sharedIdleStrategy(idle(idleMs)).termBufferSparseFile(true)
            .dirDeleteOnStart(true).dirDeleteOnShutdown(true).warnIfDirectoryExists(false)
            .publicationTermBufferLength(TERM_BYTES).ipcTermBufferLength(TERM_BYTES)
            .counterValuesBufferLength(COUNTER_BYTES).asyncExecutorIdleStrategy(idle(RESOLVE_MS)).errorHandler(errors);
        Archive.Context archive = new Archive.Context().aeronDirectoryName(driverFolder)
            .archiveDir(file(config, "archive")).controlChannel("aeron:udp?endpoint=" + self.endpoint(ARCHIVE))
            .localControlChannel(SMALL_IPC).replicationChannel("aeron:udp?endpoint=" + self.host() + ":0")
            .recordingEventsEnabled(false).threadingMode(ArchiveThreadingMode.SHARED)
            .segmentFileLength(SEGMENT_BYTES).controlTermBufferLength(TERM_BYTES).catalogCapacity(TERM_BYTES)
            .fileIoMaxLength(SEGMENT_BYTES).fileSyncLevel(SYNCED).catalogFileSyncLevel(SYNCED)
            .lowStorageSpaceThreshold(SEGMENT_BYTES).idleStrategySupplier(() -> idle(2 * idleMs)).errorHandler(errors);
        AeronArchive.Context client = new AeronArchive.Context().aeronDirectoryName(driverFolder)
            .controlRequestChannel(SMALL_IPC).controlResponseChannel(SMALL_IPC).messageTimeoutNs(ARCHIVE_NS);
        ConsensusModule.Context consensus = new ConsensusModule.Context().aeronDirectoryName(driverFolder)
            .clusterDir(file(config, "consensus")).clusterMemberId(config.number()).clusterMembers(members(config))
            .ingressChannel(SMALL_UDP).logChannel(LOG_UDP).consensusChannel(SMALL_UDP).isIpcIngressAllowed(true)
            .replicationChannel("aeron:udp?endpoint=" + self.host() + ":0").archiveContext(client.clone())
            .leaderHeartbeatTimeoutNs(HEARTBEAT_TIMEOUT_NS).leaderHeartbeatIntervalNs(HEARTBEAT_INTERVAL_NS)
            .electionTimeoutNs(ELECTION_NS).electionStatusIntervalNs(ELECTION_STATUS_NS)
            .startupCanvassTimeoutNs(CANVASS_NS).sessionTimeoutNs(SESSION_NS).terminationTimeoutNs(TERMINATION_NS)
            .fileSyncLevel(SYNCED).idleStrategySupplier(() -> idle(idleMs)).errorHandler(errors);
        if (isNewcomer) {                                       // who appoints another one is no candidate
            consensus.appointedLeaderId((config.number() + 1) % config.members().size());
        }
        ClusteredMediaDriver driver = ClusteredMediaDriver.launch(media, archive, consensus);
        boolean isDone = false;
        try {
            ClusteredServiceContainer container = ClusteredServiceContainer.launch(
                new ClusteredServiceContainer.Context().aeronDirectoryName(driverFolder)
                    .archiveContext(client.clone()).clusterDir(file(config, "consensus")).clusteredService(service)
                    .idleStrategySupplier(() -> idle(idleMs)).errorHandler(errors));
            isDone = true;
            return new AeronMember(driver, container);
        } finally {
            if (!isDone) {
                driver.close();
            }
        }
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

    @Override
    public void close() {
        try {
            container.close();
        } finally {
            driver.close();
        }
    }
}
