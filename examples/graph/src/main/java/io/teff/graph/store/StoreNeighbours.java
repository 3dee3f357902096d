package io.teff.graph.store;

import io.teff.engine.Chunks;
import io.teff.engine.Store;
import io.teff.engine.error.Status;
import io.teff.graph.Neighbours;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.Objects;

/**
 * A cursor over the runs of a graph in a store. Opening a run copies the chunk, so that a run is as of one moment
 * whatever other threads change.
 */
final class StoreNeighbours implements Neighbours {
    /** A chunk up to this length is copied without a look at its length; the buffer has room for a copy ahead. */
    private static final int FIRST_BUFFER_BYTES = 4096;

    private final Store store;
    private final long first;
    private final int vertexCount;
    private final boolean isPacked;
    private final boolean isWeighted;
    private byte[] bytes = new byte[FIRST_BUFFER_BYTES];
    /** The same bytes as numbers. */
    private IntBuffer ints = ints(bytes);
    /** Place of the next target. */
    private int at;
    /** The target before, of the packed form. */
    private int before;
    /** Place of the weight of the target before. */
    private int weightAt;

    StoreNeighbours(StoreGraph graph, long first) {
        this.store = graph.store();
        this.first = first;
        this.vertexCount = graph.vertexCount();
        this.isPacked = graph.form() == RunForm.PACKED;
        this.isWeighted = graph.weighted();
    }

    @Override
    public int open(int vertex) {
        Objects.checkIndex(vertex, vertexCount);
        int size = store.get(first + vertex, bytes);
        if (size < 0) {
            size = openSlow(first + vertex, size);
        }
        at = 0;
        if (!isPacked && !isWeighted) {
            return size / RunBytes.TARGET_BYTES;
        }
        return openOther(size);
    }

    private int openOther(int size) {
        before = 0;
        if (size == 0) {
            return 0;
        }
        if (!isPacked) {
            int length = size / (RunBytes.TARGET_BYTES + RunBytes.WEIGHT_BYTES);
            weightAt = length * RunBytes.TARGET_BYTES - RunBytes.WEIGHT_BYTES;
            return length;
        }
        int length = var();
        weightAt = at - RunBytes.WEIGHT_BYTES;
        at += isWeighted ? length * RunBytes.WEIGHT_BYTES : 0;
        return length;
    }

    private int openSlow(long cid, int status) {
        int size = status;
        while (size == Status.TOO_SMALL) {
            bytes = new byte[(int) Math.max(Chunks.check(cid, store.size(cid)), bytes.length)];
            ints = ints(bytes);
            size = store.get(cid, bytes);
        }
        return (int) Chunks.check(cid, size);
    }

    private static IntBuffer ints(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
    }

    @Override
    public int next() {
        if (isPacked) {
            weightAt += RunBytes.WEIGHT_BYTES;
            before += var();
            return before;
        }
        final int place = at;
        at = place + RunBytes.TARGET_BYTES;
        weightAt += RunBytes.WEIGHT_BYTES;
        return RunBytes.getInt(bytes, place);
    }

    private int var() {
        int value = bytes[at++];
        if (value >= 0) {
            return value;
        }
        value &= RunBytes.VAR_MORE - 1;
        for (int shift = RunBytes.VAR_BITS;; shift += RunBytes.VAR_BITS) {
            int part = bytes[at++];
            value |= (part & RunBytes.VAR_MORE - 1) << shift;
            if (part >= 0) {
                return value;
            }
        }
    }

    @Override
    public void next(int[] target, int from, int count) {
        if (isPacked) {
            at = RunBytes.unpack(bytes, at, before, target, from, count);
            before = count == 0 ? before : target[from + count - 1];
        } else {
            ints.get(at / RunBytes.TARGET_BYTES, target, from, count);
            at += count * RunBytes.TARGET_BYTES;
        }
        weightAt += count * RunBytes.WEIGHT_BYTES;
    }

    @Override
    public double weight() {
        return isWeighted ? RunBytes.getDouble(bytes, weightAt) : 1;
    }
}
