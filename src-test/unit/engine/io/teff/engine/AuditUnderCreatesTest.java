package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.engine.error.Status;
import io.teff.test.kit.Threads;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * Goal: an audit reports nothing while chunks are created that their threads hold.
 *
 * <p>Method: threads create such chunks, and others remove them, while one audits. An index that is issued is in no
 * list until its chunk is published.
 */
final class AuditUnderCreatesTest {
    private static final int THREADS = 2;
    private static final int AUDITS = 3_000;

    @Test
    void audit_whileHeldChunksAreCreated_reportsNothing() throws InterruptedException {
        try (Store store = Stores.open(16)) {
            AtomicBoolean isDone = new AtomicBoolean();
            Threads.Running creating = Threads.start("creating", ignored ->
                Threads.runAll(THREADS, number -> create(store, isDone)));
            try {
                for (int i = 0; i < AUDITS; i++) {
                    store.audit();
                }
            } finally {
                isDone.set(true);
                creating.end();
            }
            store.audit();
            assertEquals(0, store.stats().chunks());
        }
    }

    private static void create(Store store, AtomicBoolean isDone) {
        byte[] content = new byte[20];
        while (!isDone.get()) {
            long cid = store.locks().create(content, 0, content.length, true);
            assertEquals(content.length, store.remove(cid));
            assertEquals(Status.ABSENT, store.size(cid));
        }
    }
}
