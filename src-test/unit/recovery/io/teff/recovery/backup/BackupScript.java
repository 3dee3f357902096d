package io.teff.recovery.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFullException;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.RunLayout;
import io.teff.recovery.log.file.LogConfig;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** A log of a backup without threads, driven at random, and what it must have, also after a crash. */
final class BackupScript {
    static final LogConfig SIZES =
        new LogConfig(1 << 14, 1 << 14, 4096, 24_576, 2, Integer.MAX_VALUE, 4096, 3, 1, 60, 40);
    static final Path FOLDER = FaultDisk.ROOT.resolve("log");
    private static final int ZONES = 3;
    private static final int CHUNKS = 9;
    private static final long RANGE = 1L << 20;

    /** All records of a copy, and the number up to which they were reported as synced. */
    private static final class Told {
        private final List<TestRun.Record> records = new ArrayList<>();
        private long logged;
        private long synced;
    }

    FaultDisk disk = new FaultDisk();
    /** Whether a call to the disk fails. */
    boolean isFailing;
    /** Whether the process is killed at times. */
    boolean dies;
    private final SplittableRandom random;
    private final Map<ZoneCopy, Told> copies = new HashMap<>();
    /** Copies that were dropped; a crash may bring them back until the log has written it. */
    private final Map<ZoneCopy, Told> dropped = new HashMap<>();
    private final Map<Integer, Integer> current = new TreeMap<>();
    private BackupLog log;
    int refusals;
    int tails;
    long cleanings;

    BackupScript(long seed) {
        this.random = new SplittableRandom(seed);
    }

    static BackupConfig config(Disk disk, boolean hasThreads) {
        AtomicLong names = new AtomicLong(77);
        return BackupConfig.builder().sizes(SIZES).ownThreads(hasThreads).openThreads(1).nid(99)
            .platform(Platform.SYSTEM.withDisk(disk).withChance(names::getAndIncrement)).build();
    }

    static BackupLog open(Disk disk) {
        return BackupLog.open(FOLDER, config(disk, false));
    }

    /** Runs the script. */
    void play(int steps) {
        log = reopen(disk);
        for (int step = 0; step < steps; step++) {
            switch (random.nextInt(40)) {
                case 0 -> restart();
                case 1 -> drop();
                case 2, 3 -> check(log, true);
                case 4, 5, 6 -> tail();
                case 7, 8, 9, 10 -> askForSync();
                case 11, 12, 13, 14, 15, 16 -> log.work();
                default -> append();
            }
        }
        workAll();
        check(log, true);
        log.audit();
        cleanings += log.stats().cleanings();
        close();
        log = reopen(disk);
        check(log, true);
        close();
    }

    /** Opens a log; a full disk may have passed at the second try. */
    private static BackupLog reopen(FaultDisk disk) {
        try {
            return open(disk);
        } catch (StoreException e) {
            if (e.category() != Category.DEGRADED) {
                throw e;
            }
            return open(disk);
        }
    }

    private void restart() {
        cleanings += log.stats().cleanings();
        if (random.nextBoolean()) {
            close();
            log = reopen(disk);
        } else {
            FaultDisk left = disk.killed();
            check(left, true);
            if (dies) {
                disk = left;
                log = reopen(disk);
            }
        }
    }

    /** Closes the log, or leaves it as after a kill if the disk is full. */
    private void close() {
        try {
            log.close();
            copies.values().forEach(told -> told.synced = told.logged);
        } catch (StoreException e) {
            if (!(e.getCause() != null && e.getCause().getCause() instanceof DiskFullException)) {
                throw e;
            }
        }
    }

    // ---- appending ----

    private ZoneCopy any() {
        int zone = random.nextInt(1, 1 + ZONES);
        return new ZoneCopy(zone, current.computeIfAbsent(zone, _ -> 1));
    }

    private void append() {
        ZoneCopy copy = any();
        Told told = copies.computeIfAbsent(copy, _ -> new Told());
        List<TestRun.Record> records = new ArrayList<>();
        long number = told.logged;
        for (int count = random.nextInt(1, 6); count > 0; count--) {
            int epoch = (int) (number >>> RunLayout.COUNTER_BITS);
            boolean isNewEpoch = number == 0 || random.nextInt(30) == 0;
            long next = TestRun.number(isNewEpoch ? Math.min(0xFFFF, epoch + random.nextInt(1, 0x4000)) : epoch,
                RunLayout.counter(number) + 1);
            records.add(new TestRun.Record(next, entries(copy.zone(), number)));
            number = next;
        }
        int repeated = Math.min(told.records.size(), random.nextInt(4) == 0 ? random.nextInt(4) : 0);
        List<TestRun.Record> sent = new ArrayList<>(told.records.subList(told.records.size() - repeated,
            told.records.size()));
        sent.addAll(records);
        byte[] bytes = new TestRun(copy.zone(), sent).bytes();
        MemorySegment run = MemorySegment.ofArray(bytes);
        told.records.addAll(records);                           // an image may be taken meanwhile
        for (int tries = 0; !log.append(copy, run, 0, bytes.length); tries++) {
            refusals++;
            assertEquals(told.logged, log.logged(copy), "a refused run has left something");
            assertTrue(tries < 100, "there is no room");
            log.work();
        }
        told.logged = number;
        assertEquals(number, log.logged(copy));
    }

    private List<TestRun.Entry> entries(int zone, long before) {
        List<TestRun.Entry> entries = new ArrayList<>();
        Set<Long> indexes = new HashSet<>();
        for (int count = random.nextInt(4); count > 0; count--) {
            long index = random.nextInt(5) == 0 ? RANGE - 1 + random.nextInt(2) : random.nextInt(CHUNKS);
            if (indexes.add(index)) {
                long cid = Cid.of(zone, (long) random.nextInt(3) << 40 | index);
                int kind = random.nextInt(3) > 0 ? EntryKind.PUT : random.nextInt(1, 5);
                byte[] content = new byte[kind <= EntryKind.PUT_READ_ONLY ? random.nextInt(300) : 0];
                random.nextBytes(content);
                boolean isEarlier = kind == EntryKind.REMOVED && before != 0 && random.nextBoolean();
                entries.add(new TestRun.Entry(cid, kind, ByteBuffer.wrap(content), isEarlier ? before : 0));
            }
        }
        return entries;
    }

    private void askForSync() {
        ZoneCopy copy = any();
        Told told = copies.get(copy);
        if (told != null && told.logged != 0) {
            TestRun.Record record = told.records.get(random.nextInt(told.records.size()));
            log.whenSynced(copy, record.number(), failure -> {
                assertTrue(failure == null || dropped.containsKey(copy) || isFailing, () -> copy + ": " + failure);
                if (failure != null) {
                    return;
                }
                told.synced = Long.compareUnsigned(record.number(), told.synced) > 0 ? record.number() : told.synced;
            });
        }
    }

    private void workAll() {
        int done = log.work();
        while (done > 0) {
            done = log.work();
        }
    }

    private void drop() {
        ZoneCopy copy = any();
        Told told = copies.remove(copy);
        if (told != null) {
            dropped.put(copy, told);
        }
        current.put(copy.zone(), copy.copy() + 1);
        log.drop(copy);
        assertEquals(0, log.logged(copy));
    }

    private void tail() {
        ZoneCopy copy = any();
        Told told = copies.get(copy);
        if (told == null || told.logged == 0) {
            return;
        }
        int from = random.nextInt(told.records.size() + 1);
        long after = from == 0 ? 0 : told.records.get(from - 1).number();
        List<TestRun.Record> found = new ArrayList<>();
        RunReader reader = new RunReader();
        boolean isComplete = log.tail(copy, after, (bytes, offset, length) -> {
            assertNull(reader.check(bytes, offset, length, copy.zone()));
            found.addAll(TestRun.read(reader, bytes, copy.zone()).records());
        });
        List<TestRun.Record> expected = told.records.subList(from, told.records.size());
        if (isComplete) {
            tails += expected.isEmpty() ? 0 : 1;
            assertEquals(expected, found);
        } else {
            assertFalse(expected.isEmpty());
        }
    }

    // ---- checking ----

    /** Checks an image of the current state. */
    void check(FaultDisk image, boolean isKill) {
        try (BackupLog found = open(image)) {
            check(found, isKill);
        }
    }

    private void check(BackupLog found, boolean isKill) {
        Map<ZoneCopy, Long> last = found.copies();
        assertEquals(Map.of(), found.damage());
        copies.forEach((copy, told) -> {
            long must = isKill ? told.logged : told.synced;
            long has = last.getOrDefault(copy, 0L);
            assertTrue(Long.compareUnsigned(has, must) >= 0, () -> copy + " has " + has + " of " + must);
            assertEquals(has, found.logged(copy));
            check(found, copy, told, has);
        });
        for (Map.Entry<ZoneCopy, Long> each : last.entrySet()) {
            if (!copies.containsKey(each.getKey())) {
                assertTrue(dropped.containsKey(each.getKey()), () -> "invented " + each);
                check(found, each.getKey(), dropped.get(each.getKey()), each.getValue());
            }
        }
    }

    private void check(BackupLog found, ZoneCopy copy, Told told, long last) {
        if (last != 0) {
            assertTrue(told.records.stream().anyMatch(record -> record.number() == last), () -> "no number " + last);
            assertEquals(Chunks.after(told.records, last), read(found, copy), copy::toString);
        }
    }

    private static Map<Long, Chunks.State> read(BackupLog found, ZoneCopy copy) {
        Chunks chunks = new Chunks();
        try {
            found.read(copy, 1, chunks);
        } catch (StoreException e) {
            if (e.category() != Category.DEGRADED) {
                throw e;
            }
            chunks = new Chunks();
            found.read(copy, 1, chunks);
        }
        return chunks.byIndex;
    }
}
