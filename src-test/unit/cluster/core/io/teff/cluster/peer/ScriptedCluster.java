package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationCalls;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import io.teff.engine.Cid;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A cluster in virtual time, with one superpeer, in which nothing goes wrong but what a test does. */
final class ScriptedCluster {
    static final LeaseTerms TERMS = new LeaseTerms(TimeUnit.SECONDS.toNanos(1), 10);
    private static final int BACKUPS = 2;

    private final SimWorld world = new SimWorld(1);
    private final SimCell cell;
    private final List<SimPeer> peers = new ArrayList<>();

    /** Starts peers, and waits until each serves its zones and all zones have their backups. */
    ScriptedCluster(int count) {
        world.heal();
        cell = new SimCell(world, 1, BACKUPS, 0, TERMS, new Plant(), (_, _) -> false, (_, _) -> { }, false);
        cell.start();
        for (int i = 0; i < count; i++) {
            add().start();
        }
        await(30, () -> cell.rows().size() == count * 2 * (count - 1)
            && cell.rows().stream().allMatch(row -> isServed(row) && row.backups().size() == BACKUPS), this::rows);
    }

    /** Adds a peer that does not run yet. */
    SimPeer add() {
        SimPeer peer = new SimPeer(world, peers.size(), 1, BACKUPS, TERMS, (_, _, _, _) -> { }, new Plant(),
            SimParts.MODELS);
        peers.add(peer);
        return peer;
    }

    SimPeer peer(int number) {
        return peers.get(number);
    }

    /** Returns the peer that has a life. */
    SimPeer peer(Backup backup) {
        return (SimPeer) world.node(backup.node().nid());
    }

    /** Returns how many nodes live. */
    long alive() {
        return cell.members().getFirst().machine.nodesSince(-1).stream().filter(NodeRow::isAlive).count();
    }

    List<ZoneRow> rows() {
        return cell.rows();
    }

    ZoneRow row(int zone) {
        return cell.rows().stream().filter(row -> row.zone() == zone).findFirst().orElseThrow();
    }

    /** Returns a zone that a peer owns. */
    ZoneRow zoneOf(SimPeer peer) {
        return cell.rows().stream().filter(row -> row.isOwnedBy(peer.core().node())).findFirst().orElseThrow();
    }

    boolean isServed(ZoneRow row) {
        return row.state().isServed() && owner(row) != null;
    }

    private @Nullable SimPeer owner(ZoneRow row) {
        return peers.stream().filter(peer -> peer.isServing(row.zone())).findFirst().orElse(null);
    }

    long nowNs() {
        return world.nowNs();
    }

    /** Lets two peers reach each other no more. */
    void cut(SimPeer first, SimPeer second) {
        world.cut(first, second, true);
        world.cut(second, first, true);
    }

    void run(int seconds) {
        world.run(world.nowNs() + TimeUnit.SECONDS.toNanos(seconds), () -> false);
    }

    void await(int seconds, BooleanSupplier condition, Supplier<?> what) {
        assertTrue(world.run(world.nowNs() + TimeUnit.SECONDS.toNanos(seconds), condition),
            () -> "not within " + seconds + " s: " + what.get() + "\n" + world.told());
    }

    void awaitServed(int seconds, int zone) {
        await(seconds, () -> isServed(row(zone)), () -> row(zone));
    }

    // ---- operations ----

    /** Changes the first chunk of a zone. Returns whether that was acknowledged, when it is. */
    AtomicBoolean put(int zone, long value) {
        AtomicBoolean isDone = new AtomicBoolean();
        SimPeer owner = owner(row(zone));
        owner.execute(owner.lives(), OperationCalls.request(OperationType.PUT, WriteLevel.BACKED, 0, ModelZones.BYTES,
            Cid.of(zone, 1), value), bytes -> {
                OperationAnswer answer = OperationAnswer.read(bytes, OperationType.PUT, ModelZones.BYTES);
                isDone.set(answer.code() == OperationFormat.DONE);
            });
        return isDone;
    }

    /** Changes the first chunk of a zone, and waits until that is acknowledged. */
    void putNow(int zone, long value) {
        AtomicBoolean isDone = put(zone, value);
        await(5, isDone::get, () -> "a put to " + row(zone));
    }

    /** Reads the first chunk of a zone. Returns whether there was an answer, when it is. */
    AtomicBoolean read(int zone) {
        AtomicBoolean isDone = new AtomicBoolean();
        SimPeer owner = owner(row(zone));
        owner.execute(owner.lives(), OperationCalls.request(OperationType.GET, WriteLevel.BACKED, 0, ModelZones.BYTES,
            Cid.of(zone, 1)), bytes -> {
                OperationAnswer answer = OperationAnswer.read(bytes, OperationType.GET, ModelZones.BYTES);
                isDone.set(answer.code() == OperationFormat.DONE);
            });
        return isDone;
    }

    /** Checks that the first chunk of a zone has a value at its owner. */
    void check(int zone, long value) {
        assertEquals(value, owner(row(zone)).values(zone).get(Cid.of(zone, 1)), () -> "zone " + row(zone));
    }

    /** Returns how many zones are in a state. */
    long count(ZoneState state) {
        return cell.rows().stream().filter(row -> row.state() == state).count();
    }
}
