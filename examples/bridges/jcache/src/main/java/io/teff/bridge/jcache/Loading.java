package io.teff.bridge.jcache;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import org.jspecify.annotations.Nullable;

/**
 * The application's loader, or none; its exceptions are wrapped in a {@link CacheLoaderException}.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
final class Loading<K, V> {
    private final @Nullable CacheLoader<K, V> loader;
    private final boolean readThrough;

    Loading(CompleteConfiguration<K, V> config) {
        Factory<CacheLoader<K, V>> factory = config.getCacheLoaderFactory();
        loader = factory == null ? null : factory.create();
        readThrough = loader != null && config.isReadThrough();
    }

    boolean isThere() {
        return loader != null;
    }

    /** Returns whether a get of a missing entry loads it. */
    boolean isReadThrough() {
        return readThrough;
    }

    /** {@return the loaded value of a key, or null if the loader has none} */
    @Nullable V load(K key) {
        return call(() -> there().load(key));
    }

    /** {@return the loaded values by key; some keys may be missing or have null} */
    Map<K, V> loadAll(Set<? extends K> keys) {
        Map<K, V> loaded = call(() -> there().loadAll(keys));
        return loaded == null ? Map.of() : loaded;
    }

    private CacheLoader<K, V> there() {
        return Objects.requireNonNull(loader, "there is no loader");
    }

    private static <T extends @Nullable Object> T call(Supplier<T> work) {
        try {
            return work.get();
        } catch (CacheLoaderException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new CacheLoaderException("the loader failed: " + e, e);
        }
    }

    void close() {
        Closing.close(loader);
    }
}
