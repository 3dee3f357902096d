package io.teff.test.bench.durable;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.lmdbjava.ByteBufferProxy;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.Txn;

/** LMDB: a transaction per call, synced or not. */
final class LmdbKeeper implements Keeper {
    private static final int READERS_MAX = 256;
    private static final long MAP_BYTES_PER_ENTRY = 512;
    private static final long MAP_BYTES_FIXED = 1L << 30;

    private final Env<ByteBuffer> env;
    private final Dbi<ByteBuffer> dbi;
    private final ThreadLocal<Buffers> buffers = ThreadLocal.withInitial(Buffers::new);

    LmdbKeeper(Path folder, Keeping keeping, long entries) {
        EnvFlags[] flags = keeping == Keeping.SYNCED ? new EnvFlags[0] : new EnvFlags[] {EnvFlags.MDB_NOSYNC};
        env = Env.create(ByteBufferProxy.PROXY_OPTIMAL).setMapSize(MAP_BYTES_FIXED + MAP_BYTES_PER_ENTRY * entries)
            .setMaxReaders(READERS_MAX).setMaxDbs(1).open(folder.toFile(), flags);
        dbi = env.openDbi("bench", DbiFlags.MDB_CREATE, DbiFlags.MDB_INTEGERKEY);
    }

    /** Key and value of one thread. */
    private static final class Buffers {
        private final ByteBuffer key = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
        private final ByteBuffer value = ByteBuffer.allocateDirect(Values.BYTES);

        ByteBuffer key(long name) {
            return key.clear().putLong(name).flip();
        }
    }

    @Override
    public long create(long key, byte[] value) {
        put(key, value);
        return key;
    }

    @Override
    public void put(long name, byte[] value) {
        putAll(new long[] {name}, value);
    }

    @Override
    public boolean get(long name, byte[] target) {
        try (Txn<ByteBuffer> txn = env.txnRead()) {
            ByteBuffer found = dbi.get(txn, buffers.get().key(name));
            if (found == null || found.remaining() != Values.BYTES) {
                return false;
            }
            found.get(target, 0, Values.BYTES);
            return true;
        }
    }

    @Override
    public void createAll(long firstKey, byte[] values, long[] names) {
        for (int i = 0; i < names.length; i++) {
            names[i] = firstKey + i;
        }
        putAll(names, values);
    }

    @Override
    public void putAll(long[] names, byte[] values) {
        Buffers own = buffers.get();
        try (Txn<ByteBuffer> txn = env.txnWrite()) {
            for (int i = 0; i < names.length; i++) {
                dbi.put(txn, own.key(names[i]), own.value.clear().put(values, i * Values.BYTES, Values.BYTES).flip());
            }
            txn.commit();
        }
    }

    @Override
    public void sync() {
        env.sync(true);
    }

    @Override
    public void close() {
        env.close();
    }
}
