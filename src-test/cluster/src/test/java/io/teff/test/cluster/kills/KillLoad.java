package io.teff.test.cluster.kills;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.UnknownOutcomeException;
import io.teff.engine.Cid;
import io.teff.engine.error.Status;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;

/**
 * Threads of several clients that work on the same chunks at BACKED, and note each operation with its times.
 *
 * <p>Registers are put, and born chunks created and removed, by one thread each, and read by all. Shared chunks are put
 * and compare-and-set by all threads. Counters are incremented by all threads: an increment that is made twice shows
 * in the results of later ones. Every call must return what the promises say for a change that is made exactly
 * once; the outcome of a change of a shared chunk or a counter may be unknown. Everything else is a fault.
 */
final class KillLoad implements AutoCloseable {
    static final int THREADS = 4;
    private static final int CLIENTS = 2;
    private static final int REGISTERS = 48;
    private static final int SHARED = 16;
    private static final int BORN = 16;
    private static final int COUNTERS = 8;
    /** Longer in the gate, where the nodes share two processors with other tests. */
    private static final long PAUSE_NS_MAX = TimeUnit.MILLISECONDS.toNanos(Form.size(12, 4, 4));

    private final List<ClusterStore> stores = new ArrayList<>();
    private final List<ChunkHistory> registers = new ArrayList<>();
    private final List<ChunkHistory> shared = new ArrayList<>();
    /** The chunks that each place has had; only the last one may exist. Each list is guarded by itself. */
    private final List<List<ChunkHistory>> born = new ArrayList<>();
    private final List<CounterHistory> counters = new ArrayList<>();
    private final Set<Long> issued = ConcurrentHashMap.newKeySet();
    private final long[] last = new long[REGISTERS];
    private final AtomicLong values = new AtomicLong();
    private final AtomicLong operations = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();
    private final AtomicLong longestNs = new AtomicLong();
    /** When the last operation of any thread has ended. */
    private final AtomicLong endedNs = new AtomicLong();
    private final AtomicLong gapNs = new AtomicLong();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private final long seed;
    /** Held for reading by each operation, and for writing when zones are left. */
    private final ReadWriteLock leaving = new ReentrantReadWriteLock();
    /** Zones that no operation uses any longer. Guarded by {@link #leaving}. */
    private Set<Integer> left = Set.of();
    private volatile boolean isOver;

    KillLoad(TestedCluster cluster, long seed) {
        this.seed = seed;
        for (int i = 0; i < CLIENTS; i++) {
            stores.add(cluster.connect());
        }
        for (int i = 0; i < REGISTERS; i++) {
            registers.add(new ChunkHistory("register-" + i, false));
        }
        for (int i = 0; i < SHARED; i++) {
            shared.add(new ChunkHistory("shared-" + i, true));
            create(0, shared.getLast());
        }
        for (int i = 0; i < BORN; i++) {
            born.add(new ArrayList<>());
        }
        for (int i = 0; i < COUNTERS; i++) {
            counters.add(new CounterHistory("counter-" + i, create(0, new byte[CounterHistory.BYTES])));
        }
    }

    void begin() {
        forgetGaps();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            threads.add(Thread.ofPlatform().name("kill-load-" + i).start(() -> run(number)));
        }
    }

    private void run(int number) {
        SplittableRandom random = Seed.random(seed * 1_000 + number);
        try {
            while (!isOver && faults.isEmpty()) {
                boolean isMade;
                leaving.readLock().lock();
                try {
                    isMade = step(number, random);
                } finally {
                    leaving.readLock().unlock();
                }
                if (isMade) {
                    operations.incrementAndGet();
                    long now = System.nanoTime();
                    gapNs.accumulateAndGet(now - endedNs.getAndSet(now), Math::max);
                }
                LockSupport.parkNanos(random.nextLong(PAUSE_NS_MAX));
            }
        } catch (RuntimeException | Error e) {
            faults.add("client " + number + " has failed: " + e + (e.getCause() == null ? "" : " by " + e.getCause()));
        }
    }

    /** Makes an operation. Returns whether there was one: what was left is not used, and nothing created any longer. */
    private boolean step(int number, SplittableRandom random) {
        return switch (random.nextInt(12)) {
            case 0, 1 -> put(number, random.nextInt(REGISTERS / THREADS) * THREADS + number);
            case 2 -> use(shared.get(random.nextInt(SHARED)), chunk -> putShared(number, chunk));
            case 3, 4 -> use(shared.get(random.nextInt(SHARED)), chunk -> swap(number, chunk));
            case 5 -> beBorn(number, random.nextInt(BORN / THREADS) * THREADS + number);
            case 6 -> use(newest(born.get(random.nextInt(BORN))), chunk -> read(number, chunk));
            case 7 -> use(shared.get(random.nextInt(SHARED)), chunk -> read(number, chunk));
            case 8, 9 -> increment(number, counters.get(random.nextInt(COUNTERS)));
            default -> use(registers.get(random.nextInt(REGISTERS)), chunk -> read(number, chunk));
        };
    }

    private static ChunkHistory newest(List<ChunkHistory> place) {
        synchronized (place) {
            return place.isEmpty() ? null : place.getLast();
        }
    }

    /** Uses a chunk that was created and is in no zone that was left. Returns whether it is one. */
    private boolean use(ChunkHistory chunk, Consumer<ChunkHistory> operation) {
        boolean isUsable = chunk != null && chunk.cid() != 0 && !isLeft(chunk.cid());
        if (isUsable) {
            operation.accept(chunk);
        }
        return isUsable;
    }

    private boolean isLeft(long cid) {
        return left.contains(Cid.nid(cid));
    }

    /** Lets no operation use some zones any longer. When the method has returned, none is under way in them. */
    void leave(Set<Integer> zones) {
        leaving.writeLock().lock();
        try {
            left = Set.copyOf(zones);
        } finally {
            leaving.writeLock().unlock();
        }
    }

    // ---- operations ----

    private ClusterStore store(int number) {
        return stores.get(number % CLIENTS);
    }

    private long nextValue() {
        return values.incrementAndGet() + KillContent.SHARED_FIRST;
    }

    private void took(long called) {
        longestNs.accumulateAndGet(System.nanoTime() - called, Math::max);
    }

    private long create(int number, ChunkHistory chunk) {
        long value = chunk.isShared() ? KillContent.SHARED_FIRST : nextValue();
        long called = System.nanoTime();
        long cid = create(number, KillContent.of(value));
        chunk.created("client-" + number, called, System.nanoTime(), value, cid);
        return value;
    }

    private long create(int number, byte[] content) {
        long called = System.nanoTime();
        long cid = store(number).create(content);
        took(called);
        if (Status.isStatus(cid)) {
            throw new AssertionError("create returns " + Status.name(cid));
        }
        if (!issued.add(cid)) {
            faults.add("CID " + cid + " was issued twice");
        }
        return cid;
    }

    private boolean put(int number, int index) {
        ChunkHistory chunk = registers.get(index);
        if (isLeft(chunk.cid()) || chunk.cid() == 0 && !left.isEmpty()) {
            return false;
        }
        if (chunk.cid() == 0) {
            last[index] = create(number, chunk);
            return true;
        }
        long value = nextValue();
        long called = System.nanoTime();
        check(Status.OK, store(number).put(chunk.cid(), KillContent.of(value)), "put");
        took(called);
        chunk.written("client-" + number, called, System.nanoTime(), value);
        last[index] = value;
        return true;
    }

    private void putShared(int number, ChunkHistory chunk) {
        long value = nextValue();
        long called = System.nanoTime();
        try {
            check(Status.OK, store(number).put(chunk.cid(), KillContent.ofShared(value)), "put");
            took(called);
            chunk.written("client-" + number, called, System.nanoTime(), value);
        } catch (UnknownOutcomeException _) {
            took(called);
            unknown.incrementAndGet();
            chunk.unknownPut("client-" + number, called, value);
        }
    }

    private boolean increment(int number, CounterHistory counter) {
        if (isLeft(counter.cid())) {
            return false;
        }
        long called = System.nanoTime();
        try {
            long before = store(number).fields().getAndAddLong(counter.cid(), 0, 1);
            took(called);
            counter.incremented("client-" + number, called, System.nanoTime(), before);
        } catch (UnknownOutcomeException _) {
            took(called);
            unknown.incrementAndGet();
            counter.unknown("client-" + number, called);
        }
        return true;
    }

    private void swap(int number, ChunkHistory chunk) {
        long from = read(number, chunk);
        long to = nextValue();
        long called = System.nanoTime();
        try {
            int result = store(number).fields().compareAndSetLong(chunk.cid(), 0, Long.reverseBytes(from),
                Long.reverseBytes(to));
            took(called);
            if (result == 1) {
                chunk.swapped("client-" + number, called, System.nanoTime(), from, to);
            } else {
                check(0, result, "compare-and-set");
            }
        } catch (UnknownOutcomeException _) {
            took(called);
            unknown.incrementAndGet();
            chunk.unknownSwap("client-" + number, called, from, to);
        }
    }

    /** Creates a chunk, or removes it if it exists. */
    private boolean beBorn(int number, int index) {
        List<ChunkHistory> place = born.get(index);             // only this thread adds to the place
        boolean exists = !place.isEmpty() && place.getLast().exists();
        if (exists ? isLeft(place.getLast().cid()) : !left.isEmpty()) {
            return false;
        }
        if (!exists) {
            ChunkHistory next = new ChunkHistory("born-" + index + '-' + place.size(), false);
            create(number, next);
            synchronized (place) {
                place.add(next);
            }
            return true;
        }
        long called = System.nanoTime();
        long result = store(number).remove(place.getLast().cid());
        took(called);
        if (result < 0) {
            throw new AssertionError((result == Status.ABSENT ? "not exactly once, nobody else removes it: " : "")
                + "remove returns " + Status.name(result));
        }
        place.getLast().removed("client-" + number, called, System.nanoTime());
        return true;
    }

    private long read(int number, ChunkHistory chunk) {
        return read("client-" + number, store(number), chunk);
    }

    private long read(String client, ClusterStore store, ChunkHistory chunk) {
        byte[] target = new byte[KillContent.LENGTH_MAX];
        long called = System.nanoTime();
        int length = store.get(chunk.cid(), target);
        took(called);
        long returned = System.nanoTime();
        if (length < 0 && length != Status.ABSENT) {
            throw new AssertionError("get returns " + Status.name(length));
        }
        long value = length == Status.ABSENT ? ChunkHistory.ABSENT
            : KillContent.value(Arrays.copyOf(target, length), chunk.isShared());
        chunk.read(client, called, returned, value);
        return value;
    }

    private static void check(int expected, int result, String what) {
        if (result != expected) {
            throw new AssertionError(what + " returns " + Status.name(result));
        }
    }

    // ---- the end ----

    /** Returns the number of operations that have ended. */
    long operations() {
        return operations.get();
    }

    long unknownOutcomes() {
        return unknown.get();
    }

    /** Begins to look for the longest gap. */
    void forgetGaps() {
        endedNs.set(System.nanoTime());
        gapNs.set(0);
    }

    /** Returns the longest time in which no operation has ended since {@link #forgetGaps}, in milliseconds. */
    long gapMs() {
        return TimeUnit.NANOSECONDS.toMillis(gapNs.get());
    }

    long longestMs() {
        return TimeUnit.NANOSECONDS.toMillis(longestNs.get());
    }

    /** Returns what was found so far. */
    List<String> faults() {
        return List.copyOf(faults);
    }

    /** Returns the chunks that were created and are never removed. */
    List<ChunkHistory> lasting() {
        List<ChunkHistory> lasting = new ArrayList<>(registers);
        lasting.addAll(shared);
        lasting.removeIf(chunk -> chunk.cid() == 0);
        return lasting;
    }

    /** Returns the counters. */
    List<CounterHistory> counters() {
        return List.copyOf(counters);
    }

    /** Waits until more operations have ended; ends early if there is a fault. */
    void await(long more) {
        long until = operations.get() + more;
        while (operations.get() < until && faults.isEmpty()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** Ends the threads, reads all chunks by another client, and returns all faults. */
    List<String> end(TestedCluster cluster) throws InterruptedException {
        isOver = true;
        for (Thread thread : threads) {
            thread.join();
        }
        if (faults.isEmpty()) {
            try (ClusterStore store = cluster.connect()) {
                for (ChunkHistory chunk : all().stream().filter(chunk -> !isLeft(chunk.cid())).toList()) {
                    long value = read("verifier", store, chunk);
                    int index = registers.indexOf(chunk);
                    if (index >= 0 && value != last[index]) {
                        faults.add(chunk.name() + ": put of " + last[index] + " was acknowledged and is lost; the "
                            + "chunk has " + value);
                    }
                }
                for (CounterHistory counter : counters.stream().filter(it -> !isLeft(it.cid())).toList()) {
                    counter.end(store.fields().getLong(counter.cid(), 0, -1));
                }
            } catch (RuntimeException | Error e) {
                faults.add("the verifier has failed: " + e);
            }
        }
        for (CounterHistory counter : counters) {
            counter.fault().ifPresent(fault -> faults.add(counter.name() + ", CID " + counter.cid() + ": " + fault));
        }
        for (ChunkHistory chunk : all()) {
            chunk.fault().ifPresent(fault -> faults.add(chunk.name() + ", CID " + chunk.cid() + ": " + fault));
        }
        return faults();
    }

    /** Returns all chunks that were created. */
    List<ChunkHistory> all() {
        List<ChunkHistory> all = lasting();
        born.forEach(place -> {
            synchronized (place) {
                all.addAll(place);
            }
        });
        return all;
    }

    @Override
    public void close() {
        isOver = true;
        stores.forEach(ClusterStore::close);
    }
}
