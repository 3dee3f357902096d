package io.teff.test.crash;

import io.teff.engine.Cid;
import io.teff.engine.CidCursor;
import io.teff.engine.error.StoreException;
import io.teff.recovery.DurableHealth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compares a store with the ledger while neither is being changed. */
final class Check {
    private final Target target;
    private final Ledger ledger;
    private final List<Wrong> wrongs = new ArrayList<>();
    private final Map<Long, Long> keyByCid = new HashMap<>();
    /** Chunks made by a call that has not returned. */
    private final Map<Long, Long> cidByNewKey = new HashMap<>();
    private final Map<Long, Long> found = new HashMap<>();
    private final long[] issued;
    private long present;

    Check(Target target) {
        this.target = target;
        this.ledger = target.ledger;
        this.issued = ledger.issued();
        Arrays.sort(issued);
    }

    /** Compares, and returns the violations. */
    List<Wrong> run() {
        try {
            keys(this::live);
            chunks();
            keys(this::judge);
            issued();
            collections();
            counters();
            for (int of = 0; of < Ledger.THREADS; of++) {
                queue(of);
            }
            polls();
        } catch (StoreException | IllegalStateException e) {
            wrong(Wrong.Kind.AUDIT, e.toString());
        }
        return wrongs;
    }

    /** Returns the number of existing keys. */
    long present() {
        return present;
    }

    private void wrong(Wrong.Kind kind, String text) {
        wrongs.add(new Wrong(kind, text));
    }

    /** An action on each key. */
    @FunctionalInterface
    private interface KeyAction {
        void accept(long key);
    }

    private static void keys(KeyAction action) {
        for (int thread = 0; thread < Ledger.THREADS; thread++) {
            for (Group group : Group.values()) {
                for (int number = 0; number < group.count; number++) {
                    action.accept(group.key(thread, number));
                }
            }
        }
    }

    // ---- chunks ----

    private void live(long key) {
        if (Group.of(key).isChunk()) {
            final long cid = target.cid(key);
            if (target.store.exists(cid)) {
                final Long other = keyByCid.put(cid, key);
                if (other != null) {
                    wrong(Wrong.Kind.REISSUED, Group.text(key) + " and " + Group.text(other) + " have CID "
                        + Cid.toString(cid));
                }
            }
        }
    }

    /** Checks that every chunk that names a key is registered, or was being created. */
    private void chunks() {
        final CidCursor cursor = target.store.ids().cursor();
        for (long cid = cursor.next(); cid != Cid.NONE; cid = cursor.next()) {
            final byte[] bytes = keyByCid.containsKey(cid) ? null : target.readChunk(cid);
            if (bytes != null && Content.hasHead(bytes) && Group.isKey(Content.key(bytes))
                && Group.of(Content.key(bytes)).isChunk()) {
                unknown(cid, bytes);
            }
        }
    }

    private void unknown(long cid, byte[] bytes) {
        final long key = Content.key(bytes);
        final long state = Content.state(bytes);
        final boolean isNew = State.kind(state) == State.CREATED && ledger.intent(key) == state
            && ledger.acked(key) != state && Arrays.equals(bytes, Content.of(key, state));
        if (!isNew || cidByNewKey.put(key, cid) != null) {
            wrong(Wrong.Kind.REVIVED, "chunk " + Cid.toString(cid) + " is " + Group.text(key) + " in "
                + State.text(state) + ", which has CID " + Cid.toString(target.cid(key)) + " and " + ledgerText(key));
        }
    }

    private void issued() {
        for (int i = 0; i < issued.length; i++) {
            final long cid = issued[i];
            if (i > 0 && issued[i - 1] == cid) {
                wrong(Wrong.Kind.REISSUED, "CID " + Cid.toString(cid) + " was given out twice");
            }
            if (!keyByCid.containsKey(cid) && !cidByNewKey.containsValue(cid) && target.store.exists(cid)) {
                wrong(Wrong.Kind.REVIVED, "CID " + Cid.toString(cid) + " was removed and is there");
            }
        }
    }

    // ---- keys ----

    private void judge(long key) {
        final Long newCid = cidByNewKey.get(key);
        final byte[] bytes = newCid == null ? target.read(key) : target.readChunk(newCid);
        if (bytes != null) {
            present++;
        }
        final long state = stateOf(key, bytes);
        if (state >= 0) {
            found.put(key, state);
        }
    }

    /**
     * Returns the state of the bytes; if it is not one of the possible states, reports a violation and returns a
     * negative number.
     */
    private long stateOf(long key, byte @Nullable [] bytes) {
        final long state = state(ledger, key, bytes);
        if (state < 0) {
            wrong(kind(key, bytes), Group.text(key) + " has " + text(key, bytes) + ", and " + ledgerText(key));
        }
        return state;
    }

    /** Returns the newer one of a key's two possible states that matches the bytes, or -1. */
    static long state(Ledger ledger, long key, byte @Nullable [] bytes) {
        if (shows(key, ledger.intent(key), bytes)) {
            return ledger.intent(key);
        }
        final long acked = ledger.acked(key);
        return State.version(ledger.seen(key)) <= State.version(acked) && shows(key, acked, bytes) ? acked : -1;
    }

    private static boolean shows(long key, long state, byte @Nullable [] bytes) {
        return bytes == null ? !State.isPresent(state)
            : State.isPresent(state) && Arrays.equals(bytes, Content.of(key, state));
    }

    private Wrong.Kind kind(long key, byte @Nullable [] bytes) {
        if (bytes == null) {
            return Wrong.Kind.LOST;
        }
        if (!State.isPresent(ledger.acked(key)) && !State.isPresent(ledger.intent(key))) {
            return Wrong.Kind.REVIVED;
        }
        return isOfKey(key, bytes) ? Wrong.Kind.LOST : Wrong.Kind.TORN;
    }

    /** Whether the bytes are whole and belong to some state of the key. */
    static boolean isOfKey(long key, byte[] bytes) {
        return Content.hasHead(bytes) && Content.key(bytes) == key
            && Arrays.equals(bytes, Content.of(key, Content.state(bytes)));
    }

    private static String text(long key, byte @Nullable [] bytes) {
        if (bytes == null) {
            return "nothing";
        }
        return bytes.length + " bytes " + (isOfKey(key, bytes) ? "of " + State.text(Content.state(bytes))
            : "that nobody wrote");
    }

    private String ledgerText(long key) {
        return "acknowledged is " + State.text(ledger.acked(key)) + ", begun " + State.text(ledger.intent(key))
            + ", seen " + State.text(ledger.seen(key));
    }

    // ---- collections ----

    private void collections() {
        auditStore();
        target.map.audit();
        target.indexed.audit();
        target.sorted.audit();
        target.queue.audit();
        size(Group.MAP, target.map.longSize());
        size(Group.SORTED, target.sorted.longSize());
        long before = -1;
        for (long key : target.sorted.keySet()) {
            if (key <= before || Group.of(key) != Group.SORTED) {
                wrong(Wrong.Kind.AUDIT, "in the sorted map, key " + key + " is behind " + before);
            }
            before = key;
        }
    }

    /** Audits store and log. If a planned failure of the disk has closed the log, only the store is left to audit. */
    private void auditStore() {
        try {
            target.durable.audit();
        } catch (StoreException e) {
            if (target.durable.health().state() != DurableHealth.State.FAILED) {
                throw e;
            }
            target.durable.store().audit();
        }
    }

    private void size(Group group, long size) {
        final long keys = found.entrySet().stream()
            .filter(entry -> Group.of(entry.getKey()) == group && State.isPresent(entry.getValue())).count();
        if (size != keys && wrongs.isEmpty()) {
            wrong(Wrong.Kind.AUDIT, group + " has size " + size + " and " + keys + " keys");
        }
    }

    private void counters() {
        for (int counter = 0; counter < Ledger.COUNTERS; counter++) {
            final long value = target.store.fields().getLong(Target.counter(counter), 0, -1);
            long least = 0;
            long most = 0;
            for (int thread = 0; thread < Ledger.THREADS; thread++) {
                least += ledger.counted(thread, counter);
                most += ledger.counting(thread, counter);
            }
            if (value < least || value > most) {
                wrong(value < least ? Wrong.Kind.LOST : Wrong.Kind.TORN, "counter " + counter + " is " + value
                    + " and not in " + least + " to " + most);
            }
        }
    }

    // ---- queue ----

    private long takenMax(int of) {
        long max = 0;
        for (int thread = 0; thread < Ledger.THREADS; thread++) {
            max = Math.max(max, ledger.taken(thread, of));
        }
        return max;
    }

    private final long[] first = new long[Ledger.THREADS];
    private final long[] last = new long[Ledger.THREADS];
    private long polled;

    /**
     * Checks the elements of one thread: each one that was added and not taken, in order, except the one being taken.
     */
    private void queue(int of) {
        final long key = Group.QUEUE.key(of, 0);
        for (byte[] bytes : target.queue) {
            if (!Content.hasHead(bytes) || Group.of(Content.key(bytes)) != Group.QUEUE) {
                wrong(Wrong.Kind.TORN, "the queue has an element that nobody added");
            } else if (Content.key(bytes) == key) {
                element(of, key, bytes);
            }
        }
        final long taken = takenMax(of);
        if (first[of] == 0) {
            polled += Math.max(0, ledger.added(of) - taken);
            first[of] = Math.max(ledger.added(of), taken) + 1;
            last[of] = first[of] - 1;
            return;
        }
        polled += Math.max(0, first[of] - taken - 1);
        if (first[of] <= taken) {
            wrong(Wrong.Kind.REVIVED, "element " + first[of] + " of thread " + of + " is in the queue, and " + taken
                + " was taken");
        }
        if (last[of] != ledger.added(of) && last[of] != ledger.adding(of)) {
            wrong(Wrong.Kind.LOST, "the last element of thread " + of + " in the queue is " + last[of] + ", and "
                + ledger.added(of) + " was added");
        }
    }

    private void element(int of, long key, byte[] bytes) {
        final long number = State.version(Content.state(bytes));
        if (!isOfKey(key, bytes)) {
            wrong(Wrong.Kind.TORN, "element " + number + " of thread " + of + " has bytes that nobody wrote");
        }
        if (first[of] == 0) {
            first[of] = number;
        } else if (number != last[of] + 1) {
            wrong(Wrong.Kind.LOST, "element " + number + " of thread " + of + " is behind " + last[of]);
        }
        last[of] = number;
    }

    private void polls() {
        int polling = 0;
        for (int thread = 0; thread < Ledger.THREADS; thread++) {
            polling += ledger.isPolling(thread) ? 1 : 0;
        }
        if (polled > polling) {
            wrong(Wrong.Kind.LOST, polled + " elements of the queue are gone, and " + polling + " were being taken");
        }
    }

    // ---- settling ----

    /**
     * Records the outcome of changes that were under way. May be killed at any moment: after each store the ledger
     * agrees with the outcome.
     */
    void settle() {
        cidByNewKey.forEach((key, cid) -> {
            if (Arrays.binarySearch(issued, cid) < 0 && Group.of(key) != Group.GUEST) {
                ledger.issue(0, cid);
            }
            ledger.setCid(key, cid);
        });
        found.forEach(ledger::settle);
        for (int counter = 0; counter < Ledger.COUNTERS; counter++) {
            settleCounter(counter);
        }
        for (int of = 0; of < Ledger.THREADS; of++) {
            ledger.setAdded(of, last[of]);
            ledger.setAdding(of, last[of]);
            ledger.setTaken(0, of, first[of] - 1);
        }
        for (int thread = 0; thread < Ledger.THREADS; thread++) {
            ledger.setPolling(thread, false);
        }
    }

    private void settleCounter(int counter) {
        long more = target.store.fields().getLong(Target.counter(counter), 0, -1);
        for (int thread = 0; thread < Ledger.THREADS; thread++) {
            more -= ledger.counted(thread, counter);
        }
        for (int thread = 0; thread < Ledger.THREADS; thread++) {
            final long added = Math.min(more, ledger.counting(thread, counter) - ledger.counted(thread, counter));
            ledger.setCounted(thread, counter, ledger.counted(thread, counter) + added);
            ledger.setCounting(thread, counter, ledger.counted(thread, counter));
            more -= added;
        }
    }
}
