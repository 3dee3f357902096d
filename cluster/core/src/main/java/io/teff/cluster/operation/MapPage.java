package io.teff.cluster.operation;

import static io.teff.cluster.operation.OperationFormat.HEAD_BYTES;

import io.teff.engine.raw.RawVisitor;
import java.util.Arrays;

/**
 * A page of the entries of a map, which a scan fills behind the head of an answer. For one thread.
 * <pre>
 *  entry: length of the key 4 | length of the value 4 | key | value
 * </pre>
 */
final class MapPage implements RawVisitor {
    private static final int ENTRY_HEAD_BYTES = 8;
    private static final int CHUNKS_FIRST = 16;

    private final Scratch scratch;
    private final int start;
    private final boolean isOfKeys;
    private final int bytesWished;
    private final int bytesMax;
    private int bytes;
    private long[] chunks = new long[CHUNKS_FIRST];
    private int chunkCount;
    private boolean isFull;

    /**
     * Begins an empty page.
     *
     * @param bytesWished where a page with an entry ends
     * @param bytesMax where each page ends
     */
    MapPage(Scratch scratch, int bytesWished, int bytesMax) {
        this(scratch, HEAD_BYTES, bytesWished, bytesMax, false);
    }

    /**
     * Begins an empty page of a batch.
     *
     * @param start first byte of the page in the memory of the answer
     * @param bytesWished where a page with an entry ends
     * @param bytesMax where each page ends
     * @param isOfKeys whether the values are left out
     */
    MapPage(Scratch scratch, int start, int bytesWished, int bytesMax, boolean isOfKeys) {
        this.scratch = scratch;
        this.start = start;
        this.isOfKeys = isOfKeys;
        this.bytesWished = bytesWished;
        this.bytesMax = bytesMax;
    }

    /** Takes an entry of two arrays; see {@link #entry(byte[], int, int, int, int)}. */
    boolean entry(byte[] key, byte[] value) {
        return entry(key, 0, key.length, value, 0, value.length);
    }

    @Override
    public boolean entry(byte[] source, int keyFrom, int keyLength, int valueFrom, int valueBytes) {
        return entry(source, keyFrom, keyLength, source, valueFrom, isOfKeys ? 0 : valueBytes);
    }

    private boolean entry(byte[] source, int keyFrom, int keyLength, byte[] values, int valueFrom, int valueLength) {
        final long end = (long) bytes + ENTRY_HEAD_BYTES + keyLength + valueLength;
        if (end > bytesMax || bytes > 0 && end > bytesWished) {
            isFull = true;
            return false;
        }
        scratch.ensure(start + (int) end);
        final int at = start + bytes;
        scratch.memory().set(OperationFormat.INT, at, keyLength);
        scratch.memory().set(OperationFormat.INT, at + Integer.BYTES, valueLength);
        System.arraycopy(source, keyFrom, scratch.bytes(), at + ENTRY_HEAD_BYTES, keyLength);
        System.arraycopy(values, valueFrom, scratch.bytes(), at + ENTRY_HEAD_BYTES + keyLength, valueLength);
        bytes = (int) end;
        return true;
    }

    @Override
    public void read(long cid) {
        if (chunkCount == chunks.length) {
            chunks = Arrays.copyOf(chunks, 2 * chunkCount);
        }
        chunks[chunkCount++] = cid;
    }

    /** Returns whether the first entry has found no room. */
    boolean isEmpty() {
        return bytes == 0 && isFull;
    }

    int bytes() {
        return bytes;
    }

    /** Returns the chunks that were read. */
    long[] chunks() {
        return Arrays.copyOf(chunks, chunkCount);
    }
}
