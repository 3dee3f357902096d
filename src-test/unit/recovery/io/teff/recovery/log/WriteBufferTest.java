package io.teff.recovery.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.teff.engine.os.Disk;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.Choices;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.format.DrainedMark;
import io.teff.recovery.format.FileHead;
import io.teff.recovery.format.RingReader;
import io.teff.recovery.format.RingRecord;
import io.teff.recovery.format.RingScan;
import io.teff.recovery.log.file.LogClosedException;
import io.teff.recovery.log.file.LogFolder;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: committed records are drained once, whole, and in the order of their numbers; uncommitted ones are not; a
 * killed process leaves exactly the committed records. Method: small rings that are full and wrap all the time.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class WriteBufferTest {
    private static final int RECORDS = Form.size(5_000, 20_000, 20_000);
    private static final int STOPS = Form.size(400, 2_000, 2_000);
    private static final int SEEDS = Form.size(5, 20, 20);
    private static final int SMALL = 4096;
    private static final long START = 3 * SMALL;
    /** Enough for a JIT compiler on a busy processor. */
    private static final int ROUNDS_MAX = 1_000;
    private static final ThreadFactory MAKER = Thread.ofPlatform().daemon().factory();
    private static final Executor THREADS = task -> MAKER.newThread(task).start();

    private final Disk disk = new FaultDisk();
    private final AtomicInteger wakes = new AtomicInteger();

    private WriteBuffer open(int capacity) throws IOException {
        return WriteBuffer.open(Platform.SYSTEM.withDisk(disk), FaultDisk.ROOT, Ledger.LOG, capacity, START,
            wakes::incrementAndGet);
    }

    /** Drains the committed records; returns the number of bytes. */
    private static long drain(WriteBuffer buffer, RingScan scan, Ledger ledger) {
        long position = buffer.drained();
        long tail = buffer.tail();
        for (long bytes = 1; position < tail && bytes > 0; position += bytes) {
            bytes = scan.bytes(position);
            if (bytes > 0 && scan.hasEntries(position)) {
                scan.show(position, ledger);
            }
        }
        long drained = position - buffer.drained();
        buffer.drained(position);
        return drained;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void records_ofManyThreads_areDrainedOnceWholeAndInOrder(boolean virtual) throws Exception {
        int threads = 4;
        int records = RECORDS;
        WriteBuffer buffer = open(SMALL);
        RingScan scan = buffer.scan();
        Ledger ledger = new Ledger();
        AtomicInteger abandoned = new AtomicInteger();
        try (ExecutorService pool = virtual ? Executors.newVirtualThreadPerTaskExecutor()
            : Executors.newFixedThreadPool(threads)) {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int zone = thread;
                all.add(pool.submit(() -> write(buffer, zone, records, abandoned)));
            }
            while (all.stream().anyMatch(it -> !it.isDone())) {
                Threads.await("a record",
                    () -> drain(buffer, scan, ledger) > 0 || all.stream().allMatch(Future::isDone));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        drain(buffer, scan, ledger);
        assertEquals(buffer.tail(), buffer.drained());
        Map<Integer, Long> next = new HashMap<>();
        for (Ledger.Entry entry : ledger.entries) {
            long expected = next.merge(entry.zone(), 1L, Long::sum) - 1;
            assertEquals(expected, entry.cid() & 0xFFFFF, "zone " + entry.zone());
        }
        IntStream.range(1, ledger.positions.size())
            .forEach(i -> assertTrue(ledger.positions.get(i) > ledger.positions.get(i - 1)));
        assertEquals(threads * records, ledger.positions.size() + abandoned.get());
        assertTrue(buffer.drained() - START > 100 * SMALL, "laps");
    }

    /** Writes records of one or two entries, whose CIDs count up; every eighth is abandoned half-written. */
    private static void write(WriteBuffer buffer, int zone, int records, AtomicInteger abandoned) {
        SplittableRandom random = new SplittableRandom(zone);
        long cid = (long) zone << 20;
        for (int i = 0; i < records; i++) {
            int[] lengths = random.ints(random.nextInt(1, 3), 0, 100).toArray();
            assertTrue(buffer.awaitRoom());
            if (random.nextInt(8) == 0) {
                long record = buffer.claim(Ledger.entriesBytes(lengths));
                Ledger.fill(buffer, record, cid, lengths[0]);
                buffer.abandon(record);
                abandoned.incrementAndGet();
            } else {
                Ledger.write(buffer, lengths.length > 1, cid, lengths);
                cid += lengths.length;
            }
        }
    }

    /**
     * A stack ends behind the claim of a record that is at the ring's begin, for each room that is skipped before it:
     * the drainer, which may have passed what is skipped, abandons the record.
     */
    @ParameterizedTest
    @ValueSource(ints = {8, 16, 24, 48, 96})
    void claimAcrossTheEnd_withoutStack_isAbandoned(int room) throws IOException {
        AtomicBoolean isEnded = new AtomicBoolean();
        WriteBuffer buffer = WriteBuffer.open(Platform.SYSTEM.withDisk(disk), FaultDisk.ROOT, Ledger.LOG, SMALL, START,
            () -> {
                if (isEnded.get()) {
                    throw new StackOverflowError("planted");
                }
            });
        long lapEnd = START + SMALL;
        fillTo(buffer, START + SMALL / 2);
        passEnded(buffer);
        fillTo(buffer, lapEnd - room);
        isEnded.set(true);
        assertThrows(StackOverflowError.class, () -> buffer.claim(SMALL / 8));
        isEnded.set(false);
        assertTrue(buffer.tail() > lapEnd, "the record is at the ring's begin");
        fillTo(buffer, buffer.tail() + 200);
        passEnded(buffer);
        assertEquals(buffer.tail(), buffer.drained());
    }

    /** Commits records up to a position. */
    private static void fillTo(WriteBuffer buffer, long position) {
        long least = RingRecord.bytes(RingRecord.ENTRY_BYTES);
        while (buffer.tail() < position) {
            long left = position - buffer.tail();
            long bytes = left < 2 * least ? left : least;
            buffer.commit(buffer.claim(RingRecord.ENTRY_BYTES + bytes - least), false);
        }
    }

    /** Drains as the drainer does, up to the first record that has not ended. */
    private static void passEnded(WriteBuffer buffer) {
        RingScan scan = buffer.scan();
        long position = buffer.drained();
        while (position < buffer.tail()) {
            long bytes = scan.bytes(position);
            if (bytes == 0 && !buffer.isAbandonedAt(position)) {
                break;
            }
            position += bytes;
        }
        buffer.drained(position);
    }

    /** Records of many threads are read with their checksums; some threads share the object that computes these. */
    @Test
    void records_ofManyThreads_areWhole() throws Exception {
        WriteBuffer buffer = open(1 << 23);
        List<Thread> threads = IntStream.range(0, 65).mapToObj(zone -> Thread.ofPlatform().unstarted(() -> {
            for (int i = 0; i < 150; i++) {
                Ledger.write(buffer, false, (long) zone << 20, 8000);
            }
        })).toList();
        for (int i = 0; i < threads.size(); i += 16) {
            threads.get(i).start();
        }
        for (int i = 0; i < threads.size(); i += 16) {
            threads.get(i).join();
        }
        Ledger live = new Ledger();
        drain(buffer, buffer.scan(), live);
        assertEquals(5 * 150, live.positions.size());
        Ledger left = new Ledger();
        new RingReader(buffer.memory(), Ledger.LOG.salt(), 1 << 23).read(START, RingReader.End.POWER_CUT, left);
        assertEquals(live.positions, left.positions);
        assertEquals(live.entries, left.entries);
    }

    /** Waits until the drainer was woken the given number of times. */
    private void awaitWakes(int count) {
        Threads.await(120, () -> count + " wakes, not " + wakes, () -> wakes.get() >= count);
    }

    /** Fills the ring with records of 48 bytes up to the reserve. */
    private static void fillUp(WriteBuffer buffer) {
        while (buffer.tail() + SMALL / 4 <= buffer.drained() + SMALL) {
            assertTrue(buffer.awaitRoom());
            Ledger.write(buffer, false, 1, 0);
        }
    }

    @Test
    void awaitRoom_ofAFullRing_waitsUntilSomeIsDrainedAndLeavesTheReserve() throws Exception {
        WriteBuffer buffer = open(SMALL);
        fillUp(buffer);
        assertEquals(1, wakes.get(), "half full");
        CompletableFuture<Boolean> waiter = CompletableFuture.supplyAsync(buffer::awaitRoom, THREADS);
        awaitWakes(2);
        int inside = 0;
        while (buffer.tail() + 48 <= START + SMALL) {
            Ledger.write(buffer, false, 1, 0);
            inside++;
        }
        assertEquals(SMALL / 4 / 48, inside, 1);
        CompletableFuture<Long> claimer = CompletableFuture.supplyAsync(() -> Ledger.write(buffer, false, 1, 100),
            THREADS);
        awaitWakes(3);
        assertFalse(waiter.isDone() || claimer.isDone());
        Ledger ledger = new Ledger();
        drain(buffer, buffer.scan(), ledger);
        assertTrue(waiter.get());
        assertTrue(claimer.get() >= START + SMALL - 48);
        drain(buffer, buffer.scan(), ledger);
        assertEquals(buffer.tail(), buffer.drained());
    }

    /** A new claim leaves twice the reserve; a thread that already holds a claim leaves the reserve once. */
    @Test
    void room_leavesTheReserve() throws Exception {
        WriteBuffer buffer = open(SMALL);
        buffer.full();
        buffer.closing();
        while (buffer.tail() + 48 <= START + SMALL) {
            long left = START + SMALL - buffer.tail();
            assertEquals(left >= SMALL / 4, buffer.awaitRoom());
            if (left >= SMALL / 8 + 2 * 48) {
                buffer.awaitRoomFor(RingRecord.ENTRY_BYTES);
            } else {
                assertThrows(LogClosedException.class, () -> buffer.awaitRoomFor(RingRecord.ENTRY_BYTES));
            }
            Ledger.write(buffer, false, 1, 0);
        }
    }

    /** A thread that has changed something waits on a full disk, but not forever. */
    @Test
    void closing_onAFullDisk_letsNobodyWait() throws Exception {
        WriteBuffer buffer = open(SMALL);
        fillUp(buffer);
        buffer.full();
        CompletableFuture<Void> room = CompletableFuture.runAsync(() -> buffer.awaitRoomFor(900), THREADS);
        CompletableFuture<Long> claim = CompletableFuture.supplyAsync(() -> Ledger.write(buffer, false, 1, 980),
            THREADS);
        awaitWakes(3);
        assertFalse(room.isDone() || claim.isDone());
        buffer.closing();
        for (CompletableFuture<?> one : List.of(room, claim)) {
            ExecutionException thrown = assertThrows(ExecutionException.class, one::get);
            assertInstanceOf(LogClosedException.class, thrown.getCause());
        }
        drain(buffer, buffer.scan(), new Ledger());
        buffer.awaitRoomFor(900);
        Ledger.write(buffer, false, 1, 980);
    }

    @Test
    void awaitRoom_ofAFullRingOnAFullDisk_givesUp() throws Exception {
        WriteBuffer buffer = open(SMALL);
        fillUp(buffer);
        CompletableFuture<Boolean> room = CompletableFuture.supplyAsync(buffer::awaitRoom, THREADS);
        CompletableFuture<Boolean> synced = CompletableFuture.supplyAsync(() -> buffer.awaitDrained(buffer.tail()),
            THREADS);
        awaitWakes(3);
        buffer.full();
        assertFalse(room.get());
        assertFalse(synced.get());
        drain(buffer, buffer.scan(), new Ledger());
        assertTrue(buffer.awaitRoom() && buffer.awaitDrained(buffer.tail()));
    }

    @Test
    void stop_withAFailure_wakesAllWithIt() throws Exception {
        WriteBuffer buffer = open(SMALL);
        fillUp(buffer);
        List<Runnable> waits = List.of(buffer::awaitRoom, () -> buffer.awaitDrained(buffer.tail()),
            () -> Ledger.write(buffer, false, 1, 980));
        List<CompletableFuture<Void>> waiting = waits.stream()
            .map(wait -> CompletableFuture.runAsync(wait, THREADS)).toList();
        awaitWakes(4);
        IOException failure = new IOException("planned");
        buffer.stop(failure);
        buffer.stop(null);
        for (CompletableFuture<Void> one : waiting) {
            ExecutionException thrown = assertThrows(ExecutionException.class, one::get);
            assertSame(failure, assertThrows(LogClosedException.class, () -> {
                throw thrown.getCause();
            }).getCause());
        }
        waits.forEach(wait -> assertThrows(LogClosedException.class, wait::run));
    }

    private static void writeUntilClosed(WriteBuffer buffer, AtomicInteger written, Throwable cause) {
        LogClosedException closed = assertThrows(LogClosedException.class, () -> {
            while (true) {
                Ledger.write(buffer, false, 1, 8);
                written.incrementAndGet();
            }
        });
        assertSame(cause, closed.getCause());
    }

    /**
     * Claims that race with the end: granted claims lie before the last tail, and can be committed; refused ones tell
     * the cause.
     */
    @Test
    void stop_besideClaims_losesNone() throws Exception {
        IOException failure = new IOException("planned");
        for (int round = 0; round < STOPS; round++) {
            WriteBuffer buffer = open(1 << 16);
            AtomicInteger written = new AtomicInteger();
            List<CompletableFuture<Void>> writers = IntStream.range(0, 3)
                .mapToObj(it -> CompletableFuture.runAsync(() -> writeUntilClosed(buffer, written, failure)))
                .toList();
            Threads.await("some records", () -> written.get() >= 10);
            buffer.stop(failure);
            Ledger ledger = new Ledger();
            RingScan scan = buffer.scan();
            while (buffer.drained() < buffer.tail()) {
                drain(buffer, scan, ledger);
            }
            for (CompletableFuture<Void> one : writers) {
                one.get();
            }
            assertEquals(written.get(), ledger.positions.size(), "round " + round);
        }
    }

    @Test
    void now_isBetweenRecords() throws IOException {
        WriteBuffer buffer = open(SMALL);
        long first = Ledger.write(buffer, false, 1, 5);
        long now = buffer.now();
        long second = Ledger.write(buffer, false, 1, 5);
        assertTrue(first < now && now < second, first + " " + now + " " + second);
    }

    @Test
    void claim_ofTooMuchOrNothing_isRefused() throws IOException {
        WriteBuffer buffer = open(SMALL);
        assertEquals(SMALL / 4 - 16, buffer.entriesBytesMax());
        assertThrows(IllegalArgumentException.class, () -> buffer.claim(buffer.entriesBytesMax() + 1));
        assertThrows(IllegalArgumentException.class, () -> buffer.claim(27));
        assertEquals(START, buffer.tail());
        buffer.claim(buffer.entriesBytesMax());
        assertEquals(START + SMALL / 4, buffer.tail());
    }

    /** An image is taken after each step of interleaved writers; it has exactly the committed records. */
    @Test
    void killedAtEachStep_leavesWhatWasCommitted() throws IOException {
        for (long seed = 0; seed < SEEDS; seed++) {
            FaultDisk fault = new FaultDisk();
            WriteBuffer buffer = WriteBuffer.open(Platform.SYSTEM.withDisk(fault), FaultDisk.ROOT, Ledger.LOG, SMALL,
                START, () -> {});
            SplittableRandom random = new SplittableRandom(seed);
            List<Long> open = new ArrayList<>();
            List<Long> committed = new ArrayList<>();
            for (int step = 0; step < 200; step++) {
                int what = random.nextInt(4);
                if (what < 2 && open.size() < 4 && buffer.tail() + 300 < buffer.drained() + SMALL) {
                    int length = random.nextInt(100);
                    long record = buffer.claim(Ledger.entriesBytes(length, 0));
                    open.add(record);
                    Ledger.fill(buffer, record, 5, length, 0);
                } else if (what == 2 && !open.isEmpty()) {
                    long record = open.remove(random.nextInt(open.size()));
                    if (random.nextInt(4) == 0) {
                        buffer.abandon(record);
                    } else {
                        buffer.commit(record, false);
                        committed.add(record);
                    }
                } else if (random.nextInt(10) == 0) {
                    Ledger ledger = new Ledger();
                    drain(buffer, buffer.scan(), ledger);
                    committed.removeAll(ledger.positions);
                }
                Ledger left = new Ledger();
                MemorySegment file = fault.killed().open(FaultDisk.ROOT.resolve(LogFolder.BUFFER))
                    .map(FileHead.BYTES + SMALL);
                long mark = DrainedMark.read(file, Ledger.LOG.salt());
                assertEquals(buffer.drained(), mark);
                new RingReader(file, Ledger.LOG.salt(), SMALL).read(mark, RingReader.End.KILLED, left);
                assertEquals(committed.stream().sorted().toList(), left.positions, "seed " + seed + ", step " + step);
            }
        }
    }

    /** An old file is reused, and an old mark never reappears. */
    @Test
    void open_ofAnOldFile_beginsAtTheGivenPosition() throws IOException {
        WriteBuffer old = open(SMALL);
        Ledger.write(old, false, 1, 30);
        drain(old, old.scan(), new Ledger());
        long start = START + 2 * SMALL;
        WriteBuffer buffer = WriteBuffer.open(Platform.SYSTEM.withDisk(disk), FaultDisk.ROOT, Ledger.LOG, SMALL,
            start, () -> {});
        assertEquals(start, buffer.tail());
        assertEquals(0, drain(buffer, buffer.scan(), new Ledger()));
        MemorySegment file = ((FaultDisk) disk).powerCut(Choices.drop())
            .open(FaultDisk.ROOT.resolve(LogFolder.BUFFER)).map(FileHead.BYTES + SMALL);
        assertEquals(start, DrainedMark.read(file, Ledger.LOG.salt()));
        WriteBuffer larger = open(2 * SMALL);
        assertEquals(FileHead.BYTES + 2 * SMALL, larger.memory().byteSize());
    }

    @Test
    void claimAndCommit_allocateNothing() throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        WriteBuffer buffer = open(1 << 16);
        RingScan scan = buffer.scan();
        long bytes = -1;
        for (int round = 0; round < ROUNDS_MAX && bytes != 0; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            long cost = threads.getCurrentThreadAllocatedBytes() - before;
            before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 100_000; i++) {
                if (!buffer.awaitRoom()) {
                    throw new AssertionError();
                }
                long record = buffer.claim(28 + 32);
                buffer.entry(buffer.firstEntry(record), i, record, 1, 0, 1, 32);
                buffer.commit(record, false);
                if (i % 500 == 0) {
                    drainAll(buffer, scan);
                }
            }
            bytes = threads.getCurrentThreadAllocatedBytes() - before - cost;
        }
        assertEquals(0, bytes);
    }

    private static void drainAll(WriteBuffer buffer, RingScan scan) {
        long position = buffer.drained();
        long tail = buffer.tail();
        while (position < tail) {
            position += scan.bytes(position);
        }
        buffer.drained(position);
    }
}
