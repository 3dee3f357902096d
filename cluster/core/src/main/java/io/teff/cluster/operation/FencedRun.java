package io.teff.cluster.operation;

import io.teff.cluster.collect.ChangeFence;
import io.teff.cluster.collect.ServedMaps;
import io.teff.engine.ChunkStore;
import org.jspecify.annotations.Nullable;

/**
 * The way of the changes of a request through the fence of a collection. A request without a token has no fence. For
 * one thread.
 */
final class FencedRun {
    private final ServedMaps maps;
    private final ChunkStore store;
    private final long token;
    private final boolean isLong;

    /**
     * Begins without a change.
     *
     * @param store the served view of the zone
     * @param token token of the request, or 0
     * @param isLong whether the thread is one of the long requests
     */
    FencedRun(ServedMaps maps, ChunkStore store, long token, boolean isLong) {
        this.maps = maps;
        this.store = store;
        this.token = token;
        this.isLong = isLong;
    }

    /**
     * Makes a change, unless a later holder has come.
     *
     * @param root of an open collection
     * @param change called once, or not
     * @return DONE if the change was called; FENCED; TOO_LONG if a long request has to make the fence first
     */
    int run(long root, Runnable change) {
        if (token == 0) {
            change.run();
            return OperationFormat.DONE;
        }
        maps.enter();
        try {
            int code = runInside(maps.fence(root), change);
            if (code == OperationFormat.TOO_LONG && isLong) {   // the token has never come to this fence
                maps.raise(store, root, token);
                code = runInside(maps.fence(root), change);
            }
            return code;
        } finally {
            maps.leave();
        }
    }

    private int runInside(@Nullable ChangeFence fence, Runnable change) {
        if (fence == null) {
            return OperationFormat.TOO_LONG;
        }
        final long last = fence.enter();
        try {
            if (last == token) {
                change.run();
                return OperationFormat.DONE;
            }
            return last > token ? OperationFormat.FENCED : OperationFormat.TOO_LONG;
        } finally {
            fence.leave();
        }
    }
}
