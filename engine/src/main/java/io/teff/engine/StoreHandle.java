package io.teff.engine;

import io.teff.engine.care.StoreCare;
import java.lang.System.Logger;
import java.lang.ref.Cleaner;

/**
 * Keeps a store open while an application can reach it. Every object that an application gets from a store refers to
 * the store's handle. When the handle becomes unreachable and the store was not closed, it is closed, with a warning
 * that has the stack trace of its opening.
 */
final class StoreHandle {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final Logger LOGGER = System.getLogger(StoreHandle.class.getPackageName());

    private final StoreCare care;
    private final Cleaner.Cleanable leak;

    StoreHandle(String name, StoreCare care) {
        this.care = care;
        this.leak = CLEANER.register(this, new Leak(name, care, new Throwable("the store was opened here")));
    }

    /** Closes a store whose handle is unreachable. */
    private record Leak(String name, StoreCare care, Throwable site) implements Runnable {
        @Override
        public void run() {
            if (care.close()) {
                LOGGER.log(Logger.Level.WARNING, "store " + name + " was not closed", site);
            }
        }
    }

    /** Closes the store; idempotent. */
    void close() {
        care.close();
        leak.clean();
    }
}
