package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.StoreModel.Expected;
import io.teff.engine.chunk.Reads;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.view.ReadScope;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * The operations of the store model: each draws its arguments, calls the store, and compares the result with the model.
 */
enum ModelStep {
    CREATE(ModelStep::create), PUT(ModelStep::put), PUT_SAME(ModelStep::putSame), GET(ModelStep::get),
    GET_BYTES(ModelStep::getBytes), PUT_BYTES(ModelStep::putBytes), FIELD_GET(ModelStep::fieldGet),
    FIELD_PUT(ModelStep::fieldPut), FIELD_CAS(ModelStep::fieldCas), FIELD_ADD(ModelStep::fieldAdd),
    REMOVE(ModelStep::remove), RESIZE(ModelStep::resize), SEAL(ModelStep::seal), VIEW(ModelStep::view),
    EDIT(ModelStep::edit), PIN(ModelStep::pin), UNPIN(ModelStep::unpin),
    BATCH_CREATE(ModelBatch::create), BATCH_RANGE(ModelBatch::createRange), BATCH_GET(ModelBatch::get),
    BATCH_PUT(ModelBatch::put), BATCH_REMOVE(ModelBatch::remove), BATCH_RESIZE(ModelBatch::resize),
    BATCH_LOOK(ModelBatch::look),
    RESERVE(ModelIds::reserve), RESERVE_RANGE(ModelIds::reserveRange), UNRESERVE(ModelIds::unreserve),
    CREATE_AT_RESERVED(ModelIds::createAtReserved), CREATE_AT_FOREIGN(ModelIds::createAtForeign),
    CREATE_AT_AHEAD(ModelIds::createAtAhead), CREATE_AT_OLD(ModelIds::createAtOld), MASS(ModelIds::mass),
    LOCK(ModelLocks::lock), UNLOCK(ModelLocks::unlock), SWAP(ModelLocks::swap), LOCKED_GET(ModelLocks::get),
    LOCKED_PUT(ModelLocks::put), LOCKED_CREATE(ModelLocks::create), LOCKED_REMOVE(ModelLocks::remove),
    TRIM(model -> assertTrue(model.store.trim() >= 0)), DEFRAGMENT(model -> model.store.defragment()),
    SNAPSHOT(model -> model.snapshotAndRestore(false)), REOPEN(model -> model.snapshotAndRestore(true)),
    REPORT(StoreModel::report), COMPARE(StoreModel::compareAll);

    private final Consumer<StoreModel> step;

    ModelStep(Consumer<StoreModel> step) {
        this.step = step;
    }

    /** Runs the step, then audits. */
    void run(StoreModel model) {
        step.accept(model);
        model.audit();
    }

    /** Draws the steps of a sequence and their frequencies. Some steps are absent on purpose. */
    static int[] weights(SplittableRandom random) {
        int[] weights = new int[values().length];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = Math.max(random.nextInt(-5, 11), 0);
        }
        weights[CREATE.ordinal()] += 3;
        weights[SNAPSHOT.ordinal()] = Math.min(weights[SNAPSHOT.ordinal()], 1);
        weights[REOPEN.ordinal()] = Math.min(weights[REOPEN.ordinal()], 1);
        weights[MASS.ordinal()] = Math.min(weights[MASS.ordinal()], 1);
        return weights;
    }

    static ModelStep draw(int[] weights, SplittableRandom random) {
        int left = random.nextInt(Arrays.stream(weights).sum());
        for (int i = 0; ; i++) {
            left -= weights[i];
            if (left < 0) {
                return values()[i];
            }
        }
    }

    // ---- single operations ----

    private static void create(StoreModel model) {
        if (model.crowded()) {
            remove(model);
            return;
        }
        byte[] content = model.content(model.length());
        switch (model.random.nextInt(5)) {
            case 0 -> model.created(model.store.create((long) content.length), new byte[content.length], false);
            case 1 -> model.created(model.store.createReadOnly(content), content, true);
            case 2 -> {
                byte[] wide = Arrays.copyOf(content, content.length + 5);
                System.arraycopy(content, 0, wide, 3, content.length);
                model.created(model.store.create(wide, 3, content.length), content, false);
            }
            case 3 -> {
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment source = arena.allocate(content.length + 2L);
                    MemorySegment.copy(MemorySegment.ofArray(content), 0, source, 1, content.length);
                    model.created(model.store.create(source, 1, content.length), content, false);
                }
            }
            default -> model.created(model.store.create(content), content, false);
        }
    }

    private static void put(StoreModel model) {
        put(model, model.cid(), model.content(model.length()));
    }

    private static void putSame(StoreModel model) {
        long cid = model.cid();
        Expected expected = model.live.get(cid);
        put(model, cid, model.content(expected == null ? 3 : expected.content.length));
    }

    private static void put(StoreModel model, long cid, byte[] content) {
        int status = switch (model.random.nextInt(3)) {
            case 0 -> model.store.put(cid, MemorySegment.ofArray(content), 0, content.length);
            case 1 -> model.store.put(cid, Arrays.copyOf(content, content.length + 1), 0, content.length);
            default -> model.store.put(cid, content);
        };
        model.put(cid, content, status);
        model.compare(cid);
    }

    private static void get(StoreModel model) {
        long cid = model.cid();
        model.compare(cid);
        Expected expected = model.live.get(cid);
        if (expected == null) {
            assertTrue(model.store.chunks().get(cid).isEmpty());
            return;
        }
        byte[] target = new byte[expected.content.length + 3];
        StoreModel.same(expected.content.length, model.store.get(cid, target, 3));
        assertArrayEquals(expected.content, Arrays.copyOfRange(target, 3, target.length));
        StoreModel.same(expected.content.length, model.store.get(cid, MemorySegment.ofArray(target), 1));
        assertArrayEquals(expected.content, Arrays.copyOfRange(target, 1, target.length - 2));
        if (expected.content.length > 0) {
            StoreModel.same(Status.TOO_SMALL, model.store.get(cid, target, 4));
        }
    }

    /** Draws offset and length of a part, mostly inside the chunk. */
    private static int[] part(StoreModel model, Expected expected) {
        int length = expected == null ? 8 : expected.content.length;
        int offset = model.random.nextInt(length + 2) - (model.random.nextInt(10) == 0 ? 1 : 0);
        int room = Math.max(length - Math.max(offset, 0), 0) + (model.random.nextInt(8) == 0 ? 2 : 1);
        return new int[] {offset, model.random.nextInt(room)};
    }

    private static int inside(Expected expected, int[] part) {
        return Reads.isInside(part[0], part[1], expected.content.length) ? Status.OK : Status.OUT_OF_RANGE;
    }

    private static void getBytes(StoreModel model) {
        long cid = model.cid();
        Expected expected = model.live.get(cid);
        int[] part = part(model, expected);
        byte[] target = new byte[part[1] + 2];
        int status = model.random.nextBoolean() ? model.store.getBytes(cid, part[0], target, 2, part[1])
            : model.store.getBytes(cid, part[0], MemorySegment.ofArray(target), 2, part[1]);
        StoreModel.same(expected == null ? Status.ABSENT : inside(expected, part), status);
        if (status == Status.OK) {
            assertArrayEquals(Arrays.copyOfRange(expected.content, part[0], part[0] + part[1]),
                Arrays.copyOfRange(target, 2, target.length));
        }
    }

    private static void putBytes(StoreModel model) {
        long cid = model.cid();
        Expected expected = model.live.get(cid);
        int[] part = part(model, expected);
        byte[] source = model.content(part[1]);
        int status = model.random.nextBoolean() ? model.store.putBytes(cid, part[0], source, 0, part[1])
            : model.store.putBytes(cid, part[0], MemorySegment.ofArray(source), 0, part[1]);
        int gate = model.gate(cid);
        StoreModel.same(gate == Status.OK ? inside(expected, part) : gate, status);
        if (status == Status.OK) {
            expected.content = expected.content.clone();
            System.arraycopy(source, 0, expected.content, part[0], part[1]);
        }
        model.compare(cid);
    }

    private static void remove(StoreModel model) {
        long cid = model.cid();
        model.remove(cid, model.store.remove(cid));
        model.compare(cid);
    }

    private static void resize(StoreModel model) {
        long cid = model.cid();
        Expected expected = model.live.get(cid);
        long length = expected != null && model.random.nextBoolean()
            ? Math.max(expected.content.length + model.random.nextInt(-3, 4), 0) : model.length();
        model.resize(cid, length, model.store.resize(cid, length));
        model.compare(cid);
    }

    private static void seal(StoreModel model) {
        long cid = model.cid();
        Expected expected = model.live.get(cid);
        StoreModel.same(expected == null ? Status.ABSENT : Status.OK, model.store.seal(cid));
        if (expected != null) {
            expected.readOnly = true;
            expected.readHolds += expected.writeHeld ? 1 : 0;
            expected.writeHeld = false;
        }
    }

    // ---- fields ----

    private static ByteBuffer fields(Expected expected) {
        expected.content = expected.content.clone();
        return ByteBuffer.wrap(expected.content).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int fieldOffset(StoreModel model, Expected expected, int bytes) {
        return model.random.nextInt(Math.max(expected == null ? 1 : expected.content.length - bytes + 2, 1));
    }

    private static boolean outside(Expected expected, int offset, int bytes) {
        return expected.content.length - offset < bytes;
    }

    private static void fieldGet(StoreModel model) {
        long cid = model.cid();
        Expected expected = model.live.get(cid);
        int bytes = 1 << model.random.nextInt(4);
        int offset = fieldOffset(model, expected, bytes);
        if (expected != null && outside(expected, offset, bytes)) {
            assertThrows(IndexOutOfBoundsException.class, () -> model.store.fields().getLong(cid, offset, 0),
                "getLong");
            return;
        }
        Fields fields = model.store.fields();
        ByteBuffer content = expected == null ? ByteBuffer.allocate(0) : fields(expected);
        switch (bytes) {
            case 8 -> assertEquals(expected == null ? -5 : content.getLong(offset), fields.getLong(cid, offset, -5));
            case 4 -> assertEquals(expected == null ? -5 : content.getInt(offset), fields.getInt(cid, offset, -5));
            case 2 -> assertEquals(expected == null ? -5 : content.getShort(offset),
                fields.getShort(cid, offset, (short) -5));
            default -> assertEquals(expected == null ? -5 : content.get(offset),
                fields.getByte(cid, offset, (byte) -5));
        }
    }

    private static void fieldPut(StoreModel model) {
        long cid = model.cid();
        Expected expected = model.live.get(cid);
        int bytes = 1 << model.random.nextInt(4);
        int offset = fieldOffset(model, expected, bytes);
        long value = model.random.nextLong();
        Fields fields = model.store.fields();
        int gate = model.gate(cid);
        if (gate == Status.OK && outside(expected, offset, bytes)) {
            assertThrows(IndexOutOfBoundsException.class, () -> fields.putLong(cid, offset, 0));
            return;
        }
        StoreModel.same(gate, switch (bytes) {
            case 8 -> fields.putLong(cid, offset, value);
            case 4 -> fields.putInt(cid, offset, (int) value);
            case 2 -> fields.putShort(cid, offset, (short) value);
            default -> fields.putByte(cid, offset, (byte) value);
        });
        if (gate == Status.OK) {
            ByteBuffer content = fields(expected);
            switch (bytes) {
                case 8 -> content.putLong(offset, value);
                case 4 -> content.putInt(offset, (int) value);
                case 2 -> content.putShort(offset, (short) value);
                default -> content.put(offset, (byte) value);
            }
        }
        model.compare(cid);
    }

    private static void fieldCas(StoreModel model) {
        long cid = model.cid();
        Expected expected = model.live.get(cid);
        boolean isLong = model.random.nextBoolean();
        int bytes = isLong ? Long.BYTES : Integer.BYTES;
        int offset = fieldOffset(model, expected, bytes);
        int gate = model.gate(cid);
        if (gate == Status.OK && outside(expected, offset, bytes)) {
            return;
        }
        boolean right = gate == Status.OK && model.random.nextInt(3) > 0;
        ByteBuffer content = expected == null ? ByteBuffer.allocate(8) : fields(expected);
        long value = model.random.nextLong();
        if (isLong) {
            long before = gate == Status.OK ? content.getLong(offset) : 0;
            StoreModel.same(gate == Status.OK ? right ? 1 : 0 : gate,
                model.store.fields().compareAndSetLong(cid, offset, right ? before : before + 1, value));
            if (right) {
                content.putLong(offset, value);
            }
        } else {
            int before = gate == Status.OK ? content.getInt(offset) : 0;
            StoreModel.same(gate == Status.OK ? right ? 1 : 0 : gate,
                model.store.fields().compareAndSetInt(cid, offset, right ? before : before + 1, (int) value));
            if (right) {
                content.putInt(offset, (int) value);
            }
        }
        model.compare(cid);
    }

    private static void fieldAdd(StoreModel model) {
        long cid = model.cid();
        Expected expected = model.live.get(cid);
        int offset = fieldOffset(model, expected, Long.BYTES);
        Fields fields = model.store.fields();
        if (expected == null) {
            assertThrows(NoSuchElementException.class, () -> fields.getAndAddLong(cid, offset, 1));
        } else if (expected.readOnly) {
            assertThrows(StoreException.class, () -> fields.getAndAddInt(cid, offset, 1));
        } else if (outside(expected, offset, Long.BYTES)) {
            assertThrows(IndexOutOfBoundsException.class, () -> fields.getAndAddLong(cid, offset, 1));
        } else {
            ByteBuffer content = fields(expected);
            long before = content.getLong(offset);
            long delta = model.random.nextLong();
            assertEquals(before, fields.getAndAddLong(cid, offset, delta));
            assertEquals((int) (before + delta), fields.getAndAddInt(cid, offset, 77));
            content.putLong(offset, before + delta).putInt(offset, (int) (before + delta) + 77);
        }
        model.compare(cid);
    }

    // ---- views and pins ----

    private static void view(StoreModel model) {
        long cid = model.cid();
        Expected expected = model.live.get(cid);
        byte[] seen = new byte[expected == null ? 0 : expected.content.length];
        ReadScope scope = view -> view.copyTo(0, seen, 0, seen.length);
        long length = model.random.nextBoolean() ? model.store.views().read(cid, scope)
            : model.store.views().peek(cid, scope);
        StoreModel.same(expected == null ? Status.ABSENT : seen.length, length);
        if (expected != null) {
            assertArrayEquals(expected.content, seen);
        }
    }

    private static void edit(StoreModel model) {
        long cid = model.cid();
        Expected expected = model.live.get(cid);
        byte[] content = model.content(expected == null ? 0 : expected.content.length);
        long length = model.store.views().edit(cid, editor -> editor.copyFrom(content, 0, 0, content.length));
        int gate = model.gate(cid);
        StoreModel.same(gate == Status.OK ? content.length : gate, length);
        if (gate == Status.OK) {
            expected.content = content;
        }
        model.compare(cid);
    }

    private static void pin(StoreModel model) {
        long cid = model.cid();
        Expected expected = model.live.get(cid);
        if (expected == null) {
            assertThrows(NoSuchElementException.class, () -> model.store.pins().pin(cid));
            return;
        }
        Pin pin = model.store.pins().pin(cid);
        assertEquals(expected.content.length, pin.segment().byteSize());
        assertEquals(-1, MemorySegment.ofArray(expected.content).mismatch(pin.segment()));
        if (!expected.readOnly) {
            byte[] content = model.content(expected.content.length);
            pin.segment().copyFrom(MemorySegment.ofArray(content));
            expected.content = content;
        }
        expected.pins.add(pin);
    }

    private static void unpin(StoreModel model) {
        long cid = model.cid();
        Expected expected = model.live.get(cid);
        if (expected == null || expected.pins.isEmpty()) {
            StoreModel.same(Status.NOT_HELD, model.store.pins().unpin(cid));
            return;
        }
        Pin pin = expected.pins.removeLast();
        if (model.random.nextBoolean()) {
            pin.close();
            pin.close();
            assertThrows(IllegalStateException.class, pin::segment);
        } else {
            assertEquals(-1, MemorySegment.ofArray(expected.content).mismatch(pin.segment()));
            StoreModel.same(Status.OK, model.store.pins().unpin(cid));
        }
        model.compare(cid);
    }
}
