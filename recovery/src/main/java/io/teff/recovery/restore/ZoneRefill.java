package io.teff.recovery.restore;

import io.teff.engine.journal.ChangedBytes;
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
 * memory of the result. Takes two passes, the first for long chunks alone, while memory is least fragmented. Where the
 * newest entry is of bytes, the chunk below is restored, and each entry that follows its state; entries that have
 * arrived too early are met again in further passes ({@link #endPass}). For one thread.
 */
final class ZoneRefill implements EntryVisitor {
    private final ChunkRestorer restorer;
    private final ZoneRestore known;
    private final Newest newest;
    /** Number of the restored state of chunks whose newest entry is of bytes, by index. */
    private final Map<Long, Long> states = new HashMap<>();
    /** By index. */
    private final Map<Long, Chain> chains = new HashMap<>();
    /** Indexes whose chain was complete; its links may be read again. */
    private final Set<Long> done = new HashSet<>();
    private int pass;
    private boolean isMissing;
    private boolean hasAdvanced;

    /**
     * Begins without entries.
     *
     * @param restorer receives the chunks
     * @param known has seen all entries, and keeps the numbers of whole chunks
     */
    ZoneRefill(ChunkRestorer restorer, ZoneRestore known) {
        this.restorer = restorer;
        this.known = known;
        this.newest = known.newest();
    }

    @Override
    public void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset,
                      int length) {
        final boolean isLink = EntryKind.isLink(kind);
        if (kind == EntryKind.BYTES) {
            if (pass > 0) {
                change(cid, sequence, bytes, offset, length);
            }
        } else if (isLink == (pass == 0) && pass < 2 && isBelowBytes(cid, sequence, kind)) {
            if (states.putIfAbsent(Newest.other(cid), sequence) == null) {
                restorer.removed(cid);
                restorer.put(cid, false, bytes, offset, length);
            }
        } else if (isLink == (pass == 0) && pass < 2 && newest.compare(cid, sequence, kind) == 0) {
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

    /** Returns whether an entry is the whole chunk below the newest bytes. */
    private boolean isBelowBytes(long cid, long sequence, int kind) {
        return kind == EntryKind.PUT && known.whole(cid) == sequence;
    }

    private void change(long cid, long sequence, MemorySegment bytes, long offset, int length) {
        if (known.whole(cid) == Newest.NONE || newest.compare(cid, sequence, EntryKind.BYTES) > 0) {
            return;
        }
        final Long state = states.get(Newest.other(cid));
        if (state != null && state == ChangedBytes.predecessor(bytes, offset)
            && restorer.change(cid, bytes, offset, length)) {
            states.put(Newest.other(cid), sequence);
            hasAdvanced = true;
        } else if (state == null || Long.compareUnsigned(state, sequence) < 0) {
            isMissing = true;
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

    /**
     * Ends a pass. Chains of which links are missing are dropped. Returns whether a further pass is needed.
     */
    boolean endPass() {
        chains.values().forEach(Chain::discard);
        chains.clear();
        pass++;
        final boolean isNeeded = isMissing && (hasAdvanced || pass == 2);
        isMissing = false;
        hasAdvanced = false;
        return pass == 1 || isNeeded;
    }
}
