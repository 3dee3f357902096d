package io.teff.cluster.net.stream;

import io.teff.cluster.net.thread.AnswerWait;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The future of a request, and of each stage chained to the request's future. An agent's thread is refused every wait,
 * because only the agent's thread could end the future; a handler's thread announces its wait. If the application ends
 * the future itself, by cancelling or completing the future or by a timeout of its own, the request is given up.
 * Thread-safe.
 *
 * @param <R> type of the answer or of the stage's value
 */
final class AnswerFuture<R> extends CompletableFuture<R> {
    private final AnswerWait wait;
    /** Null for a chained stage. */
    private final @Nullable Request<?> request;

    AnswerFuture(AnswerWait wait, @Nullable Request<?> request) {
        this.wait = wait;
        this.request = request;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new AnswerFuture<>(wait, null);
    }

    // ---- waiting ----

    @Override
    public R join() {
        if (isDone() || !wait.begin()) {
            return super.join();
        }
        try {
            return super.join();
        } finally {
            wait.end();
        }
    }

    @Override
    public R get() throws InterruptedException, ExecutionException {
        if (isDone() || !wait.begin()) {
            return super.get();
        }
        try {
            return super.get();
        } finally {
            wait.end();
        }
    }

    @Override
    public R get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        if (isDone() || timeout <= 0 || !wait.begin()) {
            return super.get(timeout, unit);
        }
        try {
            return super.get(timeout, unit);
        } finally {
            wait.end();
        }
    }

    // ---- ending ----

    /** Ends the future with the answer; called by the thread that has removed the request. */
    void end(R value) {
        super.complete(value);
    }

    /** Ends the future without an answer; called by the thread that has removed the request. */
    void endExceptionally(Throwable thrown) {
        super.completeExceptionally(thrown);
    }

    @Override
    public boolean complete(R value) {
        return isFirst(super.complete(value));
    }

    @Override
    public boolean completeExceptionally(Throwable thrown) {
        return isFirst(super.completeExceptionally(thrown));
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        final boolean wasDone = isDone();
        final boolean isCancelled = super.cancel(mayInterrupt);
        isFirst(isCancelled && !wasDone);
        return isCancelled;
    }

    private boolean isFirst(boolean isEnded) {
        if (isEnded && request != null) {
            request.giveUp();
        }
        return isEnded;
    }
}
