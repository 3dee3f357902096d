package io.teff.bridge.jcache;

import java.util.Collection;
import javax.cache.Cache;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/**
 * The application's writer, or none; its exceptions are wrapped in a {@link CacheWriterException}. It is called before
 * the cache changes, so the cache never has a value that was not written.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
final class Writing<K, V> {
    private final @Nullable CacheWriter<K, V> writer;
    private final boolean through;

    @SuppressWarnings("unchecked")
    Writing(CompleteConfiguration<K, V> config) {
        Factory<CacheWriter<? super K, ? super V>> factory = config.getCacheWriterFactory();
        writer = factory == null ? null : (CacheWriter<K, V>) factory.create();
        through = writer != null && config.isWriteThrough();
    }

    boolean isThrough() {
        return through;
    }

    void write(K key, V value) {
        if (through && writer != null) {
            call(() -> writer.write(new SimpleEntry<>(key, value)));
        }
    }

    void delete(K key) {
        if (through && writer != null) {
            call(() -> writer.delete(key));
        }
    }

    /**
     * Writes entries.
     *
     * @param entries the entries; the writer removes those that it has written
     * @return the exception of the writer, or null
     */
    @Nullable CacheWriterException writeAll(Collection<Cache.Entry<? extends K, ? extends V>> entries) {
        return writer == null ? null : tried(() -> writer.writeAll(entries));
    }

    /**
     * Deletes entries.
     *
     * @param keys the keys; the writer removes those that it has deleted
     * @return the exception of the writer, or null
     */
    @Nullable CacheWriterException deleteAll(Collection<?> keys) {
        return writer == null ? null : tried(() -> writer.deleteAll(keys));
    }

    private static @Nullable CacheWriterException tried(Runnable work) {
        try {
            call(work);
            return null;
        } catch (CacheWriterException e) {
            return e;
        }
    }

    private static void call(Runnable work) {
        try {
            work.run();
        } catch (CacheWriterException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new CacheWriterException("the writer failed: " + e, e);
        }
    }

    void close() {
        Closing.close(writer);
    }
}
