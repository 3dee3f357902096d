package io.teff.recovery.log;

import io.teff.recovery.log.file.LogClosedException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Those who do not wait for a sync, and are told of it. For many threads; one of them, the log's, tells.
 *
 * <pre>
 *  add ──> next, one future for all ──(the log's thread comes)──> first ──> told
 * </pre>
 * Who comes while a sync is on its way shares a future with all others who do, so there are never more than two, and
 * each batch costs one task of the JDK's common pool: what others have attached to a future must not run on the log's
 * thread, which they may wait for.
 */
final class LaterSyncs {
    /** Some who are told together. */
    private static final class DrainRound {
        private final CompletableFuture<Boolean> done = new CompletableFuture<>();
        private long position;
    }

    private @Nullable DrainRound first;
    private @Nullable DrainRound next;

    /**
     * Adds one.
     *
     * @param position up to which the log must be drained
     * @return ends with true when it is, with false if the disk is full, or with a {@link LogClosedException}; a copy,
     *     so that whoever cancels it cancels nobody else's
     */
    synchronized CompletableFuture<Boolean> add(long position) {
        final DrainRound batch = next == null ? new DrainRound() : next;
        next = batch;
        batch.position = Math.max(batch.position, position);
        return batch.done.copy();
    }

    /**
     * Tells those who can be told something, after the log was drained or that was tried.
     *
     * @param buffer what is drained, and what has failed
     * @param isOver whether nothing will be drained any more
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
