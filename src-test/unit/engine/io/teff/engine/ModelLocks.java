package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.StoreModel.Expected;
import io.teff.engine.config.LockStep;
import io.teff.engine.error.Status;
import java.util.Arrays;
import java.util.function.LongSupplier;

/** The locks of the store model, of one thread. */
final class ModelLocks {
    private static final int REFUSED_BY_THROW = 1;

    private ModelLocks() {}

    /**
     * Returns the expected result of a lock step before an operation: OK, a status, or 1 if the thread would wait for
     * itself.
     */
    private static int before(StoreModel model, long cid, LockStep step, boolean write) {
        Expected expected = model.live.get(cid);
        if (expected == null) {
            return Status.ABSENT;
        }
        return switch (step) {
            case LOCK_READ -> expected.writeHeld ? REFUSED_BY_THROW : Status.OK;
            case LOCK_WRITE -> expected.readOnly ? Status.READ_ONLY : expected.held() ? REFUSED_BY_THROW : Status.OK;
            case SWAP_TO_WRITE -> expected.readOnly ? Status.READ_ONLY
                : expected.writeHeld || expected.readHolds == 0 ? Status.NOT_HELD : Status.OK;
            default -> write && expected.readOnly ? Status.READ_ONLY : Status.OK;
        };
    }

    private static void took(Expected expected, LockStep step) {
        switch (step) {
            case LOCK_READ -> expected.readHolds++;
            case LOCK_WRITE -> expected.writeHeld = true;
            case SWAP_TO_WRITE -> {
                expected.readHolds--;
                expected.writeHeld = true;
            }
            default -> { }
        }
    }

    private static boolean isPossible(Expected expected, LockStep after) {
        return after == LockStep.NONE || expected.writeHeld || after == LockStep.UNLOCK && expected.held();
    }

    private static int after(Expected expected, LockStep step) {
        if (step == LockStep.UNLOCK && expected.held()) {
            expected.readHolds -= expected.writeHeld ? 0 : 1;
            expected.writeHeld = false;
            return Status.OK;
        }
        if (step == LockStep.SWAP_TO_READ && expected.writeHeld) {
            expected.writeHeld = false;
            expected.readHolds++;
            return Status.OK;
        }
        return step == LockStep.NONE ? Status.OK : Status.NOT_HELD;
    }

    /** Returns true if the call got the expected result of the lock step before it, and the operation continues. */
    private static boolean passed(int before, LongSupplier call, long[] result) {
        if (before == REFUSED_BY_THROW) {
            assertThrows(IllegalStateException.class, call::getAsLong);
            return false;
        }
        result[0] = call.getAsLong();
        if (before != Status.OK) {
            StoreModel.same(before, result[0]);
        }
        return before == Status.OK;
    }

    private static void held(StoreModel model, long cid) {
        Expected expected = model.live.get(cid);
        assertEquals(expected != null && expected.writeHeld, model.store.locks().isWriteHeld(cid));
        assertEquals(expected != null && !expected.writeHeld && expected.readHolds > 0,
            model.store.locks().isReadHeld(cid));
        model.compare(cid);
    }

    static void lock(StoreModel model) {
        long cid = model.cid();
        LockStep step = model.random.nextBoolean() ? LockStep.LOCK_READ : LockStep.LOCK_WRITE;
        Locks locks = model.store.locks();
        long[] result = new long[1];
        if (passed(before(model, cid, step, false),
            () -> step == LockStep.LOCK_READ ? locks.lockRead(cid, 0) : locks.lockWrite(cid, 0), result)) {
            StoreModel.same(Status.OK, result[0]);
            took(model.live.get(cid), step);
        }
        held(model, cid);
    }

    static void unlock(StoreModel model) {
        long cid = model.cid();
        Expected expected = model.live.get(cid);
        StoreModel.same(expected == null ? Status.ABSENT : after(expected, LockStep.UNLOCK),
            model.store.locks().unlock(cid));
        held(model, cid);
    }

    static void swap(StoreModel model) {
        long cid = model.cid();
        Expected expected = model.live.get(cid);
        if (model.random.nextBoolean()) {
            StoreModel.same(expected == null ? Status.NOT_HELD : after(expected, LockStep.SWAP_TO_READ),
                model.store.locks().swapToRead(cid));
        } else {
            int before = before(model, cid, LockStep.SWAP_TO_WRITE, true);
            StoreModel.same(before, model.store.locks().swapToWrite(cid, 0));
            if (before == Status.OK) {
                took(expected, LockStep.SWAP_TO_WRITE);
            }
        }
        held(model, cid);
    }

    private static LockStep draw(StoreModel model, LockStep... steps) {
        return steps[model.random.nextInt(steps.length)];
    }

    static void get(StoreModel model) {
        long cid = model.cid();
        Expected expected = model.live.get(cid);
        LockStep before = draw(model, LockStep.NONE, LockStep.LOCK_READ, LockStep.LOCK_WRITE, LockStep.SWAP_TO_WRITE);
        LockStep after = before == LockStep.LOCK_READ ? draw(model, LockStep.NONE, LockStep.UNLOCK)
            : draw(model, LockStep.NONE, LockStep.UNLOCK, LockStep.SWAP_TO_READ);
        byte[] target = new byte[expected == null ? 1 : Math.max(expected.content.length - model.random.nextInt(2), 0)];
        long[] result = new long[1];
        if (passed(before(model, cid, before, false),
            () -> model.store.locks().get(cid, target, 0, before, after, 0), result)) {
            took(expected, before);
            if (!isPossible(expected, after)) {
                StoreModel.same(Status.NOT_HELD, result[0]);
            } else if (target.length < expected.content.length) {
                StoreModel.same(Status.TOO_SMALL, result[0]);
            } else {
                StoreModel.same(Status.OK, after(expected, after));
                StoreModel.same(target.length, result[0]);
                assertArrayEquals(expected.content, target);
            }
        }
        held(model, cid);
    }

    static void put(StoreModel model) {
        long cid = model.cid();
        Expected expected = model.live.get(cid);
        LockStep before = draw(model, LockStep.NONE, LockStep.LOCK_WRITE, LockStep.SWAP_TO_WRITE);
        LockStep after = draw(model, LockStep.NONE, LockStep.UNLOCK, LockStep.SWAP_TO_READ);
        int length = (expected == null ? 0 : expected.content.length) + (model.random.nextInt(4) == 0 ? 1 : 0);
        byte[] source = model.content(length);
        long[] result = new long[1];
        if (passed(before(model, cid, before, true),
            () -> model.store.locks().put(cid, source, 0, length, before, after, 0), result)) {
            took(expected, before);
            if (!isPossible(expected, after)) {
                StoreModel.same(Status.NOT_HELD, result[0]);
            } else if (length == expected.content.length) {
                expected.content = source;
                StoreModel.same(after(expected, after), result[0]);
            } else {
                StoreModel.same(Status.OUT_OF_RANGE, result[0]);
            }
        }
        held(model, cid);
    }

    static void create(StoreModel model) {
        if (model.crowded()) {
            remove(model);
            return;
        }
        byte[] content = model.content(model.length());
        boolean write = model.random.nextBoolean();
        long cid = model.store.locks().create(Arrays.copyOf(content, content.length + 1), 0, content.length, write);
        model.created(cid, content, false);
        if (!Status.isStatus(cid)) {
            took(model.live.get(cid), write ? LockStep.LOCK_WRITE : LockStep.LOCK_READ);
            held(model, cid);
        }
    }

    static void remove(StoreModel model) {
        long cid = model.cid();
        model.remove(cid, model.store.locks().remove(cid, 0));
        if (!model.live.containsKey(cid)) {
            assertFalse(model.store.locks().isWriteHeld(cid));
            assertTrue(model.store.locks().list().stream().noneMatch(info -> info.cid() == cid));
        }
    }
}
