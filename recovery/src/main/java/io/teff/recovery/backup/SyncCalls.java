package io.teff.recovery.backup;

import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.FailureText;
import io.teff.recovery.log.RecoveryLog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Callers that want to know when the write buffer is drained up to a position. Thread-safe; calls back outside of its
 * lock.
 */
final class SyncCalls {
    /** A caller. */
    private record Call(ZoneCopy copy, long position, Consumer<@Nullable RuntimeException> then) {}

    private final PriorityQueue<Call> calls = new PriorityQueue<>(Comparator.comparingLong(Call::position));
    private volatile @Nullable RecoveryLog log;
    private @Nullable RuntimeException ended;

    /** Begins to serve callers of a log. */
    void attach(RecoveryLog opened) {
        log = opened;
    }

    /** Adds a caller; after the end it is called back at once. */
    void add(ZoneCopy copy, long position, Consumer<@Nullable RuntimeException> then) {
        final RuntimeException over;
        synchronized (this) {
            over = ended;
            if (over == null) {
                calls.add(new Call(copy, position, then));
            }
        }
        if (over != null) {
            then.accept(over);
        }
    }

    /** Calls back the callers of drained positions, or all callers if the log has failed; on the log's thread. */
    void serve() {
        final RecoveryLog opened = log;
        if (opened != null) {
            final Throwable failure = opened.failure();
            if (failure != null) {
                end(new StoreException(Category.FATAL, "the log has failed: " + FailureText.of(failure), failure));
            } else {
                final long drained = opened.buffer().drained();
                for (Call next = next(drained); next != null; next = next(drained)) {
                    next.then.accept(null);
                }
            }
        }
    }

    private synchronized @Nullable Call next(long drained) {
        final Call first = calls.peek();
        return first != null && first.position <= drained ? calls.remove() : null;
    }

    /** Calls back those of some copies, with an exception. */
    void end(Predicate<ZoneCopy> copies, RuntimeException why) {
        final List<Call> over = new ArrayList<>();
        synchronized (this) {
            calls.forEach(call -> {
                if (copies.test(call.copy)) {
                    over.add(call);
                }
            });
            calls.removeAll(over);
        }
        over.forEach(call -> call.then.accept(why));
    }

    /** Calls back all callers, also future callers, with an exception. */
    void end(RuntimeException why) {
        synchronized (this) {
            ended = ended == null ? why : ended;
        }
        end(_ -> true, why);
    }
}
