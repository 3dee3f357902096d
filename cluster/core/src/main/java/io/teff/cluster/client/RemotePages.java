package io.teff.cluster.client;

import io.teff.cluster.operation.OperationFormat;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A walk over the entries of several maps of bytes, by a page of each map at once. The place of the next page is a
 * number that each owner of the zone understands, so an owner keeps nothing of a walk. For one thread.
 */
final class RemotePages {
    private static final int ENTRY_HEAD_BYTES = 8;

    private final MapBatches batches;
    private final boolean hasValues;
    /** Called when pages have arrived, before an entry is shown. */
    private final Runnable arrived;
    /** The maps that have another page, and the places of these pages. */
    private long[] roots;
    private long[] places;
    private byte[][] pages = {};
    private int nextPage;
    private byte[] page = {};
    private MemorySegment memory = MemorySegment.ofArray(page);
    private int next;
    private int keyAt;
    private int keyLength;
    private int valueLength;

    RemotePages(MapBatches batches, long[] roots, boolean hasValues, Runnable arrived) {
        this.batches = batches;
        this.roots = roots;
        this.hasValues = hasValues;
        this.arrived = arrived;
        places = new long[roots.length];
    }

    /** Moves to the next entry; returns whether there is one. */
    boolean next() {
        while (next == page.length) {
            if (nextPage == pages.length && !readPages()) {
                return false;
            }
            page = pages[nextPage++];
            memory = MemorySegment.ofArray(page);
            next = Long.BYTES;
        }
        keyLength = memory.get(OperationFormat.INT, next);
        valueLength = memory.get(OperationFormat.INT, next + Integer.BYTES);
        keyAt = next + ENTRY_HEAD_BYTES;
        next = keyAt + keyLength + valueLength;
        return true;
    }

    private boolean readPages() {
        if (roots.length == 0) {
            return false;
        }
        pages = batches.pages(roots, places, hasValues);
        arrived.run();
        nextPage = 0;
        for (int i = 0; i < pages.length; i++) {
            places[i] = MemorySegment.ofArray(pages[i]).get(OperationFormat.LONG, 0);
        }
        final int[] left = IntStream.range(0, places.length).filter(i -> places[i] != 0).toArray();
        final long[] leftRoots = Arrays.stream(left).mapToLong(i -> roots[i]).toArray();
        places = Arrays.stream(left).mapToLong(i -> places[i]).toArray();
        roots = leftRoots;
        return true;
    }

    /** Returns the page with the current entry. */
    byte[] page() {
        return page;
    }

    int keyAt() {
        return keyAt;
    }

    int keyLength() {
        return keyLength;
    }

    int valueLength() {
        return valueLength;
    }

    /** Returns the bytes of the key of the current entry. */
    byte[] key() {
        return Arrays.copyOfRange(page, keyAt, keyAt + keyLength);
    }

    /** Returns the bytes of the value of the current entry. */
    byte[] value() {
        return Arrays.copyOfRange(page, keyAt + keyLength, keyAt + keyLength + valueLength);
    }
}
