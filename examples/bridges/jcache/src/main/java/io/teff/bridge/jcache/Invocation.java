package io.teff.bridge.jcache;

import java.util.Objects;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;

/**
 * One call of an entry processor. What it does to the entry is noted, and done when it has returned, so one that throws
 * has changed nothing.
 *
 * <pre>
 *             getValue             setValue              remove
 *  NONE       ACCESS or LOAD       PUT                   REMOVE
 *  ACCESS     ACCESS               PUT                   REMOVE
 *  LOAD       LOAD                 PUT                   NONE, as it is not in the cache
 *  PUT        PUT                  PUT                   NONE if it was made here, else REMOVE
 *  REMOVE     REMOVE               PUT                   REMOVE
 * </pre>
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
final class Invocation<K, V> implements MutableEntry<K, V> {
    /** What is to be done to the entry. */
    private enum Deed { NONE, ACCESS, LOAD, PUT, REMOVE }

    private final CacheCore<K, V> core;
    private final HeldEntry<K, V> held;
    private final K key;
    private final boolean existed;
    private final long start;
    private Deed deed = Deed.NONE;
    private @Nullable V value;

    private Invocation(CacheCore<K, V> core, HeldEntry<K, V> held, K key, long start) {
        this.core = core;
        this.held = held;
        this.key = key;
        this.existed = held.exists();
        this.start = start;
    }

    /**
     * Calls a processor and does what it has said.
     *
     * @return what the processor returns
     * @throws EntryProcessorException if it throws
     */
    static <K, V, T> @Nullable T run(CacheCore<K, V> core, K key, EntryProcessor<K, V, T> processor,
                                     Object[] arguments) {
        core.checkOpen();
        long start = core.statistics.start();
        byte[] keyBytes = core.keyBytes(key);
        try (HeldEntry<K, V> held = HeldEntry.of(core, keyBytes)) {
            Invocation<K, V> entry = new Invocation<>(core, held, key, start);
            core.statistics.got(entry.existed, start);
            T result = entry.call(processor, arguments);
            entry.apply();
            return result;
        }
    }

    private <T> @Nullable T call(EntryProcessor<K, V, T> processor, Object[] arguments) {
        try {
            return processor.process(this, arguments);
        } catch (EntryProcessorException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new EntryProcessorException("the entry processor failed: " + e, e);
        }
    }

    private void apply() {
        switch (deed) {
            case NONE -> { }
            case ACCESS -> held.access();
            case LOAD -> held.put(core.entryBytes(known()));
            case PUT -> {
                if (held.writeAndPut(key, known(), core.entryBytes(known()))) {
                    core.statistics.put(start);
                }
            }
            case REMOVE -> {
                core.writing.delete(key);
                if (held.exists()) {
                    held.remove();
                    core.statistics.removed(start);
                }
            }
        }
    }

    private V known() {
        return Objects.requireNonNull(value);
    }

    // ---- what the processor sees ----

    @Override
    public K getKey() {
        return key;
    }

    @Override
    public boolean exists() {
        return deed == Deed.NONE ? existed : deed != Deed.REMOVE && value != null;
    }

    @Override
    public @Nullable V getValue() {
        if (deed == Deed.NONE && existed) {
            value = held.value();
            deed = Deed.ACCESS;
        } else if (deed == Deed.NONE && core.loading.isReadThrough()) {
            value = core.loading.load(key);
            deed = value == null ? Deed.NONE : Deed.LOAD;
        }
        return value;
    }

    @Override
    public void setValue(V newValue) {
        Objects.requireNonNull(newValue, "value");
        value = newValue;
        deed = Deed.PUT;
    }

    @Override
    public void remove() {
        value = null;
        deed = !existed && (deed == Deed.PUT || deed == Deed.LOAD) ? Deed.NONE : Deed.REMOVE;
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        return SimpleEntry.unwrap(this, type);
    }
}
