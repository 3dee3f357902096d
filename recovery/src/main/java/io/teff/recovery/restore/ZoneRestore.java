package io.teff.recovery.restore;

import io.teff.engine.journal.ChangedBytes;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.recovery.format.ChainLink;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.SegmentWriter;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.clean.LiveBytes;
import io.teff.recovery.log.clean.Newest;
import io.teff.recovery.log.clean.ZoneVisitor;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Restores a zone in a single pass over entries in any order: a newer entry ({@link Newest}) replaces a restored entry.
 * An entry of bytes changes the chunk's restored state, if this state is of exactly the entry that it names; otherwise
 * it waits. So the restored state is the newest one all of whose entries are present: bytes behind a missing entry are
 * never put on another state. If too many entries wait, further passes are needed ({@link #endPass}).
 * A chain replaces a restored entry when all links are present. Until then the chain owns memory for its chunk. An
 * outdated chain is released at once. Meanwhile the store may hold more than at the end of the pass; if there is not
 * enough memory, {@link ZoneRefill} takes two passes. For one thread.
 */
final class ZoneRestore implements ZoneVisitor {
    private final ChunkRestorer restorer;
    private final Newest newest;
    private final LiveBytes live;
    /** Chains by index, then by number, above the newest entry known of the index. */
    private final Map<Long, NavigableMap<Long, Chain>> chains = new HashMap<>();
    private final WaitingBytes waiting;
    /** The number of the whole chunk below the newest bytes, by index; null if nobody will ask. */
    private final @Nullable Map<Long, Long> wholes;
    private boolean hasAdvanced;

    ZoneRestore(ChunkRestorer restorer, ZoneId zone) {
        this(restorer, zone, false, WaitingBytes.BYTES_MAX);
    }

    /**
     * Begins without entries.
     *
     * @param restorer receives the chunks
     * @param zone name of the zone
     * @param keepsWholes whether {@link #whole} will be asked
     * @param waitingBytesMax limit of the payloads that wait
     */
    ZoneRestore(ChunkRestorer restorer, ZoneId zone, boolean keepsWholes, int waitingBytesMax) {
        this.waiting = new WaitingBytes(waitingBytesMax);
        this.wholes = keepsWholes ? new HashMap<>() : null;
        this.restorer = restorer;
        this.newest = new Newest(zone.owner(), zone.zone());
        this.live = new LiveBytes(newest);
    }

    @Override
    public void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset,
                      int length) {
        if (kind == EntryKind.LINK || kind == EntryKind.LINK_READ_ONLY) {
            if (newest.compare(cid, sequence, kind) > 0) {
                link(cid, sequence, kind, bytes, offset, length);
            }
        } else if (kind == EntryKind.BYTES) {
            if (newest.compare(cid, sequence, kind) > 0 && !change(cid, sequence, bytes, offset, length)) {
                waiting.add(cid, sequence, bytes, offset, length);
            }
        } else if (newest.see(cid, sequence, kind)) {
            live.replace(cid, (long) length + SegmentWriter.ENTRY_BYTES);
            discardUpTo(cid, sequence);
            endBytes(cid);
            switch (kind) {
                case EntryKind.REMOVED -> restorer.removed(cid);
                case EntryKind.RESERVED -> restorer.reserved(cid);
                default -> {
                    restorer.put(cid, kind == EntryKind.PUT_READ_ONLY, bytes, offset, length);
                    changeByWaiting(cid, sequence);
                }
            }
        }
    }

    /** Puts bytes on the state of the chunk that they follow. Returns false if this state is not the restored one. */
    private boolean change(long cid, long sequence, MemorySegment bytes, long offset, int length) {
        final long before = ChangedBytes.predecessor(bytes, offset);
        if (!newest.isAt(cid, before) || !restorer.change(cid, bytes, offset, length)) {
            return false;
        }
        advance(cid, before, sequence, (long) length + SegmentWriter.ENTRY_BYTES);
        changeByWaiting(cid, sequence);
        return true;
    }

    private void advance(long cid, long before, long sequence, long entryBytes) {
        newest.see(cid, sequence, EntryKind.BYTES);
        live.add(cid, entryBytes);
        discardUpTo(cid, sequence);
        if (wholes != null) {
            wholes.putIfAbsent(Newest.other(cid), before);
        }
        hasAdvanced = true;
    }

    private void endBytes(long cid) {
        hasAdvanced = true;
        if (wholes != null) {
            wholes.remove(Newest.other(cid));
        }
    }

    private void changeByWaiting(long cid, long sequence) {
        long at = sequence;
        for (WaitingBytes.Waiting next = waiting.following(cid, at); next != null; next = waiting.following(cid, at)) {
            if (!newest.isAt(next.cid(), at)
                || !restorer.change(next.cid(), MemorySegment.ofArray(next.content()), 0, next.content().length)) {
                return;
            }
            advance(next.cid(), at, next.number(), next.entryBytes());
            at = next.number();
        }
    }

    /** Returns the number of the whole chunk below the newest bytes, or NONE if the newest entry is not of bytes. */
    long whole(long cid) {
        return wholes == null ? Newest.NONE : wholes.getOrDefault(Newest.other(cid), Newest.NONE);
    }

    /** Ends a pass. Returns whether another pass over all entries is needed. */
    boolean endPass() {
        final boolean isNeeded = waiting.takeCut() && hasAdvanced;
        hasAdvanced = false;
        if (isNeeded) {
            waiting.beginPass();
        }
        return isNeeded;
    }

    /** Returns chunks with newer bytes that count for nothing, because an entry in front of them was not found. */
    Set<Long> outdated() {
        return waiting.chunks();
    }

    private void link(long cid, long sequence, int kind, MemorySegment bytes, long offset, int length) {
        final NavigableMap<Long, Chain> ofIndex = chains.computeIfAbsent(Newest.other(cid), _ -> new TreeMap<>());
        final Chain chain = ofIndex.computeIfAbsent(sequence,
            _ -> new Chain(restorer, ChainLink.chunkBytes(bytes, offset)));
        if (chain.add(bytes, offset, length)) {
            ofIndex.remove(sequence);
            newest.see(cid, sequence, kind);
            live.replace(cid, chain.linkBytes());
            discardUpTo(cid, sequence);
            endBytes(cid);
            chain.put(cid, kind == EntryKind.LINK_READ_ONLY);
        }
    }

    /** Releases the incomplete chains, and the waiting bytes, of an index older than its newest entry. */
    private void discardUpTo(long cid, long sequence) {
        waiting.dropUpTo(cid, sequence);
        if (chains.isEmpty()) {
            return;
        }
        final NavigableMap<Long, Chain> ofIndex = chains.get(Newest.other(cid));
        if (ofIndex != null) {
            final NavigableMap<Long, Chain> outdated = ofIndex.headMap(sequence, true);
            outdated.values().forEach(Chain::discard);
            outdated.clear();
            if (ofIndex.isEmpty()) {
                chains.remove(Newest.other(cid));
            }
        }
    }

    /** Ends the pass. Incomplete chains are dropped. */
    void end() {
        chains.values().forEach(ofIndex -> ofIndex.values().forEach(Chain::discard));
        chains.clear();
    }

    /**
     * Returns the live entries, before the end of the pass. Links of incomplete chains, and bytes that wait, count:
     * cleaning keeps them.
     */
    @Override
    public Live live() {
        final long links = chains.values().stream().flatMap(ofIndex -> ofIndex.values().stream())
            .mapToLong(Chain::linkBytes).sum();
        return new Live(live.sum() + links + waiting.entryBytes(), live.highestIndex());
    }

    /** Returns the newest entry of each index seen. */
    Newest newest() {
        return newest;
    }
}
