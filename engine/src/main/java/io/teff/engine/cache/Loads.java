package io.teff.engine.cache;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The loads that run: at most one of each key. A load whose entry is changed by somebody else meanwhile is
 * <i>outdated</i>: its value may be older than the change, and is not stored. Thread-safe.
 *
 * @param <V> type of the values
 */
final class Loads<V> {
    /** An encoded key. */
    private record Name(byte[] bytes, int hash) {
        Name(byte[] bytes) {
            this(bytes, Arrays.hashCode(bytes));
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Name name && Arrays.equals(bytes, name.bytes);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    /** A load. */
    static final class Load<V> extends CompletableFuture<@Nullable V> {
        private volatile @Nullable Thread runner;
        /** Set under the writer lock of the key, and read under it. */
        private volatile boolean isOutdated;

        private Load() {}

        boolean isOutdated() {
            return isOutdated;
        }

        /** Notes the thread that runs the load. */
        void runBy(Thread thread) {
            runner = thread;
        }

        /** Waits for the result of the load. */
        @Nullable V await() {
            if (Thread.currentThread().equals(runner)) {
                throw new IllegalStateException("the loader of a key asks the cache to load the same key");
            }
            try {
                return join();
            } catch (CompletionException e) {
                throw e.getCause() instanceof RuntimeException cause ? cause : e;
            }
        }
    }

    private final ConcurrentHashMap<Name, Load<V>> running = new ConcurrentHashMap<>();

    Loads() {}

    /** Begins a load unless one of the key runs; returns the own load or the one that runs. */
    Load<V> begin(byte[] key, Load<V> own) {
        Load<V> other = running.putIfAbsent(new Name(key), own);
        return other != null ? other : own;
    }

    static <V> Load<V> make() {
        return new Load<>();
    }

    /** Returns whether a load of a key runs. */
    boolean isRunning(byte[] key) {
        return running.containsKey(new Name(key));
    }

    void end(byte[] key, Load<V> own) {
        running.remove(new Name(key), own);
    }

    boolean isEmpty() {
        return running.isEmpty();
    }

    /** Notes a change of an entry, under the writer lock of its key. */
    void outdate(byte[] key) {
        Load<V> load = running.get(new Name(key));
        if (load != null) {
            load.isOutdated = true;
        }
    }

    /** Notes that all entries are removed. */
    void outdateAll() {
        running.values().forEach(load -> load.isOutdated = true);
    }
}
