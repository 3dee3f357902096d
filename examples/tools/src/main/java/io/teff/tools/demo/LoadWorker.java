package io.teff.tools.demo;

import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.error.Status;
import io.teff.tools.console.Figures;
import io.teff.tools.load.ChunkContent;
import io.teff.tools.load.LoadFailure;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * One thread of the load: creates its share of the chunks, and reads, changes and removes existing chunks in between.
 *
 * <p>Only its worker changes a chunk, so a worker knows the version of each of its chunks and verifies its own reads
 * byte by byte. It also reads chunks of other workers at any time; for these it verifies that number, version, length
 * and pattern agree, whatever version it read.
 *
 * <p><b>Why a read may find no chunk.</b> A worker clears the slot of a chunk, then removes the chunk, then creates
 * another one and fills the slot. A reader that finds a CID absent reads the slot again: if the slot still has that
 * CID, the removal had not begun, and the chunk was lost. The worker clears the slot with release order before the
 * removal, and the reader reads it with acquire order after its get, so the conclusion is safe.
 */
final class LoadWorker {
    /** Percentage of gets. */
    static final int GET_PERCENT = 50;
    /** Percentage of puts. */
    static final int PUT_PERCENT = 25;
    /** Percentage of removals, each followed by a create that replaces the chunk. */
    static final int REMOVE_PERCENT = 5;
    /** Percentage of creates of additional chunks. */
    static final int CREATE_PERCENT = 100 - GET_PERCENT - PUT_PERCENT - REMOVE_PERCENT;

    /** Maximum number of chunks per batch of the sweep. */
    static final int SWEEP_CHUNKS = 256;
    private static final int SWEEP_BYTES = 1 << 20;
    /** The lowest bits of a chunk's number are its slot, the bits above are the index of the worker. */
    private static final int SLOT_BITS = 32;

    // One random long: the highest 24 bits choose the operation, the next 8 the worker, the lowest 32 the slot.
    private static final int DICE_SHIFT = 40;
    private static final int DICE_BITS = 24;
    private static final int PEER_SHIFT = 32;
    private static final int PEER_MASK = 0xFF;
    private static final long SLOT_MASK = (1L << SLOT_BITS) - 1;

    private final Store store;
    private final LoadPlan plan;
    private final ChunkContent content;
    private final LoadWorker[] peers;
    private final int index;
    private final int quota;
    private final AtomicBoolean stopped;
    private final SplittableRandom random;
    private final AtomicLongArray cids;
    private final byte[] versions;
    private final byte[] buffer;
    /** Number of slots in use, which are the first ones; written by this worker only. */
    private final AtomicLong created = new AtomicLong();
    private final AtomicLong swept = new AtomicLong();
    private long payloadBytes;

    /** Meters of this worker's operations; read after it has ended. */
    final OperationMeter creates = new OperationMeter();
    final OperationMeter gets = new OperationMeter();
    final OperationMeter puts = new OperationMeter();
    final OperationMeter removes = new OperationMeter();

    LoadWorker(Store store, LoadPlan plan, int index, LoadWorker[] peers, AtomicBoolean stopped) {
        this.store = store;
        this.plan = plan;
        this.content = new ChunkContent(plan.seed(), plan.minSize(), plan.maxSize());
        this.peers = peers;
        this.index = index;
        this.quota = plan.quota(index);
        this.stopped = stopped;
        this.random = new SplittableRandom(plan.seed() + index);
        this.cids = new AtomicLongArray(quota);
        this.versions = new byte[quota];
        this.buffer = new byte[plan.maxSize()];
    }

    /** Returns the number of chunks created so far. Thread-safe. */
    long created() {
        return created.getAcquire();
    }

    /** Returns the number of chunks that the sweep has read so far. Thread-safe. */
    long swept() {
        return swept.getAcquire();
    }

    /** Returns the sum of the lengths of this worker's chunks. Called after the worker has ended. */
    long payloadBytes() {
        return payloadBytes;
    }

    /** Runs the load; returns when this worker's chunks exist, or another worker has failed. */
    void load() {
        stoppingOthersOnFailure(() -> {
            for (int count = 0; count < quota && !stopped.getAcquire(); count = (int) created.getPlain()) {
                step(count);
            }
        });
    }

    /** Reads and verifies every chunk of this worker, in order of creation and in batches. */
    void sweep() {
        stoppingOthersOnFailure(() -> {
            int group = Math.clamp(SWEEP_BYTES / plan.maxSize(), 1, SWEEP_CHUNKS);
            long[] groupCids = new long[group];
            int[] lengths = new int[group];
            byte[] contents = new byte[group * plan.maxSize()];
            for (int slot = 0; slot < quota && !stopped.getAcquire(); slot += group) {
                sweepGroup(slot, Math.min(group, quota - slot), groupCids, lengths, contents);
                swept.setRelease(Math.min(slot + (long) group, quota));
            }
        });
    }

    private void stoppingOthersOnFailure(Runnable work) {
        boolean good = false;
        try {
            work.run();
            good = true;
        } finally {
            if (!good) {
                stopped.set(true);
            }
        }
    }

    // ---- one step ----

    private void step(int count) {
        long draw = random.nextLong();
        int dice = (int) ((draw >>> DICE_SHIFT) * 100 >>> DICE_BITS);
        if (count == 0 || dice < CREATE_PERCENT) {
            createNext(count);
        } else if (dice < CREATE_PERCENT + GET_PERCENT) {
            getAny(draw);
        } else if (dice < CREATE_PERCENT + GET_PERCENT + PUT_PERCENT) {
            put(slot(draw, count));
        } else {
            replace(slot(draw, count));
        }
    }

    private static int slot(long draw, long count) {
        return (int) ((draw & SLOT_MASK) * count >>> SLOT_BITS);
    }

    private long number(int slot) {
        return (long) index << SLOT_BITS | slot;
    }

    private void createNext(int slot) {
        cids.setRelease(slot, create(slot, 0));
        created.setRelease(slot + 1L);
    }

    private long create(int slot, int version) {
        int length = content.fill(number(slot), version, buffer);
        long begun = creates.begin();
        long cid = store.create(buffer, 0, length);
        creates.end(begun);
        if (Status.isStatus(cid)) {
            throw refused("create", slot, Cid.NONE, cid);
        }
        versions[slot] = (byte) version;
        payloadBytes += length;
        return cid;
    }

    private void getAny(long draw) {
        LoadWorker peer = peers[(int) (draw >>> PEER_SHIFT & PEER_MASK) % peers.length];
        long count = peer.created();
        if (count == 0) {
            return;
        }
        int slot = slot(draw, count);
        long cid = peer.cids.getAcquire(slot);
        if (cid == Cid.NONE) {
            return;
        }
        long begun = gets.begin();
        int length = store.get(cid, buffer);
        gets.end(begun);
        if (length == Status.ABSENT && peer.cids.getAcquire(slot) != cid) {
            return;
        }
        int version = peer == this ? version(slot) : ChunkContent.version(buffer, 0);
        if (length < 0) {
            throw refused("get", slot, cid, length);
        }
        if (!content.matches(peer.number(slot), version, buffer, 0, length)) {
            throw wrong("get", peer.number(slot), version, cid, 0, length, buffer);
        }
    }

    private void put(int slot) {
        long cid = cids.getPlain(slot);
        int version = version(slot) + 1 & ChunkContent.VERSION_MASK;
        int before = content.length(number(slot), version(slot));
        int length = content.fill(number(slot), version, buffer);
        long begun = puts.begin();
        int status = store.put(cid, buffer, 0, length);
        puts.end(begun);
        if (status != Status.OK) {
            throw refused("put", slot, cid, status);
        }
        versions[slot] = (byte) version;
        payloadBytes += length - before;
    }

    private void replace(int slot) {
        long cid = cids.getPlain(slot);
        int version = version(slot);
        cids.setRelease(slot, Cid.NONE);
        long begun = removes.begin();
        long length = store.remove(cid);
        removes.end(begun);
        if (length != content.length(number(slot), version)) {
            throw refused("remove", slot, cid, length);
        }
        payloadBytes -= length;
        cids.setRelease(slot, create(slot, version + 1 & ChunkContent.VERSION_MASK));
    }

    private int version(int slot) {
        return versions[slot] & ChunkContent.VERSION_MASK;
    }

    // ---- sweep ----

    private void sweepGroup(int first, int count, long[] groupCids, int[] lengths, byte[] contents) {
        for (int i = 0; i < count; i++) {
            groupCids[i] = cids.getPlain(first + i);
        }
        store.batch().get(groupCids, 0, count, contents, 0, lengths);
        int from = 0;
        for (int i = 0; i < count; i++) {
            int slot = first + i;
            if (lengths[i] < 0) {
                throw refused("batch get", slot, groupCids[i], lengths[i]);
            }
            if (!content.matches(number(slot), version(slot), contents, from, lengths[i])) {
                throw wrong("batch get", number(slot), version(slot), groupCids[i], from, lengths[i], contents);
            }
            from += lengths[i];
        }
    }

    // ---- failing ----

    private LoadFailure refused(String operation, int slot, long cid, long result) {
        if (result == Status.FULL) {
            String limit = Figures.bytes(store.config().memoryLimitBytes());
            return new LoadFailure("the memory limit of " + limit + " is reached after "
                + Figures.count(store.stats().chunks()) + " chunks; give more with --memory, or lower --count");
        }
        return new LoadFailure(operation + " of chunk " + Cid.toString(cid) + " (slot " + slot + "): "
            + (result < 0 ? Status.name(result) : result + " bytes") + reproduction());
    }

    private LoadFailure wrong(String operation, long number, int version, long cid, int from, int length,
                              byte[] contents) {
        return new LoadFailure(operation + " of chunk " + Cid.toString(cid) + " (number " + number + ", version "
            + version + "): " + content.difference(number, version, contents, from, length) + reproduction());
    }

    private String reproduction() {
        return "; reproduce: --seed=" + plan.seed() + " --count=" + plan.count() + " --threads=" + plan.threads()
            + " --min-size=" + plan.minSize() + " --max-size=" + plan.maxSize();
    }
}
