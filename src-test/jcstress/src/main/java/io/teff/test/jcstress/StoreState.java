package io.teff.test.jcstress;

import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jcstress.annotations.State;

/** A chunk of eight bytes in a store that all states share and that is defragmented continuously. */
@State
public class StoreState {
    static final int SHORT = 8;
    static final int LONG = 24;
    static final Store STORE = Store.open(StoreConfig.builder().name("jcstress").memoryLimitBytes(256L << 20).build());

    private static final long REST_NS = 50_000;

    static {
        Thread.ofPlatform().daemon().name("defragmenter").start(() -> {
            while (STORE.isOpen()) {
                STORE.defragment();
                LockSupport.parkNanos(REST_NS);
            }
        });
    }

    private static final byte[] BEFORE = filled(SHORT, 1);
    private static final byte[] AFTER = filled(LONG, 2);

    final long cid = STORE.create(BEFORE);
    final byte[] target = new byte[LONG];

    private static byte[] filled(int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    /** Replaces the content by one of another length, in new memory; the old memory can be reused at once. */
    final void replace() {
        STORE.put(cid, AFTER);
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
