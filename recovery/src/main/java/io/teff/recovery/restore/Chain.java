package io.teff.recovery.restore;

import io.teff.engine.journal.ChunkRestorer;
import io.teff.recovery.format.ChainLink;
import io.teff.recovery.format.SegmentWriter;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/**
 * The links of a long chunk. Links arrive in any order and perhaps more than once. Owns memory for the whole chunk.
 */
final class Chain {
    private final ChunkRestorer.Pieces pieces;
    private final int count;
    private final BitSet seen = new BitSet();
    private long linkBytes;

    /**
     * Begins a chain.
     *
     * @param restorer provides the memory
     * @param chunkBytes length of the chunk
     */
    Chain(ChunkRestorer restorer, long chunkBytes) {
        this.pieces = restorer.begin(chunkBytes);
        this.count = ChainLink.count(chunkBytes);
    }

    /** Adds a link. Returns whether all links are present now. */
    boolean add(MemorySegment bytes, long offset, int length) {
        final int number = ChainLink.number(bytes, offset);
        pieces.write((long) number * ChainLink.PIECE_BYTES, bytes, offset + ChainLink.HEAD_BYTES,
            length - ChainLink.HEAD_BYTES);
        linkBytes += seen.get(number) ? 0 : length + SegmentWriter.ENTRY_BYTES;
        seen.set(number);
        return seen.cardinality() == count;
    }

    /** Returns the bytes of the entries of the links present. */
    long linkBytes() {
        return linkBytes;
    }

    /** Creates the chunk from the links. */
    void put(long cid, boolean isReadOnly) {
        pieces.put(cid, isReadOnly);
    }

    /** Releases the memory. */
    void discard() {
        pieces.discard();
    }
}
