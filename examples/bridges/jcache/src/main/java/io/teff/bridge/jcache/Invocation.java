package io.teff.bridge.jcache;

import java.util.Objects;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;

/**
 * One call of an entry processor. Its changes of the entry are recorded and executed when it has returned, so a
 * processor that throws changes nothing.
 *
 * <pre>
 *             getValue             setValue              remove
 *  NONE       ACCESS or LOAD       PUT                   REMOVE
 *  ACCESS     ACCESS               PUT                   REMOVE
 *  LOAD       LOAD                 PUT                   NONE: it is not in the cache
 *  PUT        PUT                  PUT                   NONE if created by this call, else REMOVE
 *  REMOVE     REMOVE               PUT                   REMOVE
 * </pre>
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
final class Invocation<K, V> implements MutableEntry<K, V> {
    /** The recorded change of the entry. */
    private enum Change { NONE, ACCESS, LOAD, PUT, REMOVE }

    private final CacheCore<K, V> core;
    private final LockedEntry<K, V> held;
    private final K key;
    private final boolean existed;
    private final long start;
    private Change change = Change.NONE;
    private @Nullable V value;

    private Invocation(CacheCore<K, V> core, LockedEntry<K, V> held, K key, long start) {
        this.core = core;
        this.held = held;
        this.key = key;
        this.existed = held.exists();
        this.start = start;
    }

    /**
     * Calls a processor and executes its changes.
     *
     * @return the result of the processor
     * @throws EntryProcessorException if the processor throws
     */
    static <K, V, T> @Nullable T run(CacheCore<K, V> core, K key, EntryProcessor<K, V, T> processor,
                                     Object[] arguments) {
        core.checkOpen();
        long start = core.statistics.start();
        byte[] keyBytes = core.keyBytes(key);
        try (LockedEntry<K, V> held = LockedEntry.of(core, keyBytes)) {
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
        switch (change) {
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

    // ---- the entry as the processor sees it ----

    @Override
    public K getKey() {
        return key;
    }

    @Override
    public boolean exists() {
        return change == Change.NONE ? existed : change != Change.REMOVE && value != null;
    }

    @Override
    public @Nullable V getValue() {
        if (change == Change.NONE && existed) {
            value = held.value();
            change = Change.ACCESS;
        } else if (change == Change.NONE && core.loading.isReadThrough()) {
            value = core.loading.load(key);
            change = value == null ? Change.NONE : Change.LOAD;
        }
        return value;
    }

    @Override
    public void setValue(V newValue) {
        Objects.requireNonNull(newValue, "value");
        value = newValue;
        change = Change.PUT;
    }

    @Override
    public void remove() {
        value = null;
        change = !existed && (change == Change.PUT || change == Change.LOAD) ? Change.NONE : Change.REMOVE;
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        return SimpleEntry.unwrap(this, type);
    }
}
