package io.teff.bridge.jcache;

import io.teff.engine.ChunkStore;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.MutableConfiguration;

/**
 * The parts of a cache, and its open or closed state. Thread-safe.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
final class CacheCore<K, V> {
    private static final int CAPACITY = 64;

    final String name;
    final EntryTable table;
    final EntryLocks stripes;
    final Expiry expiry;
    final Loading<K, V> loading;
    final Writing<K, V> writing;
    final Listeners<K, V> listeners;
    final Statistics statistics = new Statistics();

    private final Class<K> keyType;
    private final Class<V> valueType;
    private final Form<K> keys;
    private final Form<V> values;
    private volatile boolean closed;
    private volatile boolean expires;

    /**
     * The environment of a cache, provided by its manager.
     *
     * @param store store of the manager
     * @param mapPrefix begins the names of maps in the store
     * @param classLoader class loader of the manager
     * @param clock clock of times of expiry
     * @param lockTimeoutNs maximum wait for an entry in nanoseconds
     * @param limit limit of each cache
     * @param reclaim frees memory, see {@link EntryTable}
     */
    record Home(ChunkStore store, String mapPrefix, ClassLoader classLoader, ExpiryClock clock, long lockTimeoutNs,
                CacheLimit limit, BooleanSupplier reclaim) {}

    CacheCore(Cache<K, V> cache, String name, MutableConfiguration<K, V> config, Home home) {
        this.name = name;
        keyType = config.getKeyType();
        valueType = config.getValueType();
        keys = Forms.of(keyType, home.classLoader);
        values = Forms.of(valueType, home.classLoader);
        stripes = new EntryLocks(name, home.lockTimeoutNs);
        listeners = new Listeners<>(cache, this::key, this::value, home.lockTimeoutNs);
        table = new EntryTable(name, home.mapPrefix + name, home.store, home.limit, statistics::evicted, home.reclaim);
        boolean done = false;
        try {
            expiry = new Expiry(config.getExpiryPolicyFactory().create(), home.clock);
            loading = new Loading<>(config);
            writing = new Writing<>(config);
            config.getCacheEntryListenerConfigurations().forEach(listeners::add);
            done = true;
        } finally {
            if (!done) {
                table.drop();                                   // a factory of the application has failed
            }
        }
    }

    // ---- life ----

    void checkOpen() {
        if (closed) {
            throw new IllegalStateException("cache " + name + " is closed");
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** Refuses new operations from now on; returns false if another thread has begun to close the cache. */
    synchronized boolean beginClose() {
        boolean begun = !closed;
        closed = true;
        return begun;
    }

    /**
     * Waits for running operations, and frees the memory. An operation that holds its stripe for longer than the
     * timeout is not waited for; it finds a dropped table.
     *
     * @param closing collects failures
     */
    void endClose(Closing closing) {
        for (int stripe = 0; stripe < EntryLocks.COUNT; stripe++) {
            int each = stripe;
            closing.step(() -> {
                stripes.lock(each);
                stripes.unlock(each);
            });
        }
        closing.step(table::drop);
        closing.step(listeners::close);
        closing.step(loading::close);
        closing.step(writing::close);
        closing.step(() -> Closing.close(expiry.policy()));
    }

    // ---- expiry ----

    /** Records that an entry expires, so that the cache is swept. */
    void noteExpiry(long expiryMs) {
        if (expiryMs != EntryLayout.NEVER && !expires) {
            expires = true;
        }
    }

    /** Returns whether the cache has ever had an entry that expires. */
    boolean expires() {
        return expires;
    }

    // ---- bytes ----

    /**
     * Returns the bytes of a key.
     *
     * @throws NullPointerException if the key is null
     * @throws ClassCastException if the key is not of the cache's type
     * @throws CacheException if the key cannot be stored
     */
    byte[] keyBytes(K key) {
        checkType(key, keyType, "key");
        Output out = Output.growing(CAPACITY);
        write(keys, key, out);
        return out.toByteArray();
    }

    /** Returns an entry with the bytes of a value and an unset time of expiry; throws as {@link #keyBytes} does. */
    byte[] entryBytes(V value) {
        checkType(value, valueType, "value");
        Output out = Output.growing(CAPACITY);
        out.putLong(EntryLayout.NEVER);
        write(values, value, out);
        return out.toByteArray();
    }

    private void checkType(Object object, Class<?> type, String what) {
        Objects.requireNonNull(object, what);
        if (!type.isInstance(object)) {
            throw new ClassCastException("cache " + name + " has a " + what + " type of " + type.getName() + ", not "
                + object.getClass().getName());
        }
    }

    private <T> void write(Form<T> form, T object, Output out) {
        try {
            form.write(object, out);
        } catch (CacheException | ClassCastException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new CacheException("cache " + name + " cannot store an object of " + object.getClass().getName()
                + ": " + e.getMessage(), e);
        }
    }

    K key(byte[] bytes) {
        return read(keys, bytes, 0);
    }

    V value(byte[] entry) {
        return read(values, entry, EntryLayout.VALUE);
    }

    private <T> T read(Form<T> form, byte[] bytes, int from) {
        try {
            return form.read(new Input(bytes, from, bytes.length - from));
        } catch (CacheException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new CacheException("cache " + name + " cannot read an object: " + e.getMessage(), e);
        }
    }
}
