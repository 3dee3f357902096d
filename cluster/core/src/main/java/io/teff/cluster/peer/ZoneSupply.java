package io.teff.cluster.peer;

import io.teff.cluster.cell.Tables;
import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.NodeRef;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the superpeers for new zones, for zones of other peers, and for new backups, while the node holds its lease.
 * Methods belong to the thread that acts on the tables.
 */
final class ZoneSupply implements AutoCloseable {
    /** A peer claims no zone without memory for so many zones of full size. */
    private static final int ZONES_OF_ROOM = 2;

    private final Tables tables;
    private final LocalZones zones;
    private final ZoneCare care;
    private final ZoneDemand demand;
    private final ZoneClaims claims;
    private final Refills refills;
    private final CellCommands commands;
    private final BooleanSupplier holdsLease;
    private final BooleanSupplier hasRoom;
    private final NodeLog log;
    private boolean isAloneSaid;
    /** Replies to requests for new zones, added by threads of the network. */
    private final Queue<Replied> replies = new ConcurrentLinkedQueue<>();

    private record Replied(Command.NewZones request, CommandReply reply) {}

    /**
     * Begins without a request.
     *
     * @param self this life of the node
     * @param config the peer's configuration
     * @param tables the node's tables
     * @param zones the zones at this node
     * @param care looks for full zones with room
     * @param refills gives zones new backups; closed with this object
     * @param commands sends commands
     * @param holdsLease whether the node holds its lease
     * @param freeBytes how much memory chunks can still take
     */
    ZoneSupply(NodeRef self, PeerConfig config, Tables tables, LocalZones zones, ZoneCare care, Refills refills,
               CellCommands commands, BooleanSupplier holdsLease, LongSupplier freeBytes) {
        this.tables = tables;
        this.zones = zones;
        this.care = care;
        this.refills = refills;
        this.commands = commands;
        this.holdsLease = holdsLease;
        log = config.log();
        final long nowNs = config.platform().clock().nowNs();
        demand = new ZoneDemand(self, config.zonesMin(), config.backups(), config.settleNs(), nowNs);
        claims = new ZoneClaims(self, config.backups(), config.settleNs(), nowNs);
        hasRoom = () -> freeBytes.getAsLong() >= ZONES_OF_ROOM * config.zoneBytesMax();
    }

    /** Starts the thread that records zones for new backups. */
    void start() {
        refills.start();
    }

    /** Sends the requests that are due. */
    void look(long nowNs) {
        for (Replied next = replies.poll(); next != null; next = replies.poll()) {
            demand.replied(next.request(), next.reply(), nowNs);
        }
        final Command.NewZones request = holdsLease.getAsBoolean() ? demand.due(tables, tables.zones(), nowNs) : null;
        if (request != null && care.reopen(request.count()) == 0) {
            sayIfAlone();
            commands.send(request, reply -> replies.add(new Replied(request, reply)));
        }
        if (holdsLease.getAsBoolean()) {
            final Command claim = claims.due(tables, hasRoom, nowNs);
            if (claim != null) {
                commands.send(claim);
            }
            refills.look(tables, zones::isServed, nowNs);
        }
    }

    /** Says once that this is the only peer, and so that the new zones have no backup. */
    private void sayIfAlone() {
        if (demand.isAlone() && !isAloneSaid) {
            isAloneSaid = true;
            log.log(NodeEvent.ALONE, "this is the only peer: no change has a backup, so the end of this process loses"
                + " its zones; a second peer takes backups");
        }
    }

    /** Returns why the last request for new zones was refused, or null. */
    @Nullable String problem() {
        return demand.problem();
    }

    @Override
    public void close() {
        refills.close();
    }
}
