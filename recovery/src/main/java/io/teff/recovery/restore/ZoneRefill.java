package io.teff.recovery.restore;

import io.teff.engine.journal.ChunkRestorer;
import io.teff.recovery.format.ChainLink;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.log.clean.Newest;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Restores only the newest entries of a zone, as determined by an earlier pass, so a refill needs no memory beyond the
 * memory of the result. Takes two passes, the first for long chunks alone, while memory is least fragmented. For one
 * thread.
 */
final class ZoneRefill implements EntryVisitor {
    private final ChunkRestorer restorer;
    private final Newest newest;
    /** By index. */
    private final Map<Long, Chain> chains = new HashMap<>();
    /** Indexes whose chain was complete; its links may be read again. */
    private final Set<Long> done = new HashSet<>();
    private boolean isSecond;

    ZoneRefill(ChunkRestorer restorer, Newest newest) {
        this.restorer = restorer;
        this.newest = newest;
    }

    @Override
    public void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset,
                      int length) {
        final boolean isLink = kind == EntryKind.LINK || kind == EntryKind.LINK_READ_ONLY;
        if (isLink != isSecond && newest.compare(cid, sequence, kind) == 0) {
            switch (kind) {
                case EntryKind.REMOVED -> restorer.removed(cid);
                case EntryKind.RESERVED -> restorer.reserved(cid);
                case EntryKind.LINK, EntryKind.LINK_READ_ONLY -> link(cid, kind, bytes, offset, length);
                default -> {
                    restorer.removed(cid);                      // the entry may arrive again: no memory twice
                    restorer.put(cid, kind == EntryKind.PUT_READ_ONLY, bytes, offset, length);
                }
            }
        }
    }

    private void link(long cid, int kind, MemorySegment bytes, long offset, int length) {
        final long index = Newest.other(cid);
        if (!done.contains(index)) {
            final Chain chain = chains.computeIfAbsent(index,
                _ -> new Chain(restorer, ChainLink.chunkBytes(bytes, offset)));
            if (chain.add(bytes, offset, length)) {
                chains.remove(index);
                done.add(index);
                chain.put(cid, kind == EntryKind.LINK_READ_ONLY);
            }
        }
    }

    /** Ends a pass. Chains of which links are missing are dropped. */
    void endPass() {
        chains.values().forEach(Chain::discard);
        chains.clear();
        isSecond = true;
    }
}
