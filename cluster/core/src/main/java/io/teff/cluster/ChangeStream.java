package io.teff.cluster;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a map or set of a cluster: each change of an entry once, in the order of the changes of its partition.
 * All changes of a key are in one partition. An event is shown when all backups have its change. So no event is taken
 * back by a failure.
 *
 * <p>A stream that was away for a time, or a stream from a saved {@link WatchPosition}, continues where it was. If the
 * owner does not keep all changes since then, the stream has a {@link Gap}: the program reads the entries, and
 * continues. No change is left out without a gap.
 *
 * <p>{@link #next} and {@link #forEach} are for one thread at a time. {@link #close} is for any thread.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public interface ChangeStream<K, V> extends AutoCloseable {
    /** Most open streams of a client: 64. */
    int STREAMS_MAX = 64;

    /**
     * An event.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     */
    sealed interface Event<K, V> {
        /** {@return the partition} */
        int partition();

        /** {@return the number of the change in its partition; each change has the next number} */
        long number();
    }

    /**
     * An entry was put, or its value was changed.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param key of the entry
     * @param value the new value; null for an entry of more than 256 KiB, or more than a quarter of what the partition
     *     keeps: then the program reads the value
     * @param partition of the key
     * @param number of the change
     */
    record Put<K, V>(K key, @Nullable V value, int partition, long number) implements Event<K, V> {}

    /**
     * An entry was removed, also by {@code clear}.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param key of the entry
     * @param partition of the key
     * @param number of the change
     */
    record Removed<K, V>(K key, int partition, long number) implements Event<K, V> {}

    /**
     * Changes of a partition may be missing. A program that reads the entries after this event has seen all changes up
     * to the number.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param partition whose changes may be missing
     * @param number behind which the stream continues
     */
    record Gap<K, V>(int partition, long number) implements Event<K, V> {}

    /**
     * Waits for the next event.
     *
     * @param timeoutNs longest wait in nanoseconds; a call to an owner that has failed may wait for {@link
     *     ClientConfig#timeoutNs}
     * @return the event; empty after a vain wait
     * @throws IllegalStateException if the stream was closed, or the collection was dropped
     * @throws io.teff.engine.error.StoreException if an owner did not answer or has refused; a later call continues
     */
    Optional<Event<K, V>> next(long timeoutNs);

    /** {@return where another stream continues behind the last event that this stream has returned} */
    WatchPosition position();

    /** {@return whether this stream was closed} */
    boolean isClosed();

    /** Ends this stream; a call under way ends soon. Idempotent. */
    @Override
    void close();

    /**
     * Passes each event to a listener, on this thread, until the stream is closed.
     *
     * @param listener takes the events; an exception of the listener ends the call, and the event counts as returned
     * @throws io.teff.engine.error.StoreException as {@link #next}, but not of category RETRY
     */
    void forEach(Consumer<? super Event<K, V>> listener);

    /**
     * Passes each event to a listener, by a task of an executor that runs until the stream is closed.
     *
     * @param executor runs the task
     * @param listener takes the events, one after the other
     */
    default void listen(Executor executor, Consumer<? super Event<K, V>> listener) {
        Objects.requireNonNull(listener);
        executor.execute(() -> forEach(listener));
    }
}
