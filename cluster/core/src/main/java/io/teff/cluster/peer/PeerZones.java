package io.teff.cluster.peer;

import io.teff.cluster.cell.Tables;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Threads;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Acts on the tables, in a cycle: does what the rows that name this node ask for. Thread-safe.
 *
 * <p><b>Level-triggered.</b> A row asks for an action until the cell has noted that the action is done. So each cycle
 * looks at the rows that have changed, and at the rows with unfinished work; each second at all rows. A lost command or
 * a failure is repaired by the next cycle.
 */
final class PeerZones implements AutoCloseable {
    private static final long BUSY_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long ALL_NS = TimeUnit.SECONDS.toNanos(1);

    private final Tables tables;
    private final LocalZones zones;
    private final ZoneWork work;
    private final ZoneCare care;
    private final ZoneSupply supply;
    private final ZoneNews news;
    private final Runnable refresh;
    private final Runnable look;
    private final Clock clock;
    private final Queue<ZoneRow> changed = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean isWanted;
    private volatile boolean isClosed;
    /** When the cycle has looked at all rows; of the thread that acts. */
    private long lookedNs;

    /**
     * Makes the cycle; nothing happens before {@link #start}, or before a simulator calls {@link #cycle}.
     *
     * @param self this life of the node
     * @param config the peer's configuration
     * @param tables the node's tables
     * @param zones the zones at this node
     * @param work acts on a row
     * @param care looks after the zones that are served
     * @param supply asks for zones and backups; closed with this object
     * @param news composes sentences for people
     * @param refresh called in cycles that leave unfinished work
     * @param look called each second
     */
    PeerZones(NodeRef self, PeerConfig config, Tables tables, LocalZones zones, ZoneWork work, ZoneCare care,
              ZoneSupply supply, ZoneNews news, Runnable refresh, Runnable look) {
        this.tables = tables;
        this.zones = zones;
        this.work = work;
        this.care = care;
        this.supply = supply;
        this.news = news;
        this.refresh = refresh;
        this.look = look;
        clock = config.platform().clock();
        lookedNs = clock.nowNs() - ALL_NS;
        thread = config.platform().threads().create("teff-zones-" + self.nid(), this::run);
    }

    void start() {
        supply.start();
        thread.start();
    }

    /** Notes changed rows; on a thread that must not wait. */
    void changed(List<ZoneRow> rows) {
        changed.addAll(rows);
        wake();
    }

    void wake() {
        isWanted = true;
        LockSupport.unpark(thread);
    }

    // ---- the cycle ----

    private void run() {
        while (!isClosed) {
            final long restNs = cycle();
            if (!isWanted && !isClosed) {
                Threads.rest(this, restNs);
            }
        }
    }

    /** Returns whether there is work that the next cycle should not wait for. */
    boolean isWanted() {
        return isWanted;
    }

    /** Does what is to be done now, and returns how long to rest unless woken; for one thread at a time. */
    long cycle() {
        isWanted = false;
        final long nowNs = clock.nowNs();
        if (nowNs - lookedNs >= ALL_NS) {
            lookedNs = nowNs;
            tables.zones().forEach(work::act);
            care.look();
            news.lookForEnds();
            look.run();
        }
        for (ZoneRow row = changed.poll(); row != null; row = changed.poll()) {
            actOnNewest(row.zone());
        }
        zones.unfinished().forEach(this::actOnNewest);
        supply.look(nowNs);
        news.compose();
        if (!zones.hasUnfinished()) {
            return IDLE_NS;
        }
        refresh.run();
        return BUSY_NS;
    }

    private void actOnNewest(int zone) {
        final ZoneRow newest = tables.zone(zone);
        if (newest != null) {
            work.act(newest);
        }
    }

    // ---- numbers for people ----

    /**
     * Returns why zones are not restored, not served or not given to this node, and which parts fill their zones, in
     * sentences.
     */
    List<String> problems() {
        return Stream.concat(news.problems().stream(), care.problems().stream()).toList();
    }

    /** Returns the timelines of the last recoveries, oldest first. */
    List<RecoveryTimes> times() {
        return news.times();
    }

    /** Ends acting; zones that are served stay as they are. Idempotent. */
    @Override
    public void close() {
        isClosed = true;
        wake();
        Threads.join(thread);
        supply.close();
    }
}
