package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.collect.ChunkMap;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.os.Platform;
import io.teff.engine.query.Field;
import io.teff.engine.query.IndexedMap;
import io.teff.engine.query.UniqueViolationException;
import io.teff.recovery.disk.Choices;
import io.teff.recovery.disk.FaultDisk;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: an index of a durable store equals its map after a restart, after the death of the process, and after a power
 * cut that keeps or loses any unsynced write.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class DurableIndexTest {
    private static final Path FOLDER = FaultDisk.ROOT.resolve("data");
    private static final int ROUNDS = Form.size(2, 12, 60);
    private static final int CUTS = Form.size(1, 3, 3);
    private static final int THREADS = 3;
    private static final int CHANGES = 300;
    private static final int KEYS = 400;

    /** A value. */
    private record Account(String owner, int branch, long cents) {
        static final Field<Account, String> OWNER = Field.of(Account.class, "owner", String.class);
        static final Field<Account, Integer> BRANCH = Field.of(Account.class, "branch", int.class);
    }

    private static DurableStore open(FaultDisk disk) {
        return DurableStore.open(FOLDER, DurableConfig.builder().store(StoreConfig.builder().nid(3)
            .memoryLimitBytes(128 << 20).build()).writeBufferBytes(1 << 23).segmentBytes(1 << 21)
            .platform(Platform.SYSTEM.withDisk(disk)).build());
    }

    private static IndexedMap<Long, Account> accounts(DurableStore durable) {
        ChunkMap<Long, Account> map = durable.store().map("accounts", Long.class, Account.class);
        return IndexedMap.of(map).index("by branch", Account.BRANCH).uniqueIndex("by owner", Account.OWNER);
    }

    private static void change(ChunkMap<Long, Account> map, SplittableRandom random) {
        long key = random.nextInt(KEYS);
        Account account = new Account("owner " + random.nextInt(KEYS * 2), random.nextInt(30), random.nextInt());
        try {
            if (random.nextInt(4) == 0) {
                map.remove(key);
            } else {
                map.put(key, account);
            }
        } catch (UniqueViolationException e) {
            assertEquals("owner = '" + account.owner() + "'", e.key());
        }
    }

    private static void check(FaultDisk image) {
        try (DurableStore durable = open(image)) {
            IndexedMap<Long, Account> accounts = accounts(durable);
            accounts.audit();
            for (int branch = 0; branch < 30; branch++) {
                int wanted = branch;
                assertEquals(accounts.map().values().stream().filter(it -> it.branch() == wanted).count(),
                    accounts.where(Account.BRANCH.equalTo(branch)).stream().count());
            }
            durable.store().audit();
        }
    }

    @Test
    void indexes_afterAnyCrash_equalTheMap() throws InterruptedException {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        FaultDisk disk = new FaultDisk();
        try (DurableStore durable = open(disk)) {
            IndexedMap<Long, Account> accounts = accounts(durable);
            for (int round = 0; round < ROUNDS; round++) {
                long own = seed + round * 100L;
                Threads.runAll(THREADS, number -> {
                    SplittableRandom choice = Seed.random(own + number);
                    for (int i = 0; i < CHANGES; i++) {
                        change(accounts.map(), choice);
                    }
                });
                accounts.audit();
                check(disk.killed());
                for (int cut = 0; cut < CUTS; cut++) {
                    check(disk.powerCut(Choices.random(random.nextLong())));
                }
            }
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(Seed.reproduce(getClass(), seed), e);
        }
    }

    @Test
    void index_afterARestart_isOpenedAndNotBuilt() {
        FaultDisk disk = new FaultDisk();
        try (DurableStore durable = open(disk)) {
            IndexedMap<Long, Account> accounts = accounts(durable);
            for (long key = 0; key < KEYS; key++) {
                accounts.map().put(key, new Account("owner " + key, (int) key % 30, key));
            }
        }
        try (DurableStore durable = open(disk)) {
            ChunkMap<Long, Account> map = durable.store().map("accounts", Long.class, Account.class);
            assertThrows(IllegalStateException.class, () -> map.put(1L, new Account("me", 1, 1)));
            long chunks = durable.store().stats().chunks();
            IndexedMap<Long, Account> accounts = accounts(durable);
            assertEquals(chunks, durable.store().stats().chunks());
            assertEquals(5, accounts.where(Account.OWNER.equalTo("owner 5")).first().orElseThrow().cents());
            map.put(5L, new Account("me", 1, 1));
            assertTrue(accounts.where(Account.OWNER.equalTo("owner 5")).first().isEmpty());
            accounts.audit();
        }
    }
}
