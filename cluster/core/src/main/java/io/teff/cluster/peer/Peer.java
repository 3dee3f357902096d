package io.teff.cluster.peer;

import io.teff.cluster.admin.NodeFigures;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.admin.NodeStatus.PeerFigures;
import io.teff.cluster.cell.KnownSuperpeers;
import io.teff.cluster.cell.SuperpeersFile;
import io.teff.cluster.cell.Tables;
import io.teff.cluster.figure.NodeReports;
import io.teff.cluster.job.Applications;
import io.teff.cluster.job.NodeJars;
import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.StatusRequest;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.net.Network;
import io.teff.cluster.operation.ZoneHost;
import io.teff.cluster.zone.ZoneNumber;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.Clock;
import io.teff.engine.os.DiskLock;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.LockedException;
import io.teff.engine.os.Threads;
import io.teff.recovery.backup.BackupConfig;
import io.teff.recovery.backup.BackupLog;
import io.teff.recovery.backup.ZoneCopy;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A peer: owns zones, and keeps backups of the zones of others.
 *
 * <p>A peer has one life after the other. If the superpeers have given up a life, because the process was stopped or
 * cut off for longer than a lease, everything it holds is worthless; the peer drops it and joins anew. Only its log and
 * its data folder stay.
 *
 * <p>A peer whose log has failed for good is no backup any more, in no later life. It leaves the cluster, begins no
 * other life, and says why ({@link #failure}). Thread-safe.
 */
public final class Peer implements AutoCloseable {
    /** Name of the log's folder in the data folder. */
    static final String LOG = "backups";
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    /** How often the log is looked at; one that refuses a run is noticed at once. */
    private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LEAVE_NS = TimeUnit.SECONDS.toNanos(3);

    private final PeerConfig config;
    private final NodeFolder folder;
    private final AutoCloseable opened;
    private final CopyLog log;
    private final Map<ZoneCopy, List<String>> damage;
    private final Clock clock;
    private final Thread thread;
    private final TablesFile tablesFile;
    private final OwnClient client;
    private final Applications applications;
    private final NodeJars jars;
    private volatile PeerLife life;
    private long keptVersion;
    private volatile boolean isClosed;
    private volatile @Nullable Exception problem;
    private volatile @Nullable String failure;
    private volatile @Nullable Function<StatusRequest, NodeStatus> statuses;
    private volatile @Nullable NodeReports reports;

    private Peer(PeerConfig config, NodeFolder folder, AutoCloseable opened, CopyLog log) throws IOException {
        this.config = config;
        this.folder = folder;
        this.opened = opened;
        this.log = log;
        damage = log.damagedCopies();
        clock = config.platform().clock();
        tablesFile = TablesFile.open(config.platform(), folder);
        client = new OwnClient(config);
        applications = new Applications(() -> node().nid(), client, config.folder(), config.log());
        jars = new NodeJars(config.jars(), client, config.folder(), config.platform(), config.log(),
            application -> applications.start(application, config.platform().threads()));
        life = begin(config.superpeers());
        thread = config.platform().threads().create("teff-peer-" + life.node().nid(), this::run);
    }

    /**
     * Starts a peer: locks its folder, opens its log, joins, and begins to send heartbeats. Waits while an earlier life
     * of this folder has not expired yet.
     *
     * @param config its configuration
     * @return the peer
     * @throws IOException if the folder is in use or damaged, the address cannot be listened at, or no superpeer
     *     accepts the node within a minute
     * @throws StoreException if the log cannot be opened
     */
    public static Peer start(PeerConfig config) throws IOException {
        final NodeFolder folder = NodeFolder.open(config.platform(), config.folder(), LOG);
        try {
            folder.check(config.cluster());
            RestoreWarmUp.run(config);
            final BackupLog log = BackupLog.open(folder.resolve(LOG), BackupConfig.builder()
                .writeBufferBytes(config.logBytes()).platform(config.platform()).build());
            return start(config, folder, log, new DiskCopyLog(log, folder.lives()::cutIncarnation,
                folder.lives()::hasLived));
        } catch (IOException | RuntimeException | Error e) {
            folder.close();
            throw e;
        }
    }

    /**
     * Does what a {@link #start} does before it needs superpeers: for callers that wait for them first, or look for
     * them, as the processors may be idle meanwhile.
     *
     * @param config the configuration
     * @throws LockedException if the folder is in use
     * @throws IOException if files cannot be written or deleted
     */
    public static void prepare(PeerConfig config) throws IOException {
        try (DiskLock _ = NodeFolder.lock(config.platform().disk(), config.folder())) {
            RestoreWarmUp.run(config);
        }
    }

    /** Starts a peer with a folder and an open log; {@code opened} is closed with the peer. */
    static Peer start(PeerConfig config, NodeFolder folder, AutoCloseable opened, CopyLog log)
            throws IOException {
        boolean isStarted = false;
        try {
            final Peer peer = new Peer(config, folder, opened, log);
            peer.thread.start();
            peer.applications.start(config.platform().threads());
            peer.jars.start();
            isStarted = true;
            return peer;
        } finally {
            if (!isStarted) {
                close(opened);
            }
        }
    }

    private static void close(AutoCloseable log) {
        try {
            log.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- lives ----

    private PeerLife begin(KnownSuperpeers superpeers) throws IOException {
        return PeerLife.begin(config.withSuperpeers(superpeers), folder, log, jars, this::wake, this::register,
            () -> isClosed);
    }

    /** Has the peer's thread look at its life and its log. */
    private void wake() {
        LockSupport.unpark(thread);
    }

    private void run() {
        while (!isClosed && failure == null) {
            final Throwable broken = log.failure();
            if (broken != null) {
                fail(broken);
            } else if (life.isOver()) {
                beginAnew();
            } else {
                tablesFile.keepSometimes(life.tables());
                keepSuperpeers(life.tables().superpeers());
                Threads.rest(this, IDLE_NS);
            }
        }
    }

    /** Notes the superpeers for the next start, because the configuration may have old addresses by then. */
    private void keepSuperpeers(SuperpeerSet now) {
        if (now.version() <= keptVersion) {
            return;
        }
        keptVersion = now.version();
        try {
            SuperpeersFile.write(config.platform().disk(), folder.path(), now);
        } catch (IOException e) {
            config.log().log(NodeEvent.FAULT, "the folder cannot note the superpeers: " + FailureText.of(e));
        }
    }

    /** The log has failed for good: the peer leaves, so that the cell replaces its backups and recovers its zones. */
    private void fail(Throwable broken) {
        final String advice = noteFailure();
        life.leave(LEAVE_NS);                                   // if no superpeer receives it, the lease runs out
        life.close();
        config.log().log(NodeEvent.LIFE_ENDED, "life " + life.node().incarnation()
            + " of this node has ended, as its log of backups has failed: " + FailureText.of(broken));
        failure = "the log of this peer's backups has failed, so the peer has left the cluster: "
            + FailureText.of(broken) + advice;
    }

    /** Has no later life take this one's copies for whole. Returns what a person must know if there is no note. */
    private String noteFailure() {
        try {
            folder.lives().failed();
            return "";
        } catch (IOException | RuntimeException e) {
            return ". The folder takes no note of that (" + FailureText.of(e) + "), so start this node with an empty"
                + " one";
        }
    }

    private void beginAnew() {
        if (problem == null) {                                  // else this life's end is logged already
            config.log().log(NodeEvent.LIFE_ENDED, "the superpeers have given up life "
                + life.node().incarnation() + " of this node, which was silent for longer than a lease; the node joins"
                + " anew");
        }
        life.close();
        try {
            final PeerLife next = begin(config.superpeers().with(life.tables().superpeers()));
            problem = null;
            life = next;
        } catch (IOException e) {
            postpone(e);                                        // no superpeer, for now
        } catch (RuntimeException e) {                          // no memory, no descriptors: perhaps later
            postpone(e);
        }
    }

    private void postpone(Exception why) {
        problem = why;
        config.log().log(NodeEvent.NODE_FAILED, "cannot join anew for now: " + FailureText.of(why));
        for (long endNs = clock.nowNs() + RETRY_NS; !isClosed && clock.nowNs() - endNs < 0; ) {
            Threads.rest(this, RETRY_NS);
        }
    }

    /** {@return this peer's current life} */
    public NodeRef node() {
        return life.node();
    }

    /** {@return whether the peer holds its lease now} */
    public boolean holdsLease() {
        return life.holdsLease();
    }

    /** {@return why the peer could not begin another life when it tried last; null if it lives} */
    public @Nullable Exception problem() {
        return problem;
    }

    /** {@return why the peer cannot hold a lease with its configuration, for people; null if nothing is known} */
    public @Nullable String misfit() {
        return life.misfit();
    }

    /**
     * {@return why the peer has left the cluster by itself, for people; null if it has not. It does not come back: the
     * log on its disk is of no use, and the peer is to be closed}
     */
    public @Nullable String failure() {
        return failure;
    }

    /** Returns the number of questions of watchers that wait for a change in this peer's current life. */
    int waits() {
        return life.waits();
    }

    /** {@return what operations see of this peer's current life} */
    ZoneHost host() {
        return life.host();
    }

    /** {@return the rows of all zones that the peer knows of} */
    public List<ZoneRow> zones() {
        return tables().zones();
    }

    /** {@return the version of the tables that the peer has} */
    public long tableVersion() {
        return tables().version();
    }

    Tables tables() {
        return life.tables();
    }

    /** Returns the version of the tables that the folder keeps. */
    long keptVersion() {
        return tablesFile.version();
    }

    /**
     * {@return the figures of the peer's current life}
     *
     * @param withZones whether zones and copies are listed
     */
    public PeerFigures figures(boolean withZones) {
        return life.figures(withZones, withZones ? copyUses() : List.of());
    }

    /** {@return why zones to be restored by the peer are not in memory, in sentences} */
    public List<String> problems() {
        return life.problems();
    }

    // ---- status ----

    private void register(Network network) {
        NodeReports.register(network, () -> reports);
        network.answer(CellMessages.STATUS, (_, request) -> {
            final Function<StatusRequest, NodeStatus> known = statuses;
            if (known == null) {
                throw new IllegalStateException("this node gives no status");
            }
            return known.apply(request);
        });
    }

    /**
     * Sets what answers the requests for this node's status. There is no answer before.
     *
     * @param source returns the status; called by several threads
     */
    public void answerStatus(Function<StatusRequest, NodeStatus> source) {
        statuses = source;
    }

    /**
     * Sets what answers questions about figures and the log. There is no answer before.
     *
     * @param source answers; called by several threads
     */
    public void answerReports(NodeReports source) {
        reports = source;
    }

    /**
     * Adds the figures of the peer's current life.
     *
     * @param to receives the figures
     */
    public void figures(NodeFigures.Builder to) {
        life.figures(to);
    }

    /** Returns the copies of zones in this peer's log, also copies that no longer count. */
    private List<NodeStatus.CopyUse> copyUses() {
        return log.copies().stream().map(copy -> {
            final long last = log.logged(copy);
            return new NodeStatus.CopyUse(copy.zone(), copy.copy(), ZoneNumber.epoch(last), ZoneNumber.counter(last));
        }).toList();
    }

    /** {@return copies of which the log's files had damaged parts when it was opened, so that they are not used} */
    public Map<ZoneCopy, List<String>> damage() {
        return damage;
    }

    /** {@return bytes of the files of this peer's log} */
    public long logBytes() {
        return log.diskBytes();
    }

    // ---- the end ----

    /**
     * Leaves the cluster, and ends: its zones are restored by others at once. Takes some seconds at most, also without
     * superpeers and while the peer joins. Idempotent.
     */
    @Override
    public void close() throws IOException {
        end(true);
    }

    private void closeLog() throws IOException {
        try {
            close(opened);
        } catch (StoreException e) {
            if (log.failure() == null) {
                throw e;
            }                                                   // else the failure is known
        }
        if (log.failure() == null) {
            folder.lives().closed();
        } else if (failure == null) {
            folder.lives().failed();                            // by the last sync: the thread has not noted it
        }
    }

    /** Ends without a word, as a process that is killed. */
    void kill() throws IOException {
        end(false);
    }

    private synchronized void end(boolean isLeaving) throws IOException {
        if (isClosed) {
            return;
        }
        if (isLeaving) {
            applications.close();
        }
        isClosed = true;
        client.close();
        jars.close();
        LockSupport.unpark(thread);
        Threads.join(thread);
        try {
            if (isLeaving) {
                tablesFile.keep(life.tables());
                life.leave(LEAVE_NS);
            }
            life.close();
        } finally {
            try {
                closeLog();
            } finally {
                folder.close();
            }
        }
    }
}
