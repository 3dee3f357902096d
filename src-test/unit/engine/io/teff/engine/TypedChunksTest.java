package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.schema.Schema;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: objects in chunks have the guarantees of chunks.
 *
 * <p>Method: objects of many sizes, many threads, each mistake of a caller once.
 */
final class TypedChunksTest {
    record Account(String owner, long cents) {}

    private final Store store = Store.open(StoreConfig.builder().memoryLimitBytes(64 << 20).build());
    private final Schema<Account> schema = Schema.of(Account.class);
    private final TypedChunks<Account> accounts = new TypedChunks<>(store, schema);

    @AfterEach
    void close() {
        store.audit();
        store.close();
    }

    @Test
    void get_objectOfAnySize_isEqual() {
        for (int length : new int[] {0, 1, 200, 256, 300, 5000, 70_000, 3_000_000, 10}) {
            Account account = new Account("x".repeat(length), length);
            long cid = accounts.create(account);
            assertEquals(Optional.of(account), accounts.get(cid));
            accounts.put(cid, new Account("y", 2));
            assertEquals(Optional.of(new Account("y", 2)), accounts.get(cid));
            assertTrue(accounts.remove(cid));
            assertEquals(Optional.empty(), accounts.get(cid));
            assertFalse(accounts.remove(cid));
        }
    }

    @Test
    void fields_offsetOfTheSchema_changesTheObjectInPlace() {
        long cid = accounts.create(new Account("me", 40));
        store.fields().getAndAddLong(cid, schema.offset("cents"), 2);
        assertEquals(Optional.of(new Account("me", 42)), accounts.get(cid));
    }

    @Test
    void update_manyThreads_isAtomic() throws InterruptedException, ExecutionException {
        long cid = accounts.create(new Account("all", 0));
        List<Future<?>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 40; i++) {
                running.add(threads.submit(() -> {
                    for (int step = 0; step < 250; step++) {
                        accounts.update(cid, account -> new Account(account.owner(), account.cents() + 1));
                    }
                }));
            }
        }
        for (Future<?> future : running) {
            future.get();
        }
        assertEquals(10_000, accounts.get(cid).orElseThrow().cents());
        assertThrows(IllegalStateException.class, () -> accounts.update(cid, account -> {
            throw new IllegalStateException("no");
        }));
        assertEquals(10_001, accounts.update(cid, account -> new Account("x", account.cents() + 1)).cents());
    }

    /** Uses more threads than buffers, so that some threads share an entry of the pool. */
    @Test
    void put_manyThreads_keepsObjectsApart() throws InterruptedException, ExecutionException {
        List<Future<?>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(40)) {
            for (int i = 0; i < 40; i++) {
                int number = i;
                running.add(threads.submit(() -> {
                    long cid = accounts.create(new Account("n" + number, number));
                    for (int step = 0; step < 2000; step++) {
                        Account account = new Account("n".repeat(1 + step % 50) + number, number);
                        accounts.put(cid, account);
                        assertEquals(account, accounts.get(cid).orElseThrow());
                    }
                }));
            }
        }
        for (Future<?> future : running) {
            future.get();
        }
    }

    @Test
    void operations_mistakesOfTheCaller_throw() {
        long none = Cid.of(0, 1 << 20);
        assertThrows(NoSuchElementException.class, () -> accounts.put(none, new Account("x", 1)));
        assertThrows(NoSuchElementException.class, () -> accounts.update(none, account -> account));
        long foreign = store.create(new byte[] {1, 2, 3});
        assertThrows(MalformedException.class, () -> accounts.get(foreign));
        long longer = store.create(new byte[100]);
        assertTrue(assertThrows(MalformedException.class, () -> accounts.get(longer)).getMessage()
            .contains("bytes behind the object"));
        assertThrows(StoreException.class, () -> accounts.create(new Account("x".repeat(100 << 20), 1)));
    }
}
