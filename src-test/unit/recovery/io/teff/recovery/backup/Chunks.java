package io.teff.recovery.backup;

import io.teff.engine.Cid;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.recovery.format.EntryKind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Chunks in memory: the state of each index, as restored or as a model computes it. */
final class Chunks implements ChunkRestorer {
    /** The state of an index. */
    record State(long cid, int kind, ByteBuffer content) {}

    final Map<Long, State> byIndex = new ConcurrentHashMap<>();

    private static long index(long cid) {
        return Cid.of(Cid.nid(cid), Cid.index(cid));
    }

    private void set(long cid, int kind, byte[] content) {
        byIndex.put(index(cid), new State(cid, kind, ByteBuffer.wrap(content)));
    }

    @Override
    public void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length) {
        set(cid, isReadOnly ? EntryKind.PUT_READ_ONLY : EntryKind.PUT,
            source.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE));
    }

    @Override
    public Pieces begin(long length) {
        throw new AssertionError("no chunk of a copy is a chain");
    }

    @Override
    public void removed(long cid) {
        set(cid, EntryKind.REMOVED, new byte[0]);
    }

    @Override
    public void reserved(long cid) {
        set(cid, EntryKind.RESERVED, new byte[0]);
    }

    /** Returns the states after some records, by definition. */
    static Map<Long, State> after(Iterable<TestRun.Record> records, long last) {
        Map<Long, State> states = new HashMap<>();
        Map<Long, long[]> ranks = new HashMap<>();
        for (TestRun.Record record : records) {
            if (Long.compareUnsigned(record.number(), last) > 0) {
                break;
            }
            for (TestRun.Entry entry : record.entries()) {
                long[] rank = {entry.number() == 0 ? record.number() : entry.number(),
                    entry.kind() == EntryKind.REMOVED ? 1 : 0, Cid.generation(entry.cid())};
                long[] before = ranks.get(index(entry.cid()));
                if (before == null || compare(rank, before) > 0) {
                    ranks.put(index(entry.cid()), rank);
                    states.put(index(entry.cid()), new State(entry.cid(), entry.kind(), entry.content()));
                }
            }
        }
        return states;
    }

    private static int compare(long[] rank, long[] other) {
        for (int i = 0; i < rank.length; i++) {
            int order = Long.compareUnsigned(rank[i], other[i]);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }
}
