package io.teff.engine.hash;

import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.WriterLock;
import io.teff.engine.storage.WriterLocks;
import io.teff.engine.table.EntryWord;
import java.nio.ByteBuffer;

/**
 * Splits and merges the buckets of a hash table, one at a time, a few buckets after each change that requires a split
 * or a merge.
 *
 * <p>One thread at a time does so, under {@link #structure}; other threads continue. The bucket's writer lock is taken
 * only by a try, so no thread waits for a writer lock while holding the structure lock, and a long function under a
 * writer lock delays only the growth. After every step each entry can be found; {@link #open} completes a split or
 * merge that a snapshot has interrupted.
 */
final class HashGrowth {
    /** Weight per bucket above which the table grows. */
    static final int WEIGHT = 560;
    /** Weight per bucket below which the table shrinks. */
    static final int WEIGHT_LOW = 224;

    private static final int ENTRY_WEIGHT_MIN = 24;
    /** Number of splits that are due before the table grows: so many share the change of the root. */
    private static final int SPLITS_DUE = 4;
    /** Largest number of splits or merges after one change. */
    private static final int STEPS = 8;
    /** Splits that share the change of the root while a loader waits for them. */
    private static final int STEPS_OF_LOAD = 64;
    /** Splits share a group in the journal up to this size, in bytes: a group of one record. */
    private static final int GROUP_BYTES_MAX = 1 << 16;

    private final LinearHash table;
    private final CollectionChunks chunks;
    private final ChunkIndex index;
    private final WriterLock structure;
    private final BucketBytes whole = new BucketBytes();
    private final BucketBytes left = new BucketBytes();
    private final BucketBytes right = new BucketBytes();
    /** Sum of prefetched words, stored so that the loads are not removed, see {@link LinearHash#fetch}. */
    long fetched;

    HashGrowth(LinearHash table) {
        this.table = table;
        this.chunks = table.chunks;
        this.index = table.index;
        this.structure = new WriterLock(chunks);
    }

    /** Returns the weight of an entry. */
    static int weight(int bytes) {
        return Math.max(bytes + BucketLayout.SLOT_BYTES, ENTRY_WEIGHT_MIN);
    }

    // ---- when to grow ----

    /** Splits or merges a few buckets if the load requires it. */
    void adjust() {
        final long load = table.counters.load();
        final long buckets = index.count();
        if (load > (buckets + SPLITS_DUE) * WEIGHT
            || load < buckets * WEIGHT_LOW && buckets > LinearHash.BUCKETS_MIN) {
            run(STEPS);
        }
    }

    /** Merges buckets until the load requires no more. */
    void shrink() {
        run(Long.MAX_VALUE);
    }

    /** Splits or merges one bucket regardless of the load, for tests. */
    void once(boolean split) {
        structure.lock();
        try {
            if (split) {
                split(1);
            } else {
                merge();
            }
        } finally {
            structure.unlock();
        }
    }

    private void run(long steps) {
        if (!structure.tryLock()) {
            return;
        }
        try {
            if (!table.state.isDropped()) {
                splitOrMerge(steps);
            }
        } catch (StoreException e) {
            if (e.category() == Category.FATAL) {
                throw e;
            }                                                   // else no memory, or a locked bucket: retried later
        } finally {
            structure.unlock();
        }
        chunks.changed();
    }

    private void splitOrMerge(long steps) {
        final long due = splitsDue();
        if (due > 0) {
            if (split((int) Math.min(due, steps)) > 0) {
                chunks.done();
            }
            return;
        }
        boolean more = true;
        for (long i = 0; i < steps && more && !table.state.isDropped(); i++) {
            final long buckets = index.count();
            more = table.counters.load() < buckets * WEIGHT_LOW && buckets > LinearHash.BUCKETS_MIN && merge();
        }
    }

    /** Returns the number of splits after which the load requires no more. */
    private long splitsDue() {
        return (table.counters.load() - 1) / WEIGHT + 1 - index.count();
    }

    /**
     * Lets the table grow for entries that {@link LoadCounters#expect} has announced. Ends early if a bucket is in use.
     */
    void growForLoad() {
        structure.lock();
        try {
            while (splitsDue() > 0 && !table.state.isDropped()) {
                if (split((int) Math.min(splitsDue(), STEPS_OF_LOAD)) == 0) {
                    return;
                }
            }
        } finally {
            structure.unlockOnly();
        }
    }

    // ---- split and merge, under the structure lock ----

    /**
     * Splits buckets and publishes them together: while their writer locks are held, no writer needs the new count, and
     * readers find the new buckets by the levels of the old ones.
     *
     * @return number of buckets that were split, fewer than {@code most} if a bucket is in use
     */
    private int split(int most) {
        final long first = index.count();
        long number = first;
        long end = first;
        long bytes = 0;
        fetchSources(first, most);
        try {
            while (number < first + most && bytes < GROUP_BYTES_MAX
                && table.writerLocks.tryLockOnce(WriterLocks.of(number))) {
                end++;
                split(number);
                number++;
                bytes += whole.length();
            }
            return (int) (number - first);
        } finally {
            try {
                if (number > first) {
                    index.setCount(number);
                }
            } finally {
                for (long locked = first; locked < end; locked++) {
                    table.writerLocks.unlockOnly(WriterLocks.of(locked));
                }
            }
        }
    }

    /** Prefetches the buckets that are about to be split; the cache misses of all of them overlap. */
    private void fetchSources(long first, int count) {
        long sum = 0;
        for (long number = first; number < first + count; number++) {
            sum += table.fetch(number - Long.highestOneBit(number));
        }
        fetched = sum;
    }

    private void split(long number) {
        final long source = number - Long.highestOneBit(number);
        index.reserve(number);
        table.copyChunk(index.cidOf(source), whole);
        divide(whole.level());
        chunks.store(index.cidOf(number), right.bytes(), 0, right.length());
        long length = whole.length();
        boolean done = false;
        try {
            if (whole.count() == 0) {
                empty(index.cidOf(source), whole.level() + 1);
            } else {
                chunks.store(index.cidOf(source), left.bytes(), 0, left.length());
                length = left.length();
            }
            done = true;
        } finally {
            if (!done) {
                markGone(number);
            }
        }
        countMemory(source, length, right.length(), whole.length());
    }

    /** Divides the bucket in {@link #whole} by the next bit of the hashes. */
    private void divide(int level) {
        int countLeft = 0;
        int bytesLeft = 0;
        for (int i = 0; i < whole.count(); i++) {
            if (!goesRight(i, level)) {
                countLeft++;
                bytesLeft += whole.bytesOf(i);
            }
        }
        beginHalf(left, level, countLeft, bytesLeft);
        beginHalf(right, level, whole.count() - countLeft, whole.entriesBytes() - bytesLeft);
        for (int i = 0; i < whole.count(); i++) {
            (goesRight(i, level) ? right : left).add(whole, i);
        }
    }

    private void beginHalf(BucketBytes half, int level, int entries, int bytes) {
        half.begin(level + 1, BucketLayout.withRoom(entries), whole.size(), BucketLayout.withRoom(bytes));
    }

    private boolean goesRight(int at, int level) {
        return (hash(whole, at) >>> level & 1) != 0;
    }

    private long hash(BucketBytes bucket, int at) {
        return bucket.isOverflow(at) ? bucket.overflowHash(at)
            : table.keys.hash(bucket.bytes(), bucket.from(at), table.seed);
    }

    private boolean merge() {
        final long last = index.count() - 1;
        final long target = last - Long.highestOneBit(last);
        final int lockIndex = WriterLocks.of(last);
        if (!table.writerLocks.tryLockOnce(lockIndex)) {
            return false;
        }
        try {
            table.copyChunk(index.cidOf(target), left);
            table.copyChunk(index.cidOf(last), right);
            final int bytes = left.entriesBytes() + right.entriesBytes();
            if (bytes > BucketLayout.ENTRIES_BYTES_MAX) {
                return false;
            }
            final long before = chunks.takenBytes(left.length()) + chunks.takenBytes(right.length());
            whole.begin(left.level() - 1, left.count() + right.count(), commonSize(), bytes);
            addAll(left);
            addAll(right);
            chunks.store(index.cidOf(target), whole.bytes(), 0, whole.length());
            index.setCount(last);
            table.counters.memory(WriterLocks.of(last), chunks.takenBytes(whole.length()) - before);
            end(last);
            return true;
        } finally {
            table.writerLocks.unlock(lockIndex);
        }
    }

    /** Returns the common size of all entries of both halves, or 0. */
    private int commonSize() {
        return left.count() == 0 ? right.size() : right.count() == 0 || left.size() == right.size() ? left.size() : 0;
    }

    private void addAll(BucketBytes source) {
        for (int i = 0; i < source.count(); i++) {
            whole.add(source, i);
        }
    }

    private void countMemory(long bucket, long leftLength, long rightLength, long wholeLength) {
        table.counters.memory(WriterLocks.of(bucket), chunks.takenBytes(leftLength) + chunks.takenBytes(rightLength)
            - chunks.takenBytes(wholeLength));
    }

    private void markGone(long bucket) {
        empty(index.cidOf(bucket), BucketLayout.GONE);
    }

    /** Empties a bucket in place. */
    private void empty(long cid, int level) {
        final long word = chunks.enter(cid);
        try {
            chunks.touch(cid);
            chunks.memory().putFieldLong(EntryWord.address(word), BucketLayout.header(level, 0, 0, 0));
        } finally {
            chunks.leave(cid);
        }
    }

    /** Removes the content of a bucket that is beyond the last one. */
    private void end(long bucket) {
        markGone(bucket);
        right.begin(BucketLayout.GONE, 0, 0, 0);
        chunks.tryStore(index.cidOf(bucket), right.bytes(), 0, right.length());
        index.trim();
    }

    // ---- open, clear, drop ----

    /** Creates the first buckets, or checks and counts the existing ones. */
    void open() {
        structure.lock();
        try {
            if (index.count() == 0) {
                make();
            } else {
                endBegun();
                count(table.counters);
            }
        } finally {
            structure.unlock();
        }
    }

    private void make() {
        boolean done = false;
        try {
            index.reserve(0);
            left.begin(Long.numberOfTrailingZeros(LinearHash.BUCKETS_MIN), 0, 0, 0);
            for (long bucket = 0; bucket < LinearHash.BUCKETS_MIN; bucket++) {
                chunks.store(index.cidOf(bucket), left.bytes(), 0, left.length());
                table.counters.memory(WriterLocks.of(bucket), chunks.takenBytes(left.length()));
            }
            index.setCount(LinearHash.BUCKETS_MIN);
            done = true;
        } finally {
            if (!done) {
                index.remove();
            }
        }
    }

    /** Returns whether both halves of a split exist that makes a bucket beyond the last. */
    private boolean isSplit(long number) {
        final long half = Long.highestOneBit(number);
        return copied(number - half, left) && left.level() == Long.numberOfTrailingZeros(half) + 1
            && copied(number, right) && right.level() == left.level();
    }

    /** Completes splits or a merge that were under way when the snapshot was taken. */
    private void endBegun() {
        while (isSplit(index.count())) {
            index.setCount(index.count() + 1);                  // splits without their last step
        }
        final long number = index.count();
        if (copied(number, right) && right.level() != BucketLayout.GONE) {
            markGone(number);                                   // first step of a split, or a merge without the last
        }
        final long last = index.count() - 1;
        final long target = last - Long.highestOneBit(last);
        if (last >= LinearHash.BUCKETS_MIN && copied(target, left)
            && left.level() == Long.numberOfTrailingZeros(Long.highestOneBit(last))) {
            index.setCount(last);                                   // first step of a merge
            end(last);
        }
    }

    private boolean copied(long bucket, BucketBytes target) {
        final long cid = index.cidOf(bucket);
        return cid != 0 && table.copyChunk(cid, target) >= 0;
    }

    /** Counts all entries, and makes all checks that need no decoding of values. */
    private void count(LoadCounters counters) {
        HashOperation operation = new HashOperation();
        final long buckets = index.count();
        final long half = Long.highestOneBit(buckets);
        for (long bucket = 0; bucket < buckets; bucket++) {
            final int lockIndex = WriterLocks.of(bucket);
            final int level = Long.numberOfTrailingZeros(half) + (bucket < buckets - half || bucket >= half ? 1 : 0);
            if (!copied(bucket, whole) || whole.level() != level) {
                throw ChunkIndex.damaged(chunks, index.cidOf(bucket), "is not bucket " + bucket + " of level " + level);
            }
            counters.memory(lockIndex, chunks.takenBytes(whole.length()));
            counters.count(lockIndex, whole.count());
            for (int i = 0; i < whole.count(); i++) {
                final long hash = hash(whole, i);
                if (!BucketLayout.holds(level, bucket, hash) || (byte) BucketLayout.tag(hash) != whole.tag(i)) {
                    throw ChunkIndex.damaged(chunks, index.cidOf(bucket), "has an entry that belongs elsewhere");
                }
                checkUnique(i, bucket);
                counters.weight(lockIndex, weight(whole.bytesOf(i)));
                if (whole.isOverflow(i)) {
                    countOverflow(counters, lockIndex, whole.overflowCid(i), hash, operation);
                }
            }
        }
    }

    private void countOverflow(LoadCounters counters, int lockIndex, long cid, long hash, HashOperation operation) {
        final int length = table.readOverflow(cid, operation);
        if (length < 0 || table.keys.hash(operation.bytes(), 0, table.seed) != hash) {
            throw ChunkIndex.damaged(chunks, cid, "is not the entry that its bucket names");
        }
        counters.memory(lockIndex, chunks.takenBytes(length));
    }

    /** Checks that no key occurs twice in the bucket. */
    private void checkUnique(int at, long bucket) {
        for (int i = 0; i < at; i++) {
            if (whole.tag(i) == whole.tag(at) && !whole.isOverflow(i) && !whole.isOverflow(at)
                && keyBytes(i).equals(keyBytes(at))) {
                throw ChunkIndex.damaged(chunks, index.cidOf(bucket), "has a key twice");
            }
        }
    }

    private ByteBuffer keyBytes(int at) {
        final int from = whole.from(at);
        return ByteBuffer.wrap(whole.bytes(), from, table.keys.end(whole.bytes(), from) - from);
    }

    /** Recomputes all counters while writers wait. */
    void audit() {
        runExclusively(() -> {
            LoadCounters counted = new LoadCounters();
            count(counted);
            LoadCounters known = table.counters;
            if (counted.entries() != known.entries() || counted.memoryBytes() != known.memoryBytes()
                || counted.exactLoad() != known.exactLoad()) {
                throw ChunkIndex.damaged(chunks, index.root(), "has " + counted.entries() + " entries of weight "
                    + counted.exactLoad() + " in " + counted.memoryBytes() + " bytes, counted were " + known.entries()
                    + " of " + known.exactLoad() + " in " + known.memoryBytes());
            }
        });
    }

    /** Runs an action while no other thread changes the table. */
    private void runExclusively(Runnable action) {
        structure.lock();
        try {
            table.writerLocks.runExclusively(action);
        } finally {
            structure.unlock();
        }
    }

    /** Removes all entries. */
    void clear() {
        for (int lockIndex = 0; lockIndex < WriterLocks.COUNT; lockIndex++) {
            chunks.beginRemoval();
            table.lock(lockIndex);
            try {
                for (long bucket = lockIndex; bucket < index.count(); bucket += WriterLocks.COUNT) {
                    clear(lockIndex, bucket);
                }
            } finally {
                table.unlock(lockIndex);
            }
        }
        shrink();
        chunks.done();                                          // the unlocks saw groups that had been ended already
    }

    /** Clears a bucket under its writer lock. Does not use the buffers of the structure lock. */
    private void clear(int lockIndex, long bucket) {
        BucketBytes before = new BucketBytes();
        BucketBytes empty = new BucketBytes();
        final long cid = index.cidOf(bucket);
        table.copyChunk(cid, before);
        if (before.count() == 0) {
            return;
        }
        empty.begin(before.level(), 0, 0, 0);
        if (chunks.tryStore(cid, empty.bytes(), 0, empty.length())) {
            table.counters.memory(lockIndex, chunks.takenBytes(empty.length()) - chunks.takenBytes(before.length()));
        } else {
            empty(cid, before.level());
        }
        table.counters.count(lockIndex, -before.count());
        for (int i = 0; i < before.count(); i++) {
            table.counters.weight(lockIndex, -weight(before.bytesOf(i)));
            if (before.isOverflow(i)) {
                table.counters.memory(lockIndex, -chunks.takenBytes(chunks.size(before.overflowCid(i))));
                chunks.remove(before.overflowCid(i));
            }
        }
        chunks.endGroup();
    }

    /** Removes all chunks of the table. In the journal, the table stays complete until the last, small step. */
    void drop() {
        if (chunks.isKept()) {
            clear();
        }
        runExclusively(() -> {
            table.state.drop();
            for (long bucket = 0; bucket < index.count(); bucket++) {
                clear(WriterLocks.of(bucket), bucket);
            }
            chunks.openGroup();                                  // removed in one group with the name
            index.remove();
        });
        chunks.changed();
    }
}
