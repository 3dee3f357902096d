package io.teff.cluster.operation;

import static io.teff.cluster.operation.OperationFormat.HEAD_BYTES;

import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.raw.RawCids;
import io.teff.engine.raw.RawFilter;
import io.teff.engine.view.ChunkFilter;
import java.lang.foreign.MemorySegment;

/**
 * Reads CIDs of a zone, from an index on, all or those that pass a filter. By a thread of the long requests, because
 * free indexes are passed over. The owner keeps nothing of a visit: the client continues at an index, also at the next
 * owner.
 */
final class CidsExecution {
    /** Most chunks that one request tests. */
    private static final int TESTED_MAX = 1 << 14;

    private CidsExecution() {}

    /** Executes the operation, and answers; the result is the next index, or 0 at the end of the zone. */
    static void execute(ChunkStore store, SingleAnswer answer, boolean isLong) {
        if (!isLong) {
            answer.code(OperationFormat.TOO_LONG);
            return;
        }
        final OperationRequest request = answer.request();
        final boolean isFiltered = request.type == OperationType.CIDS_WHERE;
        final long[] cids = new long[isFiltered ? TESTED_MAX : request.length];
        try {
            final int count = RawCids.of(store).cids(request.argument(0), cids);
            final long next = count < cids.length ? 0 : Cid.index(cids[count - 1]) + 1;
            final int passed = isFiltered ? passed(store, RawFilter.read(request.content()), cids, count) : count;
            answer.scratch().ensure(HEAD_BYTES + passed * Long.BYTES);
            MemorySegment.copy(cids, 0, answer.scratch().memory(), OperationFormat.LONG, HEAD_BYTES, passed);
            answer.readOfAll(OperationFormat.DONE, next, passed * Long.BYTES);
        } catch (StoreClosedException | ZoneDroppedException _) {
            answer.code(OperationFormat.DEPOSED);
        } catch (MalformedException e) {
            answer.refused(new StoreException(Category.DEGRADED, "no filter of chunks", e));
        }
    }

    /** The reads of a zone. */
    private record Contents(ChunkStore store) implements ChunkFilter.Contents {
        @Override
        public long size(long cid) {
            return store.size(cid);
        }

        @Override
        public int getBytes(long cid, long chunkOffset, byte[] target) {
            return store.getBytes(cid, chunkOffset, target, 0, target.length);
        }
    }

    /** Puts the CIDs that pass in front; returns how many. */
    private static int passed(ChunkStore store, ChunkFilter filter, long[] cids, int count) {
        final Contents contents = new Contents(store);
        int passed = 0;
        for (int i = 0; i < count; i++) {
            if (filter.isPassed(contents, cids[i])) {
                cids[passed++] = cids[i];
            }
        }
        return passed;
    }
}
