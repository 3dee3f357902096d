package io.teff.test.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.ChunkLock;
import io.teff.engine.config.LockStep;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The contract of locks on chunks, beside that of operations on chunks. */
public abstract class LockContract extends ChunkContract {
    /** For subclasses. */
    protected LockContract() {}

    @Test
    final void remove_makesTheCidAbsentForLocks() {
        long cid = store.create(ABC);
        assertEquals(3, store.remove(cid));
        assertEquals(Status.ABSENT, store.locks().lockRead(cid, 0));
        assertEquals(Status.ABSENT, store.locks().lockWrite(cid, 0));
        assertEquals(Status.ABSENT, store.locks().unlock(cid));
        assertEquals(Status.ABSENT, store.locks().remove(cid, 0));
        assertEquals(Status.ABSENT, store.locks().get(cid, new byte[8], 0, LockStep.NONE, LockStep.NONE, 0));
        assertEquals(Status.ABSENT, store.locks().put(cid, ABC, 0, 3, LockStep.NONE, LockStep.NONE, 0));
    }

    @Test
    final void seal_refusesTheWriteLock() {
        long sealed = store.create(new byte[8]);
        assertEquals(Status.OK, store.seal(sealed));
        for (long cid : new long[] {sealed, store.createReadOnly(new byte[8])}) {
            assertEquals(Status.READ_ONLY, store.locks().lockWrite(cid, 0));
        }
    }

    @Test
    final void locks_writeLock_keepsOthersOut() throws Exception {
        long cid = store.create(new byte[8]);
        assertEquals(Status.OK, store.locks().lockWrite(cid, 0));
        assertTrue(store.locks().isWriteHeld(cid));
        assertFalse(store.locks().isReadHeld(cid));
        assertEquals(Status.LOCKED, elsewhere(() -> store.locks().lockRead(cid, 0)));
        assertEquals(Status.LOCKED, elsewhere(() -> store.locks().lockWrite(cid, 0)));
        assertEquals(Status.LOCKED, elsewhere(() -> store.get(cid, new byte[8])));
        assertEquals(Status.LOCKED, elsewhere(() -> store.put(cid, ABC)));
        assertEquals(Status.LOCKED, elsewhere(() -> store.putBytes(cid, 0, ABC, 0, 1)));
        assertEquals(Status.LOCKED, elsewhere(() -> store.getBytes(cid, 0, new byte[8], 0, 1)));
        assertEquals(Status.LOCKED, elsewhere(() -> store.resize(cid, 1)));
        assertEquals(Status.LOCKED, elsewhere(() -> store.remove(cid)));
        assertEquals(Status.LOCKED, elsewhere(() -> store.locks().remove(cid, 0)));
        assertEquals(Status.LOCKED, elsewhere(() -> store.seal(cid)));
        assertEquals(Status.LOCKED, elsewhere(() -> store.fields().putLong(cid, 0, 1)));
        assertEquals(Status.NOT_HELD, elsewhere(() -> store.locks().unlock(cid)));
        assertEquals(StoreException.Category.RETRY, elsewhere(() -> assertThrows(StoreException.class,
            () -> store.chunks().get(cid)).category()));
        assertEquals(8, elsewhere(() -> store.size(cid)));
        assertEquals(Status.OK, store.put(cid, ABC));
        assertEquals(Status.OK, store.locks().unlock(cid));
        assertEquals(3, elsewhere(() -> store.get(cid, new byte[8])));
    }

    @Test
    final void locks_deadline_isKept() throws Exception {
        long cid = store.create(ABC);
        assertEquals(Status.OK, store.locks().lockWrite(cid, 0));
        long took = elsewhere(() -> {
            long start = System.nanoTime();
            assertEquals(Status.LOCKED, store.locks().lockRead(cid, SHORT_NS));
            return System.nanoTime() - start;
        });
        assertTrue(took >= SHORT_NS, () -> "waited " + took + " ns");
        Future<Integer> waiting = other.submit(() -> store.locks().lockWrite(cid, Long.MAX_VALUE));
        assertEquals(Status.OK, store.locks().unlock(cid));
        assertEquals(Status.OK, waiting.get(PATIENCE_S, TimeUnit.SECONDS));
        assertEquals(Status.OK, elsewhere(() -> store.locks().unlock(cid)));
    }

    @Test
    final void locks_readLocks_areShared_andSwapped() throws Exception {
        long cid = store.create(ABC);
        assertEquals(Status.OK, store.locks().lockRead(cid, 0));
        assertTrue(store.locks().isReadHeld(cid));
        assertEquals(Status.OK, elsewhere(() -> store.locks().lockRead(cid, 0)));
        assertEquals(Status.LOCKED, store.locks().swapToWrite(cid, 0));
        assertEquals(Status.LOCKED, elsewhere(() -> store.locks().swapToWrite(cid, 0)));
        assertEquals(Status.OK, elsewhere(() -> store.locks().unlock(cid)));
        assertEquals(Status.NOT_HELD, elsewhere(() -> store.locks().swapToWrite(cid, 0)));
        assertEquals(Status.OK, store.locks().swapToWrite(cid, 0));
        assertTrue(store.locks().isWriteHeld(cid));
        assertEquals(Status.OK, store.locks().swapToRead(cid));
        assertEquals(Status.NOT_HELD, store.locks().swapToRead(cid));
        assertEquals(Status.OK, store.locks().unlock(cid));
        assertEquals(Status.NOT_HELD, store.locks().unlock(cid));
    }

    @Test
    final void locks_hold_isForABlock() throws Exception {
        long cid = store.create(ABC);
        try (ChunkLock lock = store.locks().hold(cid, true, 0).orElseThrow()) {
            assertEquals(cid, lock.cid());
            assertTrue(elsewhere(() -> store.locks().hold(cid, false, 0).isEmpty()));
            assertTrue(elsewhere(() -> assertThrows(IllegalStateException.class, lock::close)) != null);
        }
        assertFalse(store.locks().isWriteHeld(cid));
        store.remove(cid);
        assertThrows(NoSuchElementException.class, () -> store.locks().hold(cid, true, 0));
    }

    @Test
    final void locks_steps_areOneWithTheOperation() throws Exception {
        byte[] target = new byte[8];
        long cid = store.locks().create(OTHER, 1, 3, true);
        assertTrue(store.locks().isWriteHeld(cid));
        assertEquals(3, store.locks().get(cid, target, 0, LockStep.NONE, LockStep.SWAP_TO_READ, 0));
        assertTrue(store.locks().isReadHeld(cid));
        assertEquals(Status.OK, store.locks().put(cid, ABC, 0, 3, LockStep.SWAP_TO_WRITE, LockStep.UNLOCK, 0));
        assertFalse(store.locks().isWriteHeld(cid));
        assertEquals(Status.NOT_HELD, store.locks().get(cid, target, 0, LockStep.NONE, LockStep.UNLOCK, 0));
        assertEquals(Status.OUT_OF_RANGE, store.locks().put(cid, ABC, 0, 2, LockStep.LOCK_WRITE, LockStep.UNLOCK, 0));
        assertTrue(store.locks().isWriteHeld(cid));
        assertEquals(Status.LOCKED, elsewhere(() -> store.locks().put(cid, ABC, 0, 3, LockStep.LOCK_WRITE,
            LockStep.UNLOCK, 0)));
        assertEquals(Status.OK, store.locks().unlock(cid));
        assertEquals(3, store.locks().get(cid, target, 0, LockStep.LOCK_READ, LockStep.UNLOCK, 0));
        assertArrayEquals(ABC, Arrays.copyOf(target, 3));
        long read = store.locks().create(ABC, 0, 3, false);
        assertTrue(store.locks().isReadHeld(read));
        assertEquals(Status.OK, store.locks().unlock(read));
        assertEquals(3, store.locks().remove(read, 0));
    }
}
