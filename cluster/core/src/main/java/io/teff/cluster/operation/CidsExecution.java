package io.teff.cluster.operation;

import static io.teff.cluster.operation.OperationFormat.HEAD_BYTES;

import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.raw.RawCids;
import java.lang.foreign.MemorySegment;

/** Reads CIDs of a zone, from an index on. By a thread of the long requests, because free indexes are passed over. */
final class CidsExecution {
    private CidsExecution() {}

    /** Executes the operation, and answers; the result is the next index, or 0 at the end of the zone. */
    static void execute(ChunkStore store, SingleAnswer answer, boolean isLong) {
        if (!isLong) {
            answer.code(OperationFormat.TOO_LONG);
            return;
        }
        final OperationRequest request = answer.request();
        final long[] cids = new long[request.length];
        final int count;
        try {
            count = RawCids.of(store).cids(request.argument(0), cids);
        } catch (StoreClosedException | ZoneDroppedException _) {
            answer.code(OperationFormat.DEPOSED);
            return;
        }
        answer.scratch().ensure(HEAD_BYTES + count * Long.BYTES);
        MemorySegment.copy(cids, 0, answer.scratch().memory(), OperationFormat.LONG, HEAD_BYTES, count);
        final long next = count < cids.length ? 0 : Cid.index(cids[count - 1]) + 1;
        answer.readOfAll(OperationFormat.DONE, next, count * Long.BYTES);
    }
}
