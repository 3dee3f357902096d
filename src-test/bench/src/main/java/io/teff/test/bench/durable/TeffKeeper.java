package io.teff.test.bench.durable;

import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.recovery.DurableConfig;
import io.teff.recovery.DurableStore;
import io.teff.recovery.Level;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/** Teff's durable store; names are CIDs. */
final class TeffKeeper implements Keeper {
    private final DurableStore durable;
    private final Store store;
    private final ThreadLocal<Lists> lists = ThreadLocal.withInitial(Lists::new);

    TeffKeeper(Path folder, Keeping keeping, long memoryBytes, UnaryOperator<DurableConfig.Builder> more) {
        durable = DurableStore.open(folder, more.apply(DurableConfig.builder()
            .level(keeping == Keeping.SYNCED ? Level.SYNCED : Level.LOGGED)
            .store(StoreConfig.builder().name("bench").nid(1).memoryLimitBytes(memoryBytes).build())).build());
        store = durable.store();
    }

    /** The buffers of one thread for its batches. */
    private static final class Lists {
        private int[] lengths = {};
        private int[] statuses = {};

        void prepare(int count, int bytes) {
            if (lengths.length != count) {
                lengths = new int[count];
                statuses = new int[count];
            }
            Arrays.fill(lengths, bytes);
        }
    }

    Store store() {
        return store;
    }

    @Override
    public long create(long key, byte[] value) {
        return made(store.create(value), key);
    }

    private static long made(long cid, long key) {
        if (Status.isStatus(cid)) {
            throw new IllegalStateException("key=" + key + ": " + Status.name(cid));
        }
        return cid;
    }

    @Override
    public void put(long name, byte[] value) {
        int status = store.put(name, value);
        if (status != Status.OK) {
            throw new IllegalStateException(Cid.toString(name) + ": " + Status.name(status));
        }
    }

    @Override
    public boolean get(long name, byte[] target) {
        return store.get(name, target) == Values.BYTES;
    }

    @Override
    public void createAll(long firstKey, byte[] values, long[] names) {
        createAll(firstKey, values, Values.BYTES, names);
    }

    /** As {@link Keeper#createAll}, with values of another length. */
    void createAll(long firstKey, byte[] values, int bytes, long[] names) {
        Lists own = lists.get();
        own.prepare(names.length, bytes);
        store.batch().create(MemorySegment.ofArray(values), own.lengths, names, 0, true);
        made(names[names.length - 1], firstKey);
    }

    @Override
    public void putAll(long[] names, byte[] values) {
        putAll(names, values, Values.BYTES);
    }

    /** As {@link Keeper#putAll}, with values of another length. */
    void putAll(long[] names, byte[] values, int bytes) {
        Lists own = lists.get();
        own.prepare(names.length, bytes);
        int good = store.batch().put(names, 0, MemorySegment.ofArray(values), own.lengths, own.statuses);
        if (good != names.length) {
            throw new IllegalStateException(names.length - good + " of " + names.length + " puts failed: "
                + Arrays.toString(own.statuses));
        }
    }

    @Override
    public void sync() {
        durable.sync();
    }

    @Override
    public void close() {
        durable.close();
    }
}
