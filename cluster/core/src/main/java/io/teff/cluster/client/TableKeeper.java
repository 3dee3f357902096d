package io.teff.cluster.client;

import io.teff.cluster.cell.ClientNetwork;
import io.teff.cluster.cell.SuperpeerRefusals;
import io.teff.cluster.cell.Tables;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.TableAnswer;
import io.teff.cluster.message.TableRequest;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.engine.os.Threads;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a client's copy of the tables up to date: one thread asks the superpeers in turn for changed rows, once a
 * second, and at once while a call waits for a new row. The thread also does the periodic work of the client.
 * Thread-safe.
 */
final class TableKeeper implements AutoCloseable {
    private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(1);
    /** Shortest pause between two questions. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(1);

    private final Tables tables;
    private final ClientNetwork network;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Thread thread;
    private final Runnable beat;
    private int superpeer;
    /** Counts changes of the tables; guarded by the lock. */
    private long changes;
    private volatile int[] openZones = {};
    private volatile boolean isWanted;
    private volatile boolean isFilled;
    private volatile boolean isClosed;
    private volatile @Nullable NetworkException lastFailure;
    private final SuperpeerRefusals refusals;

    TableKeeper(Tables tables, ClientNetwork network, int first, Runnable beat, Platform platform, String name) {
        this.tables = tables;
        this.network = network;
        refusals = new SuperpeerRefusals(tables::superpeers);
        this.beat = beat;
        clock = platform.clock();
        superpeer = first;
        thread = platform.threads().create(name, this::run);
    }

    void start() {
        thread.start();
    }

    private void run() {
        while (!isClosed) {
            isWanted = false;
            beat.run();
            final boolean isAnswered = ask();
            if (!isAnswered) {
                superpeer = Math.max(tables.superpeers().after(superpeer), 0);
            }
            clock.park(this, PAUSE_NS);
            for (long waited = PAUSE_NS; isAnswered && waited < IDLE_NS && !isWanted && !isClosed; waited += PAUSE_NS) {
                clock.park(this, PAUSE_NS);
            }
        }
    }

    private boolean ask() {
        final Network used = network.now();
        try {
            final TableAnswer answer = used.call(CellMessages.nid(superpeer), CellMessages.TABLE,
                new TableRequest(tables.version()), ANSWER_NS);
            if (!tables.update(answer).isEmpty() || !answer.nodes().isEmpty() || !isFilled) {
                changed();
            }
            refusals.clear();
            return true;
        } catch (NetworkException e) {
            network.failed(used, e);
            refusals.failed(superpeer, e);
            final NetworkException before = lastFailure;
            if (e.reason() == Reason.MISFIT || before == null || before.reason() != Reason.MISFIT) {
                lastFailure = e;                                // else the silence of another superpeer says less
            }
            return false;
        } catch (InterruptedException _) {
            return false;
        }
    }

    private void changed() {
        final List<ZoneRow> rows = tables.zones().stream().filter(row -> row.state() == ZoneState.OPEN).toList();
        final List<ZoneRow> ready = rows.stream().filter(row -> !row.awaitsBackup()).toList();
        final int[] open = (ready.isEmpty() ? rows : ready).stream().mapToInt(ZoneRow::zone).toArray();
        lock.lock();
        try {
            openZones = open;
            isFilled = true;
            changes++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- rows ----

    /** Returns the owner serving a zone, as far as is known; null if the zone has no owner now. */
    @Nullable NodeRef owner(int zone) {
        final ZoneRow row = tables.zone(zone);
        return row != null && row.state().isServed() && row.owner() != null && tables.node(row.owner().nid()) != null
            ? row.owner() : null;
    }

    /** Returns whether a zone is missing from the tables. */
    boolean isUnknown(int zone) {
        return tables.zone(zone) == null;
    }

    /** Returns the zones in which chunks are created now; must not be changed. */
    int[] openZones() {
        return openZones;
    }

    /** Returns all zones that the tables know. */
    int[] zones() {
        return tables.zones().stream().mapToInt(ZoneRow::zone).toArray();
    }

    /** Returns why there is no zone for new chunks, with the first zone that says what the zone waits for. */
    String noneOpen() {
        final String none = "no zone is open" + (tables.zone(ZoneRow.ZONE_MAX) == null ? ""
            : ", and there are no more: all " + ZoneRow.ZONE_MAX + " zones of a cluster are given");
        return none + tables.zones().stream().map(row -> problem(row.zone())).filter(text -> !text.isEmpty())
            .findFirst().orElse("");
    }

    /**
     * Returns what a zone, or its changes, wait for, as a text behind another reason; empty if the row of the zone does
     * not say.
     */
    String problem(int zone) {
        final ZoneRow row = tables.zone(zone);
        final String problem = row == null ? null : row.problem();
        return problem == null ? "" : "; zone " + zone + ": " + problem;
    }

    /** Returns whether the tables have arrived. */
    boolean isFilled() {
        return isFilled;
    }

    /** Returns why the last question has found no answer, or null. */
    @Nullable NetworkException lastFailure() {
        return lastFailure;
    }

    /**
     * Returns why a majority of the superpeers has refused this client since the last answer; null if no majority has.
     */
    @Nullable String refusal() {
        return refusals.ofMajority();
    }

    /** Takes over a row sent by a peer; returns whether the row is newer. */
    boolean update(@Nullable ZoneRow row) {
        if (row == null || row.zone() < 0 || row.zone() > ZoneRow.ZONE_MAX || !tables.update(row)) {
            return false;
        }
        changed();
        return true;
    }

    boolean update(List<ZoneRow> rows) {
        boolean isNewer = false;
        for (ZoneRow row : rows) {
            isNewer |= update(row);
        }
        return isNewer;
    }

    // ---- waiting ----

    /** Asks for rows soon. */
    void want() {
        isWanted = true;
    }

    /** Waits until the tables change, for a time at most; returns early if the client is closed. */
    void await(long ns) throws InterruptedException {
        want();
        lock.lock();
        try {
            final long seen = changes;
            for (long left = ns; !isClosed && changes == seen && left > 0; ) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the thread and all waits. Idempotent. */
    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the end of the thread, after the network is closed. */
    void join() {
        Threads.join(thread);
    }
}
