package io.teff.tools.soak;

import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.error.Status;
import io.teff.tools.load.ChunkContent;
import io.teff.tools.load.LoadFailure;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Chunks of one owner, and their expected content: a slot is empty, or has a CID, a version, and a flag whether the
 * chunk was resized since its last version.
 * <pre>
 *  slot --> cid                      a reader of the slot sees a CID whose chunk has been created
 *       --> form: R | version (8)    used by the owner only        R: resized
 *  a chunk's number = the set's first number + slot
 * </pre>
 * Only the owner changes its chunks, so it knows the bytes of each. Other threads may {@link #glance} at any time; they
 * verify that number, version, length and pattern agree, whichever version they read.
 *
 * <p><b>Why a glance may find no chunk.</b> The owner clears the slot, then removes the chunk, then creates another one
 * and fills the slot. A reader that finds a CID absent reads the slot again: if the slot still has that CID, the
 * removal had not begun, and the chunk was lost. The owner clears the slot with release order before the removal, and
 * the reader reads it with acquire order after its get, so the conclusion is safe.
 *
 * <p>A wrong result of the store ends the run with a {@link LoadFailure} that names the operation and the chunk.
 */
final class OwnedChunks {
    private static final int RESIZED = ChunkContent.VERSION_MASK + 1;

    private final Store store;
    private final ChunkContent content;
    private final long firstNumber;
    private final AtomicLongArray cids;
    private final short[] forms;
    private final byte[] buffer;
    private int chunks;
    private long payloadBytes;

    /** Creates a set of empty slots; the chunk in a slot has the number {@code firstNumber} + slot. */
    OwnedChunks(Store store, ChunkContent content, long firstNumber, int slots) {
        this.store = store;
        this.content = content;
        this.firstNumber = firstNumber;
        this.cids = new AtomicLongArray(slots);
        this.forms = new short[slots];
        this.buffer = new byte[content.sizeMax()];
    }

    // ---- the expected state ----

    int slots() {
        return forms.length;
    }

    /** {@return the number of slots that have a chunk} */
    int chunks() {
        return chunks;
    }

    /** {@return the sum of the expected lengths} */
    long payloadBytes() {
        return payloadBytes;
    }

    boolean isEmpty(int slot) {
        return cids.getPlain(slot) == Cid.NONE;
    }

    /** Returns the CID of a slot, or {@link Cid#NONE} if it is empty. For the owner. */
    long cid(int slot) {
        return cids.getPlain(slot);
    }

    ChunkContent content() {
        return content;
    }

    /** Returns the expected length of the chunk of a slot. */
    int length(int slot) {
        return isResized(slot) ? content.resizedLength(number(slot), version(slot))
            : content.length(number(slot), version(slot));
    }

    private long number(int slot) {
        return firstNumber + slot;
    }

    private int version(int slot) {
        return forms[slot] & ChunkContent.VERSION_MASK;
    }

    private boolean isResized(int slot) {
        return (forms[slot] & RESIZED) != 0;
    }

    // ---- changes by the owner ----

    /** Writes the content of a slot's next version to a buffer; returns the length in bytes. */
    int fillNext(int slot, byte[] target, int from) {
        return content.fill(number(slot), version(slot) + 1 & ChunkContent.VERSION_MASK, target, from);
    }

    /** Records that a chunk with the slot's next version was created. */
    void created(int slot, long cid) {
        if (Status.isStatus(cid)) {
            throw refused("create", slot, Cid.NONE, cid);
        }
        forms[slot] = (short) (version(slot) + 1 & ChunkContent.VERSION_MASK);
        chunks++;
        payloadBytes += length(slot);
        cids.setRelease(slot, cid);
    }

    /** Records that the slot's next version was put. */
    void changed(int slot, long status) {
        check("put", slot, status, Status.OK);
        payloadBytes -= length(slot);
        forms[slot] = (short) (version(slot) + 1 & ChunkContent.VERSION_MASK);
        payloadBytes += length(slot);
    }

    /** Clears a slot whose chunk is removed next; returns the CID. */
    long clear(int slot) {
        long cid = cids.getPlain(slot);
        cids.setRelease(slot, Cid.NONE);
        return cid;
    }

    /** Records that the chunk of a slot was removed, and checks the result of the removal. */
    void removed(int slot, long cid, long result) {
        if (result != length(slot)) {
            throw refused("remove", slot, cid, result);
        }
        chunks--;
        payloadBytes -= result;
    }

    void create(int slot) {
        int length = fillNext(slot, buffer, 0);
        created(slot, store.create(buffer, 0, length));
    }

    /** Creates the chunk of a slot at a CID reserved before. */
    void createAtReserved(int slot) {
        int length = fillNext(slot, buffer, 0);
        long cid = store.ids().reserve();
        int status = Status.isStatus(cid) ? (int) cid : store.ids().createAt(cid, buffer, 0, length);
        created(slot, status == Status.OK ? cid : status);
    }

    void put(int slot) {
        int length = fillNext(slot, buffer, 0);
        changed(slot, store.put(cid(slot), buffer, 0, length));
    }

    /** Puts and reads the chunk of a slot while it is locked for writing. */
    void putLocked(int slot, long timeoutNs) {
        long cid = cid(slot);
        check("lock", slot, store.locks().lockWrite(cid, timeoutNs), Status.OK);
        put(slot);
        verify(slot);
        check("unlock", slot, store.locks().unlock(cid), Status.OK);
    }

    /** Returns the next length for a resize of a slot's chunk, or -1 if a put must precede it. */
    int nextResize(int slot) {
        int length = content.length(number(slot), version(slot));
        int resized = content.resizedLength(number(slot), version(slot));
        if (!isResized(slot)) {
            return resized;
        }
        return resized >= length ? length : -1;                 // bytes that were cut off are lost
    }

    /** Records that the chunk of a slot was resized to its {@link #nextResize}. */
    void resized(int slot, long status) {
        check("resize", slot, status, Status.OK);
        payloadBytes -= length(slot);
        forms[slot] ^= RESIZED;
        payloadBytes += length(slot);
    }

    void resize(int slot) {
        int length = nextResize(slot);
        if (length < 0) {
            put(slot);
        } else {
            resized(slot, store.resize(cid(slot), length));
        }
    }

    void remove(int slot) {
        long cid = clear(slot);
        removed(slot, cid, store.remove(cid));
    }

    void replace(int slot) {
        remove(slot);
        create(slot);
    }

    // ---- reading ----

    /** Gets a chunk and compares every byte. For the owner. */
    void verify(int slot) {
        compare("get", slot, buffer, 0, store.get(cid(slot), buffer));
    }

    /** Reads a chunk in place under a hold, and compares every byte. For the owner. */
    void verifyByView(int slot) {
        compare("view", slot, buffer, 0, store.views().read(cid(slot), chunk ->
            chunk.copyTo(0, buffer, 0, (int) chunk.length())));
    }

    /** Reads a chunk in place without a hold, and compares every byte. For the owner. */
    void verifyByPeek(int slot) {
        compare("peek", slot, buffer, 0, store.views().peek(cid(slot), chunk ->
            chunk.copyTo(0, buffer, 0, (int) Math.min(chunk.length(), buffer.length))));
    }

    /** Gets a chunk in two parts, and compares every byte. For the owner. */
    void verifyByParts(int slot) {
        long cid = cid(slot);
        int length = length(slot);
        int cut = length / 2;
        check("get of a part", slot, store.getBytes(cid, 0, buffer, 0, cut), Status.OK);
        check("get of a part", slot, store.getBytes(cid, cut, buffer, cut, length - cut), Status.OK);
        compare("get of parts", slot, buffer, 0, store.size(cid));
    }

    /** Compares bytes that were read with the expected content of the slot's chunk. */
    void compare(String operation, int slot, byte[] source, int from, long length) {
        if (length < 0) {
            throw refused(operation, slot, cid(slot), length);
        }
        boolean resized = isResized(slot);
        if (!matches(slot, version(slot), resized, source, from, (int) length)) {
            throw wrong(operation, slot, version(slot), resized, source, from, (int) length);
        }
    }

    private boolean matches(int slot, int version, boolean resized, byte[] source, int from, int length) {
        return resized ? content.matchesResized(number(slot), version, source, from, length)
            : content.matches(number(slot), version, source, from, length);
    }

    /** Gets and verifies a chunk of any version, on any thread; returns whether there was one. */
    boolean glance(int slot, byte[] target) {
        long cid = cids.getAcquire(slot);
        if (cid == Cid.NONE) {
            return false;
        }
        int length = store.get(cid, target);
        if (length == Status.ABSENT && cids.getAcquire(slot) != cid) {
            return false;
        }
        if (length < ChunkContent.BYTES_MIN) {
            throw refused("get by another thread", slot, cid, length);
        }
        int version = ChunkContent.version(target, 0);
        if (!matches(slot, version, false, target, 0, length) && !matches(slot, version, true, target, 0, length)) {
            throw wrong("get by another thread", slot, version, false, target, 0, length);
        }
        return true;
    }

    // ---- failing ----

    /** Throws unless an operation on a slot's chunk returned the expected result. */
    void check(String operation, int slot, long result, long right) {
        if (result != right) {
            throw refused(operation, slot, cid(slot), result);
        }
    }

    private LoadFailure refused(String operation, int slot, long cid, long result) {
        if (result == Status.FULL) {
            return new LoadFailure("the memory limit is reached; give more with --memory, or lower --chunks");
        }
        return new LoadFailure(operation + " of " + name(slot, cid) + ": "
            + (result < 0 ? Status.name(result) : String.valueOf(result)));
    }

    private LoadFailure wrong(String operation, int slot, int version, boolean resized, byte[] source, int from,
                              int length) {
        String difference = resized ? content.differenceResized(number(slot), version, source, from, length)
            : content.difference(number(slot), version, source, from, length);
        return new LoadFailure(operation + " of " + name(slot, cid(slot)) + ", version " + version
            + (resized ? ", resized" : "") + ": " + difference);
    }

    private String name(int slot, long cid) {
        return "chunk " + Cid.toString(cid) + " (number 0x" + Long.toHexString(number(slot)) + ")";
    }
}
