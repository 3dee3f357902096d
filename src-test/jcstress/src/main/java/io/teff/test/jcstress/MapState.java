package io.teff.test.jcstress;

import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.config.StoreConfig;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.State;

/** A key of its own in a map that all states share; their keys make the map grow and shrink. */
@State
public class MapState {
    static final int SHORT = 8;
    static final int LONG = 100;
    static final ChunkLongMap<byte[]> MAP = Store.open(StoreConfig.builder().name("jcstress-map")
        .memoryLimitBytes(512L << 20).build()).longMap("map", Codecs.BYTES);

    private static final AtomicLong KEYS = new AtomicLong();
    private static final byte[] BEFORE = filled(SHORT, 1);
    private static final byte[] AFTER = filled(LONG, 2);

    final long key = KEYS.incrementAndGet();
    final byte[] target = new byte[LONG];

    /** Puts the first value. */
    public MapState() {
        MAP.setBytes(key, BEFORE, 0, SHORT);
    }

    private static byte[] filled(int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    /** Replaces the value by one of another length: the entries behind it move, or the bucket moves to new memory. */
    final void replace() {
        MAP.setBytes(key, AFTER, 0, LONG);
    }

    final int get() {
        return MAP.getBytes(key, target, 0);
    }

    /** Returns the common value of all bytes, or -1. */
    final int valueOf(int length) {
        for (int i = 1; i < length; i++) {
            if (target[i] != target[0]) {
                return -1;
            }
        }
        return target[0];
    }
}
