package io.teff.recovery;

import io.teff.engine.journal.ChunkRestorer;
import io.teff.recovery.format.ChainLink;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/** A long chunk whose links come in any order, and perhaps more than once. It has the memory of its chunk. */
final class Chain {
    private final ChunkRestorer.Pieces pieces;
    private final int count;
    private final BitSet seen = new BitSet();

    /**
     * Begins one.
     *
     * @param restorer what to ask for memory
     * @param chunkBytes length of the chunk
     */
    Chain(ChunkRestorer restorer, long chunkBytes) {
        this.pieces = restorer.begin(chunkBytes);
        this.count = ChainLink.count(chunkBytes);
    }

    /** Takes a link; true if all are there now. */
    boolean add(MemorySegment bytes, long offset, int length) {
        final int number = ChainLink.number(bytes, offset);
        pieces.write((long) number * ChainLink.PIECE_BYTES, bytes, offset + ChainLink.HEAD_BYTES,
            length - ChainLink.HEAD_BYTES);
        seen.set(number);
        return seen.cardinality() == count;
    }

    /** Makes the chunk. */
    void put(long cid, boolean isReadOnly) {
        pieces.put(cid, isReadOnly);
    }

    /** Gives its memory back. */
    void discard() {
        pieces.discard();
    }
}
