package io.teff.cluster.operation;

import io.teff.cluster.collect.ChangeRing;
import io.teff.cluster.collect.CollectionName;
import io.teff.cluster.collect.ServedCollection;
import io.teff.cluster.collect.ServedMaps;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.slot.RecordedZone;
import io.teff.cluster.slot.Slot;
import io.teff.cluster.slot.SlotTable;
import io.teff.cluster.slot.SlotWriter;
import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.collect.ChunkCollection;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.os.FailureText;
import org.jspecify.annotations.Nullable;

/**
 * Executes one operation on a queue, list or sorted map. The collection lies whole in the zone, so the chunks that a
 * change changes are one record, with the result of the change. Used once.
 *
 * <p>A collection that is not open yet is opened by a thread of the long requests: to a short request the answer is
 * that the request must be repeated as a long one.
 */
final class CollectionExecution {
    private final ZoneHost host;
    private final ChunkStore store;
    private final SlotTable slots;
    private final ServedMaps served;
    private final SingleAnswer answer;
    private final OperationRequest request;
    private final boolean isLong;
    private @Nullable ServedCollection used;

    CollectionExecution(ZoneHost host, ChunkStore store, SlotTable slots, SingleAnswer answer, boolean isLong) {
        this.host = host;
        this.store = store;
        this.slots = slots;
        this.answer = answer;
        this.isLong = isLong;
        served = slots.maps();
        request = answer.request();
    }

    /** Executes the operation, and answers. */
    void execute() {
        try {
            if (request.type == OperationType.COLLECTION_OPEN) {
                open();
            } else if (request.type == OperationType.COLLECTION_MOVE) {
                move();
            } else if (request.type.isChange()) {
                change();
            } else {
                read();
            }
        } catch (StoreException e) {
            answer.refused(e);
        } catch (StoreClosedException | ZoneDroppedException _) {
            answer.code(OperationFormat.DEPOSED);
        } catch (IllegalStateException e) {
            if (used == null || !used.isDropped()) {
                throw e;
            }
            answer.readOfAll(OperationFormat.ABSENT, Status.ABSENT, 0);
        } catch (IllegalArgumentException | MalformedException e) {
            answer.refused(new StoreException(Category.DEGRADED, FailureText.of(e), e));
        }
    }

    private int epoch() {
        final ZoneRow row = host.row(Cid.nid(request.cid));
        return row == null ? 1 : row.epoch();
    }

    /** Opens or makes a collection. */
    private void open() {
        if (!isLong) {
            answer.code(OperationFormat.TOO_LONG);
            return;
        }
        final byte[] content = request.content();
        final CollectionName name = CollectionName.CODEC.read(new Input(content, 0, content.length));
        final long root;
        served.enter();
        try {
            root = served.openCollection(store, name, epoch()).content().root();
        } finally {
            served.leave();
        }
        answer.recorded(OperationFormat.DONE, root, 0);
    }

    /** Returns the collection, or null if an answer was sent. */
    private @Nullable ServedCollection collection() {
        used = find();
        return used;
    }

    private @Nullable ServedCollection find() {
        final ServedCollection known = served.knownCollection(request.cid);
        if (known != null || !isLong) {
            if (known == null) {
                answer.code(OperationFormat.TOO_LONG);
            }
            return known;
        }
        final ServedCollection opened;
        served.enter();
        try {
            opened = served.openCollection(store, request.cid, epoch());
        } finally {
            served.leave();
        }
        if (opened == null) {
            answer.readOfAll(OperationFormat.ABSENT, Status.ABSENT, 0);
        }
        return opened;
    }

    // ---- reads ----

    private void read() {
        final ServedCollection of = collection();
        if (of == null) {
            return;
        }
        if (CollectionMode.of(request.argument(0)) == CollectionMode.NUMBER) {
            number(of);
            return;
        }
        final CollectionRead read = new CollectionRead(of, answer);
        final long seen = of.content().read(read::run);
        if (read.isTooLong()) {
            answer.code(OperationFormat.TOO_LONG);
        } else {
            answer.readBehind(seen, read.code(), read.result(), read.length());
        }
    }

    private void number(ServedCollection of) {
        final long which = request.argument(1);
        if (which == OperationFormat.MAP_AUDIT && !isLong) {
            answer.code(OperationFormat.TOO_LONG);
            return;
        }
        final long[] seen = new long[1];
        final long number = of.content().read(() -> {
            seen[0] = of.lastNumber();
            final ChunkCollection content = of.content().content();
            if (which == OperationFormat.MAP_ENTRIES) {
                return content.longSize();
            }
            if (which == OperationFormat.MAP_AUDIT) {
                content.audit();
                return 0L;
            }
            return content.memoryBytes();
        });
        answer.readBehind(seen[0], OperationFormat.DONE, number, 0);
    }

    // ---- splits ----

    /** Takes a step of the split of a part of a sorted map. */
    private void move() {
        if (!isLong) {
            answer.code(OperationFormat.TOO_LONG);
            return;
        }
        final ServedCollection of = collection();
        if (of == null) {
            return;
        }
        final byte[] content;
        served.enter();
        try {
            content = new PartMoves(of, served, store, request, host.clock().nowNs()).run();
        } finally {
            served.leave();
        }
        answer.settled(content);
    }

    // ---- changes ----

    private void change() {
        if (!isLong && CollectionMode.of(request.argument(0)) == CollectionMode.SORTED_CALL) {
            answer.code(OperationFormat.TOO_LONG);              // code of an application never has an agent's thread
            return;
        }
        final RecordedZone zone = slots.recorded().take(store, host);
        try {
            if (request.session == 0) {
                change(zone, null);
            } else {
                changeOnce(zone);
            }
        } finally {
            slots.recorded().give(zone);
        }
    }

    /** Executes a change of a session, unless its slot knows the result already. */
    private void changeOnce(RecordedZone zone) {
        final Slot entered = slots.enter(request.session, request.ticket(0));
        if (entered == SlotTable.IN_USE || entered == SlotTable.ENDED) {
            answer.code(entered == SlotTable.IN_USE ? OperationFormat.BUSY : OperationFormat.EXPIRED);
            return;
        }
        try {
            if (!entered.isDone()) {
                change(zone, entered);
            } else if (entered.hasChanged()) {
                answer.changed(entered.result(), 0, entered.value());
            } else {
                answer.unchanged(entered.code(), entered.result(), entered.value());
            }
        } finally {
            entered.leave();
        }
    }

    private void change(RecordedZone zone, @Nullable Slot slot) {
        final ServedCollection of = collection();
        if (of == null) {
            return;
        }
        final CollectionChange change = new CollectionChange(of, request, slots, slot, zone, host.clock());
        if (slot != null) {
            SlotWriter.prepare(slots, slot);
        }
        try {
            final int code = new FencedRun(served, store, request.token, isLong).run(of.content().root(),
                () -> change(zone, of, change));
            if (code != OperationFormat.DONE) {
                answer.fenced(code);
                return;
            }
        } catch (StoreException e) {
            if (slot != null && slot.isDone()) {                // it was recorded before
                answer.changed(slot.result(), 0, slot.value());
                return;
            }
            throw e;
        }
        end(change, zone, slot);
    }

    private void change(RecordedZone zone, ServedCollection of, CollectionChange change) {
        served.enter();
        try {
            final ChangeRing ring = served.ring(of.content().root());
            if (ring == null) {
                zone.changes().change(of.content(), change);
            } else {
                change(zone, of, change, ring);
            }
        } finally {
            served.leave();
        }
    }

    private static void change(RecordedZone zone, ServedCollection of, CollectionChange change, ChangeRing ring) {
        ring.enter();
        try {
            change.watchedBy(ring);
            zone.changes().change(of.content(), change);
        } finally {
            ring.leave(zone.writer().number());
        }
    }

    private void end(CollectionChange change, RecordedZone zone, @Nullable Slot slot) {
        final int code = change.code();
        if (slot != null) {
            slot.answered(code, change.result(), change.value(), change.hasChanged());
        }
        if (change.hasChanged()) {
            answer.changed(change.result(), zone.writer().number(), change.value());
        } else {
            answer.readBehind(change.lastNumber(), code, change.result(), change.value());
        }
    }
}
