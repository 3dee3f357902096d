package io.teff.engine.cache;

import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.hash.StampLayout;
import io.teff.engine.hash.StampedEntry;
import io.teff.engine.hash.StampedMap;
import io.teff.engine.hash.StampedRead;
import io.teff.engine.map.AtomicMap;
import io.teff.engine.map.EncodedBytes;
import io.teff.engine.map.EntryChange;
import io.teff.engine.map.EntryRange;
import io.teff.engine.map.Removal;
import io.teff.engine.os.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Implements {@link CacheMap} on a {@link StampedMap}.
 *
 * <p>Each change decides under the writer lock of its key what leaves the map, and notes it in a {@link CacheTurn}.
 * After the lock is released, the turn's removal is counted and reported, the walk for expired entries moves on, and
 * the limit is restored. A change that throws has no removal to report. So each removal is reported once.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
final class StoreCache<K, V> extends AtomicMap<K, V> implements CacheMap<K, V> {
    private final StampedMap<K, V> entries;
    private final Deadlines<K, V> deadlines;
    private final @Nullable RemovalListener<? super K, ? super V> listener;
    private final InstantSource time;
    private final CacheCounters counters;
    private final CacheRoom<K, V> room;
    private final CacheLoads<K, V> loads;
    private final @Nullable CacheCleaner cleaner;
    private volatile boolean isClosed;

    StoreCache(StampedMap<K, V> entries, CacheSettings<K, V> settings, Clock system) {
        this.entries = entries;
        deadlines = settings.deadlines();
        listener = settings.listener();
        InstantSource given = settings.clock();
        time = given != null ? given : new CacheTime(system);
        counters = new CacheCounters(settings.isCounting());
        room = new CacheRoom<>(entries, settings, this::evict);
        loads = new CacheLoads<>(settings, counters, system);
        ScheduledExecutorService runs = settings.cleaner();
        cleaner = runs == null ? null : new CacheCleaner(runs, settings.cleanEvery());
    }

    /** Begins the regular cleaning, if the settings ask for it. */
    void begin() {
        if (cleaner != null) {
            cleaner.begin(this::cleanUp);
        }
    }

    // ---- state ----

    @Override
    protected void check() {
        checkOpen();
        entries.check();
    }

    private void checkOpen() {
        if (isClosed) {
            throw new IllegalStateException("the cache is closed");
        }
    }

    private void checkExpiring() {
        if (!deadlines.isExpiring()) {
            throw new IllegalStateException("the entries of this cache do not expire: its settings have no expiry");
        }
    }

    private long now() {
        checkOpen();
        return time.millis();
    }

    @Override
    public void close() {
        synchronized (entries) {
            if (isClosed) {
                return;
            }
            isClosed = true;
        }
        if (cleaner != null) {
            cleaner.end();
        }
        loads.outdateAll();
        entries.release();
    }

    @Override
    public long longSize() {
        checkOpen();
        return entries.longSize();
    }

    @Override
    public long memoryBytes() {
        checkOpen();
        return entries.memoryBytes();
    }

    @Override
    public long policyBytes() {
        return room.policyBytes();
    }

    @Override
    public void audit() {
        checkOpen();
        entries.audit();
    }

    @Override
    public CacheStatistics statistics() {
        return counters.now();
    }

    // ---- reading ----

    @Override
    public @Nullable V get(Object key) {
        long nowMs = now();
        StampedRead<V> read = find(key, nowMs);
        V value = read.value();
        counters.read(value != null);
        if (value == null) {
            if (read.exists()) {
                evict(read.hash(), RemovalCause.EXPIRED);
            }
            return null;
        }
        room.used(read.hash());
        if (deadlines.movesOnRead()) {
            moveDeadline(known(key), value, read, nowMs);
        }
        if (deadlines.isOld(read.written(), nowMs)) {
            loads.refreshOld(known(key), entries.keyBytes(known(key)), this::storeRefreshed);
        }
        return value;
    }

    /** Casts a key that has an entry. */
    @SuppressWarnings("unchecked")
    private K known(Object key) {
        return (K) key;
    }

    private StampedRead<V> find(Object key, long nowMs) {
        StampedRead<V> read = new StampedRead<>();
        entries.find(Objects.requireNonNull(key), read, nowMs);
        return read;
    }

    /** Moves the deadline of an entry that was read, unless another thread has changed the entry. */
    private void moveDeadline(K key, V value, StampedRead<V> read, long nowMs) {
        long next = deadlines.onRead(key, value, read.deadline(), read.written(), nowMs);
        if (next == read.deadline()) {
            return;
        }
        try {
            entries.change(key, false, false, entry -> {
                if (entry.isLive(nowMs) && entry.deadline() == read.deadline()) {
                    entry.stamp(next);
                }
            });
        } catch (StoreException e) {
            if (e.category() != Category.DEGRADED) {            // a full or read-only disk does not refuse reads
                throw e;
            }
        }
    }

    @Override
    public boolean containsKey(Object key) {
        return find(key, now()).value() != null;
    }

    @Override
    public @Nullable V peek(K key) {
        return find(key, now()).value();
    }

    @Override
    public Map<K, V> getAll(Collection<? extends K> wanted) {
        return each(wanted, this::get);
    }

    private Map<K, V> each(Collection<? extends K> wanted, Function<K, @Nullable V> read) {
        check();
        Map<K, V> found = HashMap.newHashMap(wanted.size());
        for (K key : wanted) {
            V value = read.apply(key);
            if (value != null) {
                found.put(key, value);
            }
        }
        return found;
    }

    @Override
    public @Nullable Duration timeLeft(K key) {
        long nowMs = now();
        StampedRead<V> read = find(key, nowMs);
        if (read.value() == null) {
            return null;
        }
        Duration left = Deadlines.left(read.deadline(), nowMs);
        return left == null ? FOREVER : left;
    }

    // ---- changing ----

    /** Changes an entry, and does afterwards what the change requires. */
    private CacheTurn<K, V> change(Object key, boolean isPut, boolean isToAdd,
                              BiConsumer<CacheTurn<K, V>, StampedEntry<K, V>> decision) {
        CacheTurn<K, V> turn = new CacheTurn<>(now(), listener != null);
        entries.change(key, isPut, isToAdd, entry -> {
            turn.see(entry);
            decision.accept(turn, entry);
        });
        end(turn);
        return turn;
    }

    private CacheTurn<K, V> write(K key, BiConsumer<CacheTurn<K, V>, StampedEntry<K, V>> decision) {
        return change(key, true, true, decision);
    }

    private void end(CacheTurn<K, V> turn) {
        RemovalCause cause = turn.cause();
        if (cause != null) {
            counters.removed(cause);
        }
        try {
            if (turn.isPut()) {
                room.wrote(turn.hash(), turn.isAdded(), turn.nowMs());
            }
        } finally {
            RemovalListener<? super K, ? super V> hears = listener;
            if (hears != null) {
                turn.report(hears);
            }
        }
    }

    /** Notes that a load of the key, if one runs, is older than a change. */
    private void outdate(StampedEntry<K, V> entry) {
        if (!loads.isIdle()) {
            loads.outdate(entry.keyBytes());
        }
    }

    private void remove(CacheTurn<K, V> turn, StampedEntry<K, V> entry) {
        outdate(entry);
        turn.remove(entry, RemovalCause.EXPLICIT);
    }

    private void put(CacheTurn<K, V> turn, StampedEntry<K, V> entry, K key, V value) {
        long nowMs = turn.nowMs();
        long deadline;
        if (deadlines.lifetime() == null) {
            deadline = turn.wasLive() ? deadlines.onUpdate(key, value, entry.deadline(), nowMs)
                : deadlines.onCreate(key, value, nowMs);
        } else {
            entries.beginCall();
            try {
                deadline = turn.wasLive() ? deadlines.onUpdate(key, value, entry.deadline(), nowMs)
                    : deadlines.onCreate(key, value, nowMs);
            } finally {
                entries.endCall();
            }
        }
        put(turn, entry, value, deadline);
    }

    private void put(CacheTurn<K, V> turn, StampedEntry<K, V> entry, V value, long deadline) {
        outdate(entry);
        turn.put(entry, value, deadline, StampLayout.stamp(turn.nowMs()));
    }

    @Override
    @SuppressWarnings("ReferenceEquality")                    // an identical object was read, not written
    protected void change(Object key, boolean isPut, boolean isAlways, EntryChange<V> change) {
        change(key, isPut, isPut || isAlways, (turn, entry) -> {
            V before = turn.readBefore(entry);
            V after = change.apply(before);
            if (after == null) {
                remove(turn, entry);
            } else if (isAlways || after != before) {
                put(turn, entry, known(key), after);
            } else if (deadlines.lifetime() == null) {
                entry.stamp(deadlines.onRead(known(key), after, entry.deadline(), entry.written(), turn.nowMs()));
            }
        });
    }

    /** {@inheritDoc} Unlike other functions, this one does not write a value again that another thread has just put. */
    @Override
    public @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> function) {
        Objects.requireNonNull(function);
        V present = get(key);
        if (present != null) {
            return present;
        }
        EntryChange<V> change = new EntryChange<>(before -> {
            if (before != null) {
                return before;
            }
            beginCall();
            try {
                return function.apply(key);
            } finally {
                endCall();
            }
        });
        change(key, true, false, change);
        return change.after();
    }

    @Override
    protected void beginCall() {
        entries.beginCall();
    }

    @Override
    protected void endCall() {
        entries.endCall();
    }

    @Override
    public boolean set(K key, V value) {
        Objects.requireNonNull(value);
        return !write(key, (turn, entry) -> put(turn, entry, key, value)).wasLive();
    }

    @Override
    public @Nullable V put(K key, V value) {
        Objects.requireNonNull(value);
        return write(key, (turn, entry) -> {
            turn.readBefore(entry);
            put(turn, entry, key, value);
        }).before();
    }

    @Override
    public @Nullable V put(K key, V value, Duration lifetime) {
        Objects.requireNonNull(value);
        checkExpiring();
        long lifetimeMs = Deadlines.millis(lifetime);
        return write(key, (turn, entry) -> {
            turn.readBefore(entry);
            put(turn, entry, value, StampLayout.deadline(turn.nowMs(), lifetimeMs));
        }).before();
    }

    @Override
    public boolean expireAfter(K key, Duration left) {
        checkExpiring();
        long leftMs = Deadlines.millis(left);
        return change(key, false, false, (turn, entry) -> {
            if (turn.wasLive()) {
                entry.stamp(StampLayout.deadline(turn.nowMs(), leftMs));
            }
        }).wasLive();
    }

    @Override
    public boolean delete(K key) {
        return change(Objects.requireNonNull(key), false, false, this::remove).wasLive();
    }

    @Override
    protected Removal removeShown(K key, EncodedBytes value) {
        Removal[] result = {Removal.ABSENT};
        change(key, false, false, (turn, entry) -> {
            if (turn.wasLive() && entry.hasBytes(value)) {
                remove(turn, entry);
                result[0] = Removal.REMOVED;
            } else if (turn.wasLive()) {
                entry.copyValue(value);
                result[0] = Removal.CHANGED;
            }
        });
        return result[0];
    }

    @Override
    protected void encode(V value, EncodedBytes target) {
        entries.encode(value, target);
    }

    @Override
    protected V decode(EncodedBytes value) {
        return entries.decode(value);
    }

    @Override
    protected EntryRange<K, V> range(boolean hasValues) {
        check();
        return entries.live(now());
    }

    @Override
    public void clear() {
        check();
        loads.outdateAll();
        if (listener == null) {
            entries.clear();
        } else {
            ExpiryScan.hashes(entries, hash -> evict(hash, RemovalCause.EXPLICIT));
        }
    }

    /** Removes the entry with a hash, unless it is live and its time shall be over; returns whether it was removed. */
    private boolean evict(long hash, RemovalCause cause) {
        CacheTurn<K, V> turn = new CacheTurn<>(now(), listener != null);
        entries.change(hash, entry -> {
            turn.see(entry);
            if (!turn.wasLive() || cause != RemovalCause.EXPIRED) {
                turn.remove(entry, cause);
            }
        });
        end(turn);
        return turn.cause() != null;
    }

    @Override
    public void cleanUp() {
        check();
        room.cleanUp(now());
    }

    // ---- loading ----

    @Override
    public @Nullable V getOrLoad(K key) {
        return getOrLoad(key, loads.loader());
    }

    @Override
    public @Nullable V getOrLoad(K key, Function<? super K, ? extends @Nullable V> loader) {
        Objects.requireNonNull(loader);
        V present = get(key);
        return present != null ? present
            : loads.load(key, entries.keyBytes(key), loader, this::peek, this::storeLoaded);
    }

    @Override
    public Map<K, V> getAllOrLoad(Collection<? extends K> wanted) {
        Function<? super K, ? extends @Nullable V> loader = loads.loader();
        return each(wanted, key -> getOrLoad(key, loader));
    }

    @Override
    public CompletableFuture<@Nullable V> refresh(K key) {
        check();
        return loads.refresh(key, entries.keyBytes(key), this::storeRefreshed);
    }

    private void storeLoaded(K key, @Nullable V value, Loads.Load<V> load) {
        if (value != null) {
            storeUnless(load, key, (turn, entry) -> {
                if (!turn.wasLive()) {
                    put(turn, entry, key, value);
                }
            });
        }
    }

    private void storeRefreshed(K key, @Nullable V value, Loads.Load<V> load) {
        storeUnless(load, key, (turn, entry) -> {
            if (value != null) {
                put(turn, entry, key, value);
            } else {
                remove(turn, entry);
            }
        });
    }

    /** Stores the result of a load unless the entry was changed, or the cache closed, since it began. */
    private void storeUnless(Loads.Load<V> load, K key, BiConsumer<CacheTurn<K, V>, StampedEntry<K, V>> decision) {
        if (!isClosed) {
            write(key, (turn, entry) -> {
                if (!load.isOutdated()) {
                    decision.accept(turn, entry);
                }
            });
        }
    }
}
