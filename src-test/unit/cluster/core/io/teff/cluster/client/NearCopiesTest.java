package io.teff.cluster.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.teff.cluster.NearCacheConfig;
import io.teff.engine.os.Clock;
import io.teff.test.kit.Seed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: a copy is never older than the bound, and never older than what this client has read or written. Method: a
 * model of one key whose value other clients change, with reads and changes of this client that overlap in every way,
 * under a manual clock; random and, for few operations, exhaustive.
 */
class NearCopiesTest {
    private static final long BOUND_NS = 10_000_000;
    private static final long STEP_NS = 1_000_000;
    private static final byte[] KEY = {7};
    private static final int SEEDS = 300;
    private static final int STEPS = 200;
    private static final int OPERATIONS = 4;
    /** Steps of the exhaustive search, and operations of this client in the search. */
    private static final int DEPTH = 9;
    private static final int SEARCHED = 3;

    /** A clock that a test moves. The wall clock can move alone, as in a machine that sleeps. */
    private static final class ManualClock implements Clock {
        private long nowNs = 5;
        private long sleptNs;

        @Override
        public long nowNs() {
            return nowNs;
        }

        @Override
        public long epochMs() {
            return (nowNs + sleptNs) / STEP_NS;
        }
    }

    private static NearCopies copies(Clock clock, long bytes) {
        NearCopies copies = new NearCopies(clock, 3);
        copies.keep(NearCacheConfig.of(bytes, Duration.ofNanos(BOUND_NS)));
        return copies;
    }

    private static NearCopies copies(Clock clock) {
        return copies(clock, NearCacheConfig.BYTES_MIN);
    }

    private static void read(NearCopies copies, byte[] key, byte @Nullable [] value) {
        copies.ended(key, copies.begin(key), value);
    }

    // ---- rules one by one ----

    @Test
    void copy_isShownUntilTheBound_countedFromTheSending() {
        ManualClock clock = new ManualClock();
        NearCopies copies = copies(clock);
        NearCopies.Read read = copies.begin(KEY);
        clock.nowNs += BOUND_NS / 2;                            // the answer takes half of the bound
        copies.ended(KEY, read, new byte[] {1});
        clock.nowNs += BOUND_NS / 2 - 1;
        assertNotNull(copies.find(KEY, BOUND_NS));
        clock.nowNs++;
        assertNull(copies.find(KEY, BOUND_NS));
        copies.audit();
    }

    @Test
    void copy_ofAMachineThatSlept_isTooOld() {
        ManualClock clock = new ManualClock();
        NearCopies copies = copies(clock);
        read(copies, KEY, null);
        assertNotNull(copies.find(KEY, BOUND_NS));
        clock.sleptNs = BOUND_NS + 2 * STEP_NS;                 // the monotonic clock stood still
        assertNull(copies.find(KEY, BOUND_NS));
    }

    @Test
    void absence_isACopy() {
        NearCopies copies = copies(new ManualClock());
        read(copies, KEY, null);
        NearCopies.Copy copy = copies.find(KEY, BOUND_NS);
        assertNotNull(copy);
        assertNull(copy.value());
        copies.changed(KEY);
        assertNull(copies.find(KEY, BOUND_NS));
    }

    /** A hot key: each reader begins before the reader in front of it has ended. */
    @Test
    void readersThatAlwaysOverlap_showACopySoon() {
        NearCopies copies = copies(new ManualClock());
        NearCopies.Read old = copies.begin(KEY);
        copies.changed(KEY);
        copies.ended(KEY, old, new byte[] {1});
        NearCopies.Read before = copies.begin(KEY);
        int misses = 0;
        while (copies.find(KEY, BOUND_NS) == null) {
            NearCopies.Read next = copies.begin(KEY);
            copies.ended(KEY, before, new byte[] {2});
            before = next;
            assertTrue(++misses <= 3, "no copy after reads that overlap");
        }
        copies.audit();
    }

    @Test
    void memory_isBounded_andCopiesInUseStay() {
        NearCopies copies = copies(new ManualClock());
        byte[] hot = {1, 2, 3, 4, 5};
        read(copies, hot, new byte[100]);
        for (int i = 0; i < 3_000; i++) {
            read(copies, new byte[] {(byte) i, (byte) (i >> 8)}, new byte[i % 300]);
            assertNotNull(copies.find(hot, BOUND_NS), "a copy that is read all the time");
            copies.audit();
        }
        read(copies, KEY, new byte[(int) NearCacheConfig.BYTES_MIN / 2]);
        assertNull(copies.find(KEY, BOUND_NS), "a value that would displace all others");
        assertNotNull(copies.find(hot, BOUND_NS));
        var stats = copies.stats();
        assertNotNull(stats);
        assertTrue(stats.bytes() <= NearCacheConfig.BYTES_MIN && stats.evictions() > 1_000, stats.toString());
        assertEquals(3_001, stats.hits());
        copies.clear();
        copies.audit();
        var empty = copies.stats();
        assertTrue(empty != null && empty.entries() == 0 && empty.bytes() == 0);
    }

    @Test
    void readBegunBeforeTheFirstConfiguration_isNotKept() {
        ManualClock clock = new ManualClock();
        NearCopies copies = new NearCopies(clock, 3);
        NearCopies.Read read = copies.begin(KEY);
        copies.keep(NearCacheConfig.of(NearCacheConfig.BYTES_MIN, Duration.ofNanos(BOUND_NS)));
        copies.ended(KEY, read, new byte[] {1});
        assertNull(copies.find(KEY, BOUND_NS));
    }

    // ---- the model ----

    /** An operation of this client under way. */
    private static final class Operation {
        private final NearCopies.@Nullable Read read;
        /** Of a change: the value, or -1 for a read. */
        private final int value;
        /** The state that was read or made, or -1 before. */
        private int state = -1;

        Operation(NearCopies.@Nullable Read read, int value) {
            this.read = read;
            this.value = value;
        }
    }

    /** The states of one key at its owner, and one client. A step that is not possible returns false. */
    private static final class Model {
        private final ManualClock clock = new ManualClock();
        private final NearCopies copies = copies(clock);
        private final List<Integer> values = new ArrayList<>(List.of(0));
        private final List<Long> since = new ArrayList<>(List.of(0L));
        private final List<Operation> running = new ArrayList<>();
        private final Deque<String> steps = new ArrayDeque<>();
        /** The latest state that an ended operation of this client has shown. */
        private int floor;
        private int begun;
        private int hits;

        void changeAtOwner(int value) {
            values.add(value);
            since.add(clock.nowNs);
        }

        void begin(int value) {
            running.add(new Operation(value < 0 ? copies.begin(KEY) : null, value));
            begun++;
        }

        boolean execute(int index) {
            if (index >= running.size() || running.get(index).state >= 0) {
                return false;
            }
            Operation operation = running.get(index);
            if (operation.value >= 0) {
                changeAtOwner(operation.value);
            }
            operation.state = values.size() - 1;
            return true;
        }

        boolean end(int index) {
            if (index >= running.size() || running.get(index).state < 0) {
                return false;
            }
            Operation operation = running.remove(index);
            if (operation.value >= 0) {
                copies.changed(KEY);
            } else {
                copies.ended(KEY, operation.read, bytes(values.get(operation.state)));
            }
            floor = Math.max(floor, operation.state);
            return true;
        }

        void look() {
            NearCopies.Copy copy = copies.find(KEY, BOUND_NS);
            if (copy == null) {
                return;
            }
            hits++;
            int shown = copy.value() == null ? 0 : copy.value()[0];
            for (int state = floor; state < values.size(); state++) {
                boolean isYoung = state == values.size() - 1 || clock.nowNs - since.get(state + 1) < BOUND_NS;
                if (isYoung && values.get(state) == shown) {
                    floor = state;
                    return;
                }
            }
            fail("value " + shown + " is too old: values " + values + " since " + since + ", now " + clock.nowNs
                + ", this client has seen state " + floor + "; steps " + steps);
        }

        private static byte @Nullable [] bytes(int value) {
            return value == 0 ? null : new byte[] {(byte) value};
        }
    }

    @Test
    void anyOverlap_showsNothingOlderThanTheBound_orThanWhatWasSeen() {
        long first = Seed.first();
        long hits = 0;
        for (long seed = first; seed < first + SEEDS; seed++) {
            SplittableRandom random = Seed.random(seed);
            Model model = new Model();
            model.steps.add(Seed.reproduce(NearCopiesTest.class, seed));
            int values = 2 + random.nextInt(4);                 // few values: a value comes back
            int slow = 1 + random.nextInt(8);
            for (int step = 0; step < STEPS; step++) {
                step(model, random, values, slow);
                model.look();
                model.copies.audit();
            }
            hits += model.hits;
        }
        assertTrue(hits > SEEDS * STEPS / 10, "only " + hits + " hits");
    }

    private static void step(Model model, SplittableRandom random, int values, int slow) {
        switch (random.nextInt(9)) {
            case 0 -> model.clock.nowNs += random.nextLong(slow * STEP_NS);
            case 1 -> {
                if (random.nextInt(slow) == 0) {
                    model.changeAtOwner(random.nextInt(values));
                }
            }
            case 2, 3 -> {
                if (model.running.size() < OPERATIONS) {
                    model.begin(random.nextInt(6) == 0 ? random.nextInt(values) : -1);
                }
            }
            case 4, 5 -> model.execute(random.nextInt(OPERATIONS));
            case 6, 7 -> model.end(random.nextInt(OPERATIONS));
            default -> {
                if (random.nextInt(4) == 0) {
                    model.copies.clear();
                }
            }
        }
    }

    /** Every sequence of a few steps of three operations, each played from its beginning. */
    @Test
    void everyShortSequence_showsNothingOlder() {
        int[] steps = new int[DEPTH];
        long[] played = new long[2];
        search(steps, 0, played);
        assertTrue(played[0] > 1_000 && played[1] > 1_000, "sequences " + played[0] + ", hits " + played[1]);
    }

    private static void search(int[] steps, int depth, long[] played) {
        for (int choice = 0; choice < 3 + 2 * SEARCHED; choice++) {
            steps[depth] = choice;
            Model model = play(steps, depth + 1);
            if (model == null) {
                continue;
            }
            if (depth + 1 == DEPTH) {
                played[0]++;
                played[1] += model.hits;
            } else {
                search(steps, depth + 1, played);
            }
        }
    }

    /** Returns the model behind some steps, or null if the last step is not possible. */
    private static @Nullable Model play(int[] steps, int count) {
        Model model = new Model();
        for (int i = 0; i < count; i++) {
            int choice = steps[i];
            model.steps.add(Integer.toString(choice));
            boolean isPossible = true;
            if (choice == 0) {
                isPossible = model.values.size() < 4;
                model.changeAtOwner(1 + (model.values.size() & 1));     // 0, 2, 1, 2: a value comes back
            } else if (choice <= 2) {
                isPossible = model.begun < SEARCHED;
                model.begin(choice == 1 ? -1 : 3);
            } else if (choice < 3 + SEARCHED) {
                isPossible = model.execute(choice - 3);
            } else {
                isPossible = model.end(choice - 3 - SEARCHED);
            }
            if (!isPossible) {
                return null;
            }
            model.look();
        }
        return model;
    }
}
