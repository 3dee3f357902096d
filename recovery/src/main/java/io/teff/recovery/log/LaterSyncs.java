package io.teff.recovery.log;

import io.teff.recovery.log.file.LogClosedException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Futures of syncs that no thread waits for. Any thread adds one; the log's thread completes them.
 *
 * <pre>
 *  add ──> next, one future for all ──(the log's thread takes it)──> first ──> completed
 * </pre>
 * Requests made while a sync is under way share a future, so there are never more than two futures, and each group
 * costs a single task of the JDK's common pool: dependents of a future must not run on the log's thread, because
 * dependents may wait for this thread.
 */
final class LaterSyncs {
    /** Requests that are completed together. */
    private static final class DrainRound {
        private final CompletableFuture<Boolean> done = new CompletableFuture<>();
        private long position;
    }

    private @Nullable DrainRound first;
    private @Nullable DrainRound next;

    /**
     * Adds a request.
     *
     * @param position up to which the log must be drained
     * @return completes with true when the log is drained, with false if the disk is full, or fails with a
     *     {@link LogClosedException}; a copy of the shared future, so that a cancelled request affects no other request
     */
    synchronized CompletableFuture<Boolean> add(long position) {
        final DrainRound batch = next == null ? new DrainRound() : next;
        next = batch;
        batch.position = Math.max(batch.position, position);
        return batch.done.copy();
    }

    /**
     * Completes the requests that a drain, successful or not, has decided.
     *
     * @param buffer knows the drained position and the failure
     * @param isOver true if nothing will be drained any more
     */
    synchronized void tell(WriteBuffer buffer, boolean isOver) {
        while (true) {
            if (first == null) {
                first = next;
                next = null;
            }
            if (first == null || !isTold(first, buffer, isOver)) {
                return;
            }
            first = null;
        }
    }

    private static boolean isTold(DrainRound batch, WriteBuffer buffer, boolean isOver) {
        final CompletableFuture<Boolean> done = batch.done;
        final Throwable failure = buffer.failure();
        if (buffer.drained() >= batch.position) {
            final var _ = CompletableFuture.runAsync(() -> done.complete(true));
        } else if (isOver || failure != null) {
            final var _ = CompletableFuture.runAsync(() -> done.completeExceptionally(new LogClosedException(failure)));
        } else if (buffer.isFull()) {
            final var _ = CompletableFuture.runAsync(() -> done.complete(false));
        } else {
            return false;
        }
        return true;
    }
}
