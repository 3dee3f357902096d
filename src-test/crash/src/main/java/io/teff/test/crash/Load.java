package io.teff.test.crash;

import io.teff.engine.Cid;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.recovery.Level;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One thread that changes its own keys and shared counters and collections. Each change is recorded in the ledger
 * before it begins and after it has returned.
 */
final class Load implements Runnable {
    private static final int CHANCES = 10_000;
    private static final int OWN = 5_200;
    private static final int GUEST = OWN + 800;
    private static final int LARGE = GUEST + 8;
    private static final int MAP = LARGE + 1_217;
    private static final int SORTED = MAP + 1_200;
    private static final int QUEUE = SORTED + 800;
    private static final int COUNTER = QUEUE + 600;
    private static final int BATCH = COUNTER + 160;
    private static final int SYNC = BATCH + 12;
    private static final int REMOVE_PERCENT = 10;
    private static final int RESERVE_PERCENT = 10;
    private static final int SYNCED_PER_MILLE = 4;
    private static final int PER_MILLE = 1000;
    private static final int PERCENT = 100;
    private static final int BATCH_MAX = 8;
    private static final int QUEUE_BOUND = 300;
    private static final int QUEUE_SHARE = 5;
    private static final int INTERRUPTED_SHARE = 50;
    private static final long REFUSED_REST_NS = 1_000_000;

    private final Target target;
    private final Ledger ledger;
    private final int thread;
    private final Plant plant;
    private final boolean isTolerant;
    private final PrintStream out;
    private final SplittableRandom random;
    /** Keys with an unknown CID: their creation was refused when the chunk may already have existed. */
    private final Set<Long> retired = new HashSet<>();
    /** Why the last change that was refused was refused. */
    private @Nullable StoreException refusal;
    private volatile boolean isStopped;
    private volatile @Nullable StoreException failure;

    /**
     * Creates a load.
     *
     * @param target the store under test
     * @param thread its number
     * @param seed the seed of this process
     * @param plant a fault of the load
     * @param isTolerant whether a full disk and a closed log are expected
     * @param out gets a line for each removal that is refused
     */
    Load(Target target, int thread, long seed, Plant plant, boolean isTolerant, PrintStream out) {
        this.target = target;
        this.ledger = target.ledger;
        this.thread = thread;
        this.plant = plant;
        this.isTolerant = isTolerant;
        this.out = out;
        this.random = new SplittableRandom(seed);
    }

    void stop() {
        isStopped = true;
    }

    /** Returns the failure of the disk that ended the load, or null. */
    @Nullable StoreException failure() {
        return failure;
    }

    @Override
    public void run() {
        try {
            while (!isStopped) {
                if (random.nextInt(INTERRUPTED_SHARE) == 0) {
                    stepInterrupted();
                } else {
                    step();
                }
            }
        } catch (StoreException e) {
            if (!isTolerant) {
                throw e;
            }
            failure = e;
        }
    }

    /** Makes a step with the interrupt flag set: it must wait like any other, and keep the flag. */
    private void stepInterrupted() {
        Thread.currentThread().interrupt();
        step();
        plant.interrupted(random);
        verify(Thread.interrupted(), Group.OWN.key(thread, 0), "an interrupt is lost");
    }

    private void step() {
        final int chance = random.nextInt(CHANCES);
        if (chance < OWN) {
            chunk(Group.OWN);
        } else if (chance < GUEST) {
            chunk(Group.GUEST);
        } else if (chance < LARGE) {
            large();
        } else if (chance < MAP) {
            entry(Group.MAP);
        } else if (chance < SORTED) {
            entry(Group.SORTED);
        } else if (chance < QUEUE) {
            queue();
        } else if (chance < COUNTER) {
            count();
        } else if (chance < BATCH) {
            batch();
        } else {
            unlessRefused(chance < SYNC ? target.durable::sync : target.durable::checkpoint);
        }
    }

    // ---- parts common to all changes ----

    /** Runs a change; returns false if it is refused because of a full disk, where that is expected. */
    private boolean unlessRefused(Runnable change) {
        try {
            change.run();
            return true;
        } catch (StoreException e) {
            if (!isTolerant || e.category() != Category.DEGRADED) {
                throw e;
            }
            refusal = e;
            ledger.countRefused(thread);
            LockSupport.parkNanos(REFUSED_REST_NS);
            return false;
        }
    }

    /** Changes a key of this thread. */
    private void change(long key, int kind, LongConsumer change) {
        final long state = ledger.intend(key, kind);
        plant.early(random, () -> ledger.ack(key));
        final Runnable call = () -> {
            if (!plant.isLeftOut(random, kind)) {
                change.accept(state);
            }
        };
        final boolean isSynced = random.nextInt(PER_MILLE) < SYNCED_PER_MILLE;
        final boolean isMade = unlessRefused(isSynced ? () -> target.durable.at(Level.SYNCED, call) : call);
        if (kind == State.ABSENT) {
            countRemoval(isMade);
        }
        if (isMade) {
            ledger.ack(key);
            plant.stall(random);
        } else {
            settle(key);
        }
    }

    private void countRemoval(boolean isMade) {
        if (!isMade) {
            out.println(Worker.REMOVAL_REFUSED + " " + Objects.requireNonNull(refusal).getMessage());
        }
        ledger.countRemoval(thread, isMade);
    }

    /** Handles a refused change, which may or may not have been made. */
    private void settle(long key) {
        final byte[] bytes = target.read(key);
        final long intent = ledger.intent(key);
        if (bytes == null && State.kind(intent) == State.CREATED && Group.of(key).isChunk()) {
            retired.add(key);
            return;
        }
        final long state = Check.state(ledger, key, bytes);
        verify(state >= 0, key, "what was refused has changed it otherwise");
        ledger.settle(key, state);
    }

    private static void verify(boolean isRight, long key, String text) {
        if (!isRight) {
            throw new WrongException(new Wrong(Wrong.Kind.AUDIT, Group.text(key) + ": " + text));
        }
    }

    private byte[] content(long key, long state) {
        return plant.content(random, Content.of(key, state));
    }

    private long key(Group group) {
        return group.key(thread, random.nextInt(group.count));
    }

    private boolean isRemoved() {
        return random.nextInt(PERCENT) < REMOVE_PERCENT;
    }

    // ---- chunks ----

    /**
     * Data longer than a record may wait on a full disk; so only one thread writes such data there, and others
     * continue.
     */
    private void large() {
        if (!isTolerant || thread == 0) {
            chunk(Group.LARGE);
        }
    }

    private void chunk(Group group) {
        final long key = key(group);
        if (retired.contains(key)) {
            return;
        }
        if (State.isPresent(ledger.acked(key))) {
            if (isRemoved()) {
                change(key, State.ABSENT, _ -> verify(target.store.remove(target.cid(key)) >= 0, key, "no remove"));
            } else {
                change(key, State.CHANGED, state -> isOk(key, target.store.put(target.cid(key), content(key, state))));
            }
        } else if (group == Group.GUEST) {
            change(key, State.CREATED,
                state -> isOk(key, target.store.ids().createAt(target.cid(key), content(key, state))));
        } else if (ledger.canIssue(thread)) {
            change(key, State.CREATED, state -> create(key, content(key, state)));
        }
    }

    private static void isOk(long key, int status) {
        verify(status == Status.OK, key, Status.name(status));
    }

    private void create(long key, byte[] bytes) {
        if (random.nextInt(PERCENT) < RESERVE_PERCENT) {
            final long cid = target.store.ids().reserve();
            made(key, cid);
            isOk(key, target.store.ids().createAt(cid, bytes));
        } else {
            made(key, target.store.create(bytes));
        }
    }

    private void made(long key, long cid) {
        verify(!Status.isStatus(cid) && cid != Cid.NONE, key, "no CID");
        ledger.issue(thread, cid);
        ledger.setCid(key, cid);
    }

    private void batch() {
        final boolean isPresent = random.nextInt(2) == 0;
        final List<Long> keys = new ArrayList<>();
        for (int i = 0; i < Group.OWN.count && keys.size() < BATCH_MAX; i++) {
            final long key = Group.OWN.key(thread, (i * 7 + thread) % Group.OWN.count);
            if (State.isPresent(ledger.acked(key)) == isPresent && !retired.contains(key) && random.nextInt(3) == 0) {
                keys.add(key);
            }
        }
        if (keys.isEmpty() || !ledger.canIssue(thread)) {
            return;
        }
        final int kind = !isPresent ? State.CREATED : isRemoved() ? State.ABSENT : State.CHANGED;
        final long[] states = keys.stream().mapToLong(key -> ledger.intend(key, kind)).toArray();
        if (unlessRefused(() -> batch(keys, kind, states))) {
            keys.forEach(ledger::ack);
        } else {
            keys.forEach(this::settle);
        }
    }

    private void batch(List<Long> keys, int kind, long[] states) {
        final long[] cids = keys.stream().mapToLong(target::cid).toArray();
        if (kind == State.ABSENT) {
            final long[] results = new long[cids.length];
            final int removed = target.store.batch().remove(cids, 0, cids.length, results);
            verify(removed == cids.length, keys.getFirst(), "a batch removes less");
            return;
        }
        final int[] lengths = new int[cids.length];
        byte[] all = new byte[0];
        for (int i = 0; i < cids.length; i++) {
            final byte[] bytes = Content.of(keys.get(i), states[i]);
            lengths[i] = bytes.length;
            all = Arrays.copyOf(all, all.length + bytes.length);
            System.arraycopy(bytes, 0, all, all.length - bytes.length, bytes.length);
        }
        final MemorySegment source = MemorySegment.ofArray(all);
        final int done;
        if (kind == State.CREATED) {
            done = target.store.batch().create(source, lengths, cids, 0, random.nextInt(2) == 0);
            for (int i = 0; i < done; i++) {
                made(keys.get(i), cids[i]);
            }
        } else {
            done = target.store.batch().put(cids, 0, source, lengths, new int[cids.length]);
        }
        verify(done == cids.length, keys.getFirst(), "a batch does less");
    }

    // ---- collections, counters ----

    private void entry(Group group) {
        final long key = key(group);
        final byte[] before = target.read(key);
        verify(Check.state(ledger, key, before) >= 0, key, "wrong in memory");
        final var map = group == Group.MAP ? target.map : target.sorted;
        if (State.isPresent(ledger.acked(key)) && isRemoved()) {
            change(key, State.ABSENT, _ -> verify(Arrays.equals(map.remove(key), before), key, "removes another"));
        } else {
            change(key, State.isPresent(ledger.acked(key)) ? State.CHANGED : State.CREATED,
                state -> verify(Arrays.equals(map.put(key, content(key, state)), before), key, "replaces another"));
        }
    }

    private void queue() {
        final boolean isMany = target.queue.longSize() > QUEUE_BOUND;
        if (random.nextInt(QUEUE_SHARE) < (isMany ? 2 : 3)) {
            add();
        } else {
            poll();
        }
    }

    private void add() {
        final long number = ledger.added(thread) + 1;
        final long key = Group.QUEUE.key(thread, 0);
        ledger.setAdding(thread, number);
        if (unlessRefused(() -> target.queue.add(Content.of(key, State.next(number - 1 << 2, State.CHANGED))))) {
            ledger.setAdded(thread, number);
            ledger.count(thread, 1);
        } else {
            ledger.setAdding(thread, number - 1);
        }
    }

    private void poll() {
        ledger.setPolling(thread, true);
        final boolean isMade = unlessRefused(() -> {
            final byte[] bytes = target.queue.poll();
            if (bytes != null) {
                final long key = Content.hasHead(bytes) ? Content.key(bytes) : -1;
                verify(Group.isKey(key) && Check.isOfKey(key, bytes), Group.QUEUE.key(thread, 0), "torn element");
                final int of = Group.thread(key);
                final long number = State.version(Content.state(bytes));
                verify(number > ledger.taken(thread, of), key, "element " + number + " comes again");
                ledger.setTaken(thread, of, number);
                ledger.count(thread, 1);
            }
        });
        countRemoval(isMade);
        ledger.setPolling(thread, false);
    }

    private void count() {
        final int counter = random.nextInt(Ledger.COUNTERS);
        final long before = ledger.counted(thread, counter);
        ledger.setCounting(thread, counter, before + 1);
        if (unlessRefused(() -> target.store.fields().getAndAddLong(Target.counter(counter), 0, 1))) {
            ledger.setCounted(thread, counter, before + 1);
            ledger.count(thread, 1);
        } else {
            ledger.setCounting(thread, counter, before);
        }
    }
}
