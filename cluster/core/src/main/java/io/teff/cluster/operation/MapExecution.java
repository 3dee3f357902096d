package io.teff.cluster.operation;

import static io.teff.cluster.operation.OperationFormat.HEAD_BYTES;

import io.teff.cluster.collect.MapName;
import io.teff.cluster.collect.ServedMaps;
import io.teff.cluster.slot.RecordedZone;
import io.teff.cluster.slot.Slot;
import io.teff.cluster.slot.SlotTable;
import io.teff.cluster.slot.SlotWriter;
import io.teff.engine.ChunkStore;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.os.FailureText;
import io.teff.engine.raw.RawMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Executes one operation on a map. The map lies whole in the zone, so the chunks that a change changes are one record,
 * with the result of the change. Used once.
 *
 * <p>A map that is not open yet is opened by a thread of the long requests: to a short request the answer is that the
 * request must be repeated as a long one.
 */
final class MapExecution {
    private final ZoneHost host;
    private final ChunkStore store;
    private final SlotTable slots;
    private final ServedMaps maps;
    private final SingleAnswer answer;
    private final OperationRequest request;
    private final boolean isLong;
    private @Nullable RawMap used;

    MapExecution(ZoneHost host, ChunkStore store, SlotTable slots, SingleAnswer answer, boolean isLong) {
        this.host = host;
        this.store = store;
        this.slots = slots;
        this.answer = answer;
        this.isLong = isLong;
        maps = slots.maps();
        request = answer.request();
    }

    /** Executes the operation, and answers. */
    void execute() {
        try {
            if (request.type == OperationType.MAP_OPEN) {
                open();
            } else if (request.type.isChange()) {
                change();
            } else {
                final RawMap map = map();
                if (map != null) {
                    read(map);
                }
            }
        } catch (StoreException e) {
            answer.refused(e);
        } catch (StoreClosedException | ZoneDroppedException _) {
            answer.code(OperationFormat.DEPOSED);
        } catch (IllegalStateException e) {
            if (used == null || !ServedMaps.isDropped(used)) {
                throw e;
            }
            answer.readOfAll(OperationFormat.ABSENT, Status.ABSENT, 0);
        }
    }

    /** Returns the map, or null if an answer was sent. */
    private @Nullable RawMap map() {
        used = find();
        return used;
    }

    private @Nullable RawMap find() {
        final RawMap known = maps.known(request.cid);
        if (known != null || !isLong) {
            if (known == null) {
                answer.code(OperationFormat.TOO_LONG);
            }
            return known;
        }
        final RawMap opened;
        maps.enter();
        try {
            opened = maps.open(store, request.cid);
        } finally {
            maps.leave();
        }
        if (opened == null) {
            answer.readOfAll(OperationFormat.ABSENT, Status.ABSENT, 0);
        }
        return opened;
    }

    // ---- reads ----

    private void read(RawMap map) {
        switch (request.type) {
            case MAP_GET -> get(map);
            case MAP_SIZE -> number(map);
            default -> page(map);
        }
    }

    private void get(RawMap map) {
        final byte[] key = request.content();
        if (!isKey(map, key.length)) {
            answer.readOfAll(OperationFormat.DONE, Status.ABSENT, 0);
            return;
        }
        final Scratch scratch = answer.scratch();
        final long[] read = new long[2];
        final int[] found = new int[1];
        map.read(key, (bytes, length, bucket, overflow) -> {
            read[0] = bucket;
            read[1] = overflow;
            found[0] = length;
            if (length > 0 && length <= answer.contentMax()) {
                scratch.ensure(HEAD_BYTES + length);
                System.arraycopy(bytes, 0, scratch.bytes(), HEAD_BYTES, length);
            }
        });
        if (found[0] > answer.contentMax()) {
            answer.code(OperationFormat.TOO_LONG);
        } else {
            answer.readOf(OperationFormat.DONE, Math.max(found[0], Status.ABSENT), Math.max(found[0], 0), read);
        }
    }

    private void number(RawMap map) {
        switch ((int) request.argument(0)) {
            case OperationFormat.MAP_ENTRIES -> answer.readOfAll(OperationFormat.DONE, map.longSize(), 0);
            case OperationFormat.MAP_MEMORY -> answer.readOfAll(OperationFormat.DONE, map.memoryBytes(), 0);
            default -> {
                if (isLong) {
                    map.audit();
                    answer.readOfAll(OperationFormat.DONE, 0, 0);
                } else {
                    answer.code(OperationFormat.TOO_LONG);
                }
            }
        }
    }

    private void page(RawMap map) {
        final MapPage page = new MapPage(answer.scratch(), request.length, answer.contentMax());
        final long next = map.scan(request.argument(0), page);
        if (page.isEmpty() && next != 0) {
            answer.code(OperationFormat.TOO_LONG);
        } else {
            answer.readOf(OperationFormat.DONE, next, page.bytes(), page.chunks());
        }
    }

    static boolean isKey(RawMap map, int length) {
        return map.keyBytes() < 0 || map.keyBytes() == length;
    }

    // ---- changes ----

    private void change() {
        if (!isLong && request.argument(0) == MapMode.CALL.number()) {
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
        final RawMap map = map();
        if (map == null) {
            return;
        }
        final int keyLength = (int) request.argument(1);
        if (!isKey(map, keyLength)) {
            answer.refused(new StoreException(Category.DEGRADED, "keys of this map have " + map.keyBytes()
                + " bytes, and this one " + keyLength));
            return;
        }
        final byte[] content = request.content();
        final MapMode mode = Objects.requireNonNull(MapMode.of(request.argument(0)), "checked before");
        final MapChange change;
        try {
            change = new MapChange(mode, content, keyLength, (int) request.argument(2), slots, slot, zone,
                host.clock());
        } catch (MalformedException e) {
            answer.refused(new StoreException(Category.DEGRADED, "no function of a value", e));
            return;
        }
        if (slot != null) {
            SlotWriter.prepare(slots, slot);
        }
        try {
            final int code = new FencedRun(maps, store, request.token, isLong).run(map.root(),
                () -> change.run(maps, map));
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

    private void end(MapChange change, RecordedZone zone, @Nullable Slot slot) {
        final int code = change.code();
        if (slot != null) {
            slot.answered(code, change.result(), change.value(), change.hasChanged());
        }
        if (change.hasChanged()) {
            answer.changed(change.result(), zone.writer().number(), change.value());
        } else {
            answer.readOf(code, change.result(), change.value(), change.read());
        }
    }

    /** Opens or makes a map. */
    private void open() {
        if (!isLong) {
            answer.code(OperationFormat.TOO_LONG);
            return;
        }
        final MapName name;
        try {
            final byte[] content = request.content();
            name = MapName.CODEC.read(new Input(content, 0, content.length));
        } catch (MalformedException e) {
            answer.refused(new StoreException(Category.DEGRADED, "no name of a map", e));
            return;
        }
        final long root;
        maps.enter();
        try {
            root = maps.open(store, name).root();
        } catch (IllegalArgumentException e) {
            answer.refused(new StoreException(Category.DEGRADED, FailureText.of(e), e));
            return;
        } finally {
            maps.leave();
        }
        answer.recorded(OperationFormat.DONE, root, 0);
    }
}
