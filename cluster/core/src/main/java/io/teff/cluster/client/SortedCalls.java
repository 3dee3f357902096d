package io.teff.cluster.client;

import io.teff.cluster.MissingRightException;
import io.teff.cluster.RangeConfig;
import io.teff.cluster.UnknownOutcomeException;
import io.teff.cluster.client.CollectionCalls.Counted;
import io.teff.cluster.client.CollectionCalls.Outcome;
import io.teff.cluster.client.CollectionCalls.Page;
import io.teff.cluster.client.CollectionCalls.PageEntry;
import io.teff.cluster.client.RangeTable.Found;
import io.teff.cluster.collect.KeyRange;
import io.teff.cluster.collect.PartReport;
import io.teff.cluster.collect.RangeState;
import io.teff.cluster.operation.CollectionMode;
import io.teff.cluster.operation.OperationFormat;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sends operations to the parts of a sorted map. The requests are those of a map with one part; an operation on several
 * keys is sent in several requests. Thread-safe.
 *
 * <p><b>Bounds.</b> The owner of a part refuses keys of other parts, and says its bounds and the next part. So a client
 * may know old bounds. Bounds move down only: a key behind the bounds of a part is in one of the next parts. A key in
 * front of the bounds is in a slice on its way from the part in front. Then this client has the target take the slice,
 * and waits for no other client.
 *
 * <p><b>Ranges of keys.</b> A request names a range inside of one part, and the owner checks the range under the lock
 * of the part. A walk goes on at the bound to which it has read. So the walk shows no key twice, and each key that was
 * there throughout, also while parts are split: each stretch of keys is read from the part that has the stretch then.
 */
final class SortedCalls {
    private static final int ATTEMPTS_MAX = 256;
    /** Number of refusals after which the bounds are taken from the row again. */
    private static final int ATTEMPTS_WITH_BOUNDS = 16;
    /** Changes of this client in a part between two looks at the size of the part. */
    static final int CHANGES_UNTIL_LOOK = 256;
    /** Changes of this client in a part between two steps of a split of the part. */
    private static final int CHANGES_UNTIL_STEP = 16;
    /** A change of this number of bytes, as an exponent of 2, counts as one change more. */
    private static final int BYTES_SHIFT = 12;
    /** Changes of this client in a part behind a failure of a split. */
    private static final int CHANGES_UNTIL_RETRY = 4_096;

    private final CollectionCalls first;
    private final RangeRows rows;
    private final Comparator<byte[]> order;
    private final RangeTable table;
    private final @Nullable RangeConfig config;
    private final ReentrantLock growing = new ReentrantLock();
    /** The split that this client continues, or null. Guarded by the lock. */
    private @Nullable RangeSplit split;
    private int splitIndex;

    /**
     * Begins with the bounds of the row.
     *
     * @param first the part with the lowest keys
     * @param order of the bytes of keys
     * @param config when parts are split; null if parts are split only when they fill their zones
     */
    SortedCalls(CollectionCalls first, RangeRows rows, Comparator<byte[]> order, @Nullable RangeConfig config) {
        this.first = first;
        this.rows = rows;
        this.order = order;
        this.config = config;
        table = new RangeTable(order, sorted(rows.bounds(first)));
    }

    private List<RangeTable.Range> sorted(List<RangeTable.Range> all) {
        final List<RangeTable.Range> sorted = new ArrayList<>(all.subList(1, all.size()));
        sorted.sort((left, right) -> order.compare(bound(left), bound(right)));
        sorted.addFirst(all.getFirst());
        return sorted;
    }

    private static byte[] bound(RangeTable.Range range) {
        final byte[] low = range.low();
        if (low == null) {
            throw new IllegalStateException("a part without a bound behind the first part");
        }
        return low;
    }

    ClusterClient client() {
        return first.client();
    }

    void checkOpen() {
        first.checkOpen();
    }

    /**
     * Returns the calls of a map with one part.
     *
     * @throws IllegalStateException if the map has several parts
     */
    CollectionCalls whole() {
        if (rows.bounds(first).size() > 1) {
            throw new IllegalStateException("a sorted map with several parts has no change stream");
        }
        return first;
    }

    // ---- bounds ----

    /** Looks for the right part, after a part has refused a request; the number of refusals is bounded. */
    private void refused(Found found, RangeState state, int attempt) {
        if (attempt >= ATTEMPTS_MAX) {
            throw new StoreException(Category.RETRY, "the parts of the sorted map refuse their keys");
        }
        if (attempt % ATTEMPTS_WITH_BOUNDS == ATTEMPTS_WITH_BOUNDS - 1) {
            rows.read();
            table.reset(sorted(rows.bounds(first)));
            return;
        }
        final byte[] high = state.high();
        if (high != null && !Arrays.equals(high, found.high())) {
            table.learn(high, first.at(state.next()));
        } else if (found.before() != null) {
            take(found.before().calls(), found.range().calls());
        }
    }

    /** Has a part take the slice that is on its way. */
    private void take(CollectionCalls part, CollectionCalls target) {
        try {
            RangeSplit.of(part, target).step();
        } catch (MissingRightException _) {                     // a client that may only read waits for another client
            try (Call call = client().call("wait for a part of a sorted map")) {
                call.pause();
            }
        }
    }

    /** Sends a request to the part with a key. */
    private <T> T at(byte[] key, Function<Found, T> operation) {
        for (int attempt = 0; ; attempt++) {
            final Found found = table.find(key);
            try {
                return operation.apply(found);
            } catch (OtherPartException e) {
                refused(found, e.part(), attempt);
            }
        }
    }

    /** Sends requests for a range, part by part, until a request has the result. */
    private <T> @Nullable T walk(byte[] range, Function<Stretch, @Nullable T> request) {
        KeyRange left = KeyRange.CODEC.read(new Input(range, 0, range.length));
        int attempt = 0;
        while (true) {
            final Found found = left.isUpwards() ? table.find(left.low())
                : table.findBelow(left.high(), left.isHighIn());
            final KeyRange clipped = clip(left, found);
            final byte[] bound = left.isUpwards() ? clipped.high() : clipped.low();
            final boolean isLast = Arrays.equals(bound, left.isUpwards() ? left.high() : left.low())
                && (left.isUpwards() ? clipped.isHighIn() == left.isHighIn() : clipped.isLowIn() == left.isLowIn());
            try {
                final T result = request.apply(new Stretch(found.range().calls(), clipped, isLast));
                if (result != null || isLast) {
                    return result;
                }
                attempt = 0;
            } catch (OtherPartException e) {
                refused(found, e.part(), attempt++);
                continue;
            }
            left = left.isUpwards() ? new KeyRange(bound, true, left.high(), left.isHighIn(), true)
                : new KeyRange(left.low(), left.isLowIn(), bound, false, false);
        }
    }

    /**
     * The stretch of a range in one part.
     *
     * @param calls of the part
     * @param range the stretch
     * @param isLast whether the range ends here
     */
    private record Stretch(CollectionCalls calls, KeyRange range, boolean isLast) {
        byte[] bytes() {
            return CollectionCalls.bytes(KeyRange.CODEC, range);
        }
    }

    /** Returns what belongs to a range and to a part. */
    private KeyRange clip(KeyRange range, Found found) {
        final byte[] low = found.range().low();
        final byte[] high = found.high();
        final byte[] rangeLow = range.low();
        final byte[] rangeHigh = range.high();
        final boolean isLowCut = !range.isUpwards() && low != null
            && (rangeLow == null || order.compare(rangeLow, low) < 0);
        final boolean isHighCut = range.isUpwards() && high != null && (rangeHigh == null
            || (range.isHighIn() ? order.compare(rangeHigh, high) >= 0 : order.compare(rangeHigh, high) > 0));
        return new KeyRange(isLowCut ? low : rangeLow, isLowCut || range.isLowIn(), isHighCut ? high : rangeHigh,
            !isHighCut && range.isHighIn(), range.isUpwards());
    }

    // ---- reads ----

    /** Returns the value of a key, or null. */
    byte @Nullable [] value(CollectionMode mode, long argument, byte[] key) {
        final byte[][] value = new byte[1][];
        at(key, found -> {
            value[0] = found.range().calls().value(mode, argument, key);
            return value;
        });
        return value[0];
    }

    /** Reads some values of keys, or a page of a range. */
    Page page(CollectionMode mode, long hasValues, long most, byte[] content) {
        if (mode == CollectionMode.SORTED_GET_ALL) {
            return getAll(split(content));
        }
        final Page page = walk(content, stretch -> {
            final Page read = stretch.calls.page(mode, hasValues, most, stretch.bytes());
            return stretch.isLast || read.result() != 0 ? read : read.entries().isEmpty() ? null
                : new Page(1, read.entries());
        });
        return page == null ? new Page(0, List.of()) : page;
    }

    private static List<byte[]> split(byte[] content) {
        return PartReport.getAll(new Input(content, 0, content.length));
    }

    private static byte[] joined(List<byte[]> parts) {
        final Output out = Output.growing(1 << 10);
        PartReport.putAll(out, parts);
        return out.toByteArray();
    }

    /** Takes keys of one part; returns how many of the first ones are done. */
    private interface Group {
        int take(CollectionCalls calls, List<byte[]> keys, List<Integer> indexes);
    }

    /** Passes keys on part by part, in any order of the parts. */
    private void group(List<byte[]> keys, Group group) {
        List<Integer> left = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            left.add(i);
        }
        int attempt = 0;
        while (!left.isEmpty()) {
            final Found found = table.find(keys.get(left.getFirst()));
            final List<Integer> here = left.stream()
                .filter(each -> table.find(keys.get(each)).range().equals(found.range())).toList();
            try {
                final int done = group.take(found.range().calls(), here.stream().map(keys::get).toList(), here);
                final List<Integer> rest = new ArrayList<>(left);
                rest.removeAll(here.subList(0, done));
                left = rest;
                attempt = 0;
            } catch (OtherPartException e) {
                refused(found, e.part(), attempt++);
            }
        }
    }

    private Page getAll(List<byte[]> keys) {
        final List<PageEntry> entries = new ArrayList<>();
        group(keys, (calls, some, indexes) -> {
            final Page page = calls.page(CollectionMode.SORTED_GET_ALL, 0, 0, joined(some));
            for (PageEntry entry : page.entries()) {
                entries.add(PageEntry.of(indexes.get((int) entry.number()), entry.value()));
            }
            return (int) page.result();
        });
        return new Page(keys.size(), entries);
    }

    /** Counts the entries of a range. */
    Counted count(byte[] range) {
        final long[] count = new long[1];
        walk(range, stretch -> {
            KeyRange left = stretch.range;
            while (left != null) {
                final Counted counted = stretch.calls.count(CollectionCalls.bytes(KeyRange.CODEC, left));
                count[0] += counted.count();
                left = counted.last() == null ? null
                    : new KeyRange(counted.last(), false, left.high(), left.isHighIn(), true);
            }
            return null;
        });
        return new Counted(count[0], null);
    }

    /** Returns a number of the map. */
    long number(int which) {
        if (which == OperationFormat.MAP_ENTRIES) {
            return count(CollectionCalls.bytes(KeyRange.CODEC, new KeyRange(null, true, null, true, true))).count();
        }
        if (which == OperationFormat.MAP_AUDIT) {
            audit();
            return 0;
        }
        return sum(calls -> calls.number(which));
    }

    private long sum(ToLongFunction<CollectionCalls> number) {
        return chain().stream().mapToLong(part -> number.applyAsLong(part.calls)).sum();
    }

    /** A part, and what its owner says. */
    record Part(CollectionCalls calls, PartReport answer) {}

    /** Returns all parts in their order, from the first to the last. */
    List<Part> chain() {
        final List<Part> all = new ArrayList<>();
        CollectionCalls next = first;
        while (next != null) {
            final Part part = new Part(next, next.look());
            all.add(part);
            next = part.answer.state().next() == 0 ? null : first.at(part.answer.state().next());
        }
        return all;
    }

    private void audit() {
        final List<Part> all = chain();
        for (int i = 0; i < all.size(); i++) {
            all.get(i).calls.number(OperationFormat.MAP_AUDIT);
            final RangeState state = all.get(i).answer.state();
            final RangeState behind = i + 1 == all.size() ? null : all.get(i + 1).answer.state();
            if (!state.isSplitting() && (behind == null ? state.high() != null
                : !Arrays.equals(state.high(), behind.isUnborn() ? behind.high() : behind.low()))) {
                throw new IllegalStateException("part " + i + " of the sorted map ends where no part begins");
            }
        }
    }

    // ---- changes ----

    /** Makes a change of an entry, of a range, or of several entries. */
    Outcome change(CollectionMode mode, long argument, long second, byte[]... parts) {
        return switch (mode) {
            case SORTED_POLL -> poll(parts[0]);
            case SORTED_CLEAR -> clear(argument, parts[0]);
            case SORTED_SET_ALL -> setAll(split(parts[0]));
            case SORTED_DELETE_ALL -> deleteAll(split(parts[0]));
            default -> {
                final Outcome[] outcome = new Outcome[1];
                final Found at = at(parts[0], found -> {
                    outcome[0] = found.range().calls().change(mode, argument, second, parts);
                    return found;
                });
                grow(at.range(), 1, parts);
                yield outcome[0];
            }
        };
    }

    /** Polls from the first part that has an entry. */
    private Outcome poll(byte[] range) {
        final Outcome outcome = walk(range, stretch -> {
            final Outcome polled = stretch.calls.change(CollectionMode.SORTED_POLL, 0, 0, stretch.bytes());
            return polled.isTooLong() || polled.value() != null || stretch.isLast ? polled : null;
        });
        return outcome == null ? new Outcome(-1, false, null) : outcome;
    }

    /** Removes all entries of a range; the result is 0. */
    private Outcome clear(long argument, byte[] range) {
        walk(range, stretch -> {
            while (stretch.calls.change(CollectionMode.SORTED_CLEAR, argument, 0, stretch.bytes()).result() > 0) {
                checkOpen();
            }
            return null;
        });
        return new Outcome(0, false, null);
    }

    /** Puts the first entries, as many as are in one part; the result is their number. */
    private Outcome setAll(List<byte[]> entries) {
        final Outcome[] outcome = new Outcome[1];
        final Found at = at(entries.getFirst(), found -> {
            final byte[] high = found.high();
            int count = 2;
            while (count < entries.size() && (high == null || order.compare(entries.get(count), high) < 0)) {
                count += 2;
            }
            outcome[0] = found.range().calls().change(CollectionMode.SORTED_SET_ALL, 0, 0,
                joined(entries.subList(0, count)));
            return found;
        });
        grow(at.range(), Math.max(outcome[0].result(), 1), entries.toArray(new byte[0][]));
        return outcome[0];
    }

    private Outcome deleteAll(List<byte[]> keys) {
        final long[] deleted = new long[1];
        group(keys, (calls, some, _) -> {
            deleted[0] += calls.change(CollectionMode.SORTED_DELETE_ALL, 0, 0, joined(some)).result();
            return some.size();
        });
        return new Outcome(deleted[0], false, null);
    }

    /** Has the holder of a lock come to all parts, if the calls have a token. */
    SortedCalls raise() {
        CollectionCalls next = first.hasToken() ? first : null;
        while (next != null) {
            next.raise();                                       // in front of the look: a later split carries the token
            final long behind = next.look().state().next();
            next = behind == 0 ? null : first.at(behind);
        }
        return this;
    }

    // ---- splits ----

    /** Notes changes in a part: now and then a change looks at the size of the part, or takes a step of a split. */
    private void grow(RangeTable.Range range, long count, byte[]... content) {
        long bytes = 0;
        for (byte[] each : content) {
            bytes += each.length;
        }
        final long now = range.changes().addAndGet(count + (bytes >>> BYTES_SHIFT));
        if (now < CHANGES_UNTIL_STEP || !growing.tryLock()) {
            return;
        }
        try {
            if (split != null) {
                range.changes().set(0);
                step(split);
            } else if (now >= CHANGES_UNTIL_LOOK) {
                range.changes().set(0);
                look(range.calls());
            }
        } catch (StoreException | MissingRightException | UnknownOutcomeException _) {  // the change was made
            split = null;
            range.changes().set(-CHANGES_UNTIL_RETRY);
        } finally {
            growing.unlock();
        }
    }

    private void look(CollectionCalls part) {
        final CollectionCalls.Size size = part.size();
        final PartReport answer = size.report();
        final boolean isLarge = config != null && (answer.entries() > config.entriesMax()
            || answer.memoryBytes() > config.bytesMax());
        if (answer.state().isSplitting() || answer.entries() > 1 && (isLarge || size.fills())) {
            splitIndex = target(part);
            split = begin(part, splitIndex, null);
        }
    }

    /** Begins or continues a split, whose target has an index in the row; returns null if that is impossible now. */
    @Nullable RangeSplit begin(CollectionCalls part, int index, byte @Nullable [] key) {
        return index < 0 ? null : RangeSplit.begin(part, part(index), key);
    }

    /** Returns the calls of the part with an index in the row. */
    CollectionCalls part(int index) {
        return rows.calls(first, index);
    }

    /** Returns the index of the target of a split in the row, or -1. */
    int target(CollectionCalls part) {
        return rows.target(part.root());
    }

    private void step(RangeSplit of) {
        final RangeSplit.Step step = of.step();
        if (step == RangeSplit.Step.ENDED) {
            ended(of, splitIndex);
        }
        if (step != RangeSplit.Step.MOVED) {
            split = null;
        }
    }

    /** Notes the bound of a target, whose split has ended. */
    void ended(RangeSplit of, int index) {
        final byte[] low = of.settle();
        rows.bind(index, low);
        if (low != null) {
            table.learn(low, of.target());
        }
    }

    /**
     * Splits the part with a key.
     *
     * @param isAt whether the key is to begin a part; else the entries are halved
     * @return whether the key begins a part now, or whether a part was split
     */
    boolean split(byte[] key, boolean isAt) {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            final Found found = table.find(key);
            final PartReport answer = found.range().calls().look();
            final byte[] low = answer.state().low();
            final byte[] high = answer.state().high();
            final boolean isBehind = high != null && order.compare(key, high) >= 0;
            if (isBehind || answer.state().isUnborn() || low != null && order.compare(key, low) < 0) {
                refused(found, answer.state(), attempt);
            } else if (isAt && low != null && order.compare(key, low) == 0) {
                return true;
            } else if (!isAt && answer.entries() < 2 && !answer.state().isSplitting()
                || !isSplit(found.range().calls(), isAt ? key : null)) {
                return false;
            } else if (!isAt) {
                return true;
            }
        }
        return false;
    }

    /** Splits a part to the end; returns false if this is impossible now. */
    private boolean isSplit(CollectionCalls part, byte @Nullable [] key) {
        final int index = target(part);
        final RangeSplit of = begin(part, index, key);
        RangeSplit.Step step = of == null ? RangeSplit.Step.IDLE : RangeSplit.Step.MOVED;
        while (of != null && step == RangeSplit.Step.MOVED) {
            step = of.step();
        }
        if (of == null || step == RangeSplit.Step.IDLE) {
            return false;
        }
        ended(of, index);
        return true;
    }
}
