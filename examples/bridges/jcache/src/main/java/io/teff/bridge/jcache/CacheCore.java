package io.teff.bridge.jcache;

import io.teff.engine.Store;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.MutableConfiguration;

/**
 * The parts of a cache, and whether it is open. Thread-safe.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
final class CacheCore<K, V> {
    private static final int CAPACITY = 64;

    final String name;
    final EntryTable table;
    final Stripes stripes;
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
     * What a cache is made in.
     *
     * @param store of the manager
     * @param classLoader of the manager
     * @param clock for expiry
     * @param lockTimeoutNs the longest wait for an entry
     * @param reclaim finds memory, see {@link EntryTable}
     */
    record Home(Store store, ClassLoader classLoader, Clock clock, long lockTimeoutNs, BooleanSupplier reclaim) {}

    CacheCore(Cache<K, V> cache, String name, MutableConfiguration<K, V> config, Home home) {
        this.name = name;
        keyType = config.getKeyType();
        valueType = config.getValueType();
        keys = Forms.of(keyType, home.classLoader);
        values = Forms.of(valueType, home.classLoader);
        stripes = new Stripes(name, home.lockTimeoutNs);
        listeners = new Listeners<>(cache, this::key, this::value, home.lockTimeoutNs);
        table = new EntryTable(name, home.store, home.reclaim);
        boolean done = false;
        try {
            expiry = new Expiry(config.getExpiryPolicyFactory().create(), home.clock);
            loading = new Loading<>(config);
            writing = new Writing<>(config);
            config.getCacheEntryListenerConfigurations().forEach(listeners::add);
            done = true;
        } finally {
            if (!done) {
                table.drop();                                   // a factory of the user has failed
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

    /** Refuses new operations; false if that was done before, and is somebody else's to end. */
    synchronized boolean beginClose() {
        boolean begun = !closed;
        closed = true;
        return begun;
    }

    /**
     * Lets the operations under way end, and gives the memory back. One that holds its stripe for longer than the
     * timeout is not waited for; it meets a table that is gone.
     *
     * @param closing gets what could not be done
     */
    void endClose(Closing closing) {
        for (int stripe = 0; stripe < Stripes.COUNT; stripe++) {
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

    /** Remembers that there is something to sweep. */
    void noteExpiry(long expiryMs) {
        if (expiryMs != EntryLayout.NEVER && !expires) {
            expires = true;
        }
    }

    /** Whether there has ever been an entry that does not live for ever. */
    boolean expires() {
        return expires;
    }

    // ---- bytes ----

    /**
     * The bytes of a key.
     *
     * @throws NullPointerException if it is null
     * @throws ClassCastException if it is of another type than the cache's
     * @throws CacheException if it cannot be stored
     */
    byte[] keyBytes(K key) {
        checkType(key, keyType, "key");
        Output out = Output.growing(CAPACITY);
        write(keys, key, out);
        return out.toByteArray();
    }

    /** The same for a value: an entry without a time of expiry. */
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
