package io.teff.engine.alloc;

import io.teff.engine.error.StoreException;
import io.teff.engine.memory.Memory;
import io.teff.engine.memory.Region;
import io.teff.engine.memory.RegionLayout;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Allocates runs of units, and grows the region when no run is free.
 *
 * <p>Four bits per unit on the Java heap (128 KiB per GiB): {@code used}; {@code head} for the first unit of a run, so
 * that a release is checked exactly; {@code touched}; and {@code slots} for the first unit of a page of slots. A page
 * is a run of 2 to 64 units, a power of two, aligned to its size. The search for a page starts at the lowest block that
 * may have a page (a hint, lowered by releases only), so filling a region costs constant time per page. Larger runs are
 * allocated first fit; runs of a block or more take adjacent blocks.
 *
 * <p>A run of a block or more leaves the lowest blocks to short runs as long as other addresses suffice. A region has
 * more addresses than its limit, by the <b>headroom</b>. So what a store keeps when its chunks are removed, such as
 * table pages, does not lie between the addresses that the next long run needs. The limit itself is a limit of the sum
 * of all runs, and of the memory that these runs have touched: free memory is given back to the kernel where another
 * place is touched beyond the limit.
 *
 * <p>Thread-safe: every method holds the map's lock, for some 100 ns; {@link GiveBack} releases it while the kernel
 * works. Lock rank: see {@code docs/LOCKS.md}.
 */
public final class RunMap {
    /** Result if the region is at its limit. */
    public static final long FULL = 0;

    private static final int WORDS_PER_BLOCK = RegionLayout.UNITS_PER_BLOCK >> 6;
    private static final BooleanSupplier NEVER = () -> false;
    /** Result if some of the units are being given back to the kernel at this moment. */
    private static final long BEING_GIVEN = -1;
    /** The kernel takes some 20 us for this many units. */
    private static final int GIVE_BACK_UNITS_MAX = 64;
    private static final int SPINS = 64;
    /**
     * Blocks that long runs leave to short runs, at most: 64 MiB. Each of these blocks costs 512 bytes of the Java heap
     * as soon as a store has a long run.
     */
    private static final int LOW_BLOCKS_MAX = 16;

    private final Region region;
    private final Memory memory;
    private long[] used = {};
    private long[] heads = {};
    /** Units that hold memory of the machine: used once, and not given back since. */
    private long[] touched = {};
    /** Heads of runs that are formatted as pages of slots. */
    private long[] slots = {};
    private int[] freeUnits = {};
    private int blockEnd = RegionLayout.FIRST_BLOCK;
    /** For each page size (log2 of its units), the lowest block that may have room for a page. */
    private final int[] pageHints = new int[Integer.SIZE];
    private long usedUnits;
    private long touchedUnits;
    /** Free units of blocks that cannot be given back. */
    private long keptUnits;
    /** Memory elsewhere that counts against the limit. */
    private long outsideBytes;
    /**
     * The free stretch that is being given back to the kernel, from which nothing may be allocated; none if the end is
     * 0.
     */
    private long givenFirst;
    private long givenEnd;
    /** Readers outside of this process that have the memory: while there are any, none is given back. */
    private int offers;
    /** Units of the shortest run that was refused since {@link #endRefusal}; 0 if none was. */
    private long refusedUnits;
    private BooleanSupplier refuse = NEVER;
    private volatile BooleanSupplier reclaim = NEVER;

    /**
     * Creates an empty map.
     *
     * @param region the memory to divide
     */
    public RunMap(Region region) {
        this.region = region;
        this.memory = region.memory();
        Arrays.fill(pageHints, RegionLayout.FIRST_BLOCK);
    }

    /**
     * Injects a shortage, for tests.
     *
     * @param refusal asked on each request; true refuses it as if the region were at its limit
     */
    public synchronized void refuseWhen(BooleanSupplier refusal) {
        refuse = Objects.requireNonNull(refusal);
    }

    /**
     * Sets the last attempt before a request is refused.
     *
     * @param reclaimer called without the map's lock; returns true if it has given memory back
     */
    void reclaimBy(BooleanSupplier reclaimer) {
        reclaim = reclaimer;
    }

    /**
     * Counts memory outside of the region against its limit.
     *
     * @param bytes to add, or to subtract if negative
     * @param isForced whether to count them even beyond the limit
     * @return whether the bytes are counted; false if they are more than the limit has left
     */
    public synchronized boolean holdOutside(long bytes, boolean isForced) {
        if (!isForced && (usedUnits << RegionLayout.UNIT_SHIFT) + outsideBytes + bytes > limitBytes()) {
            return false;
        }
        outsideBytes += bytes;
        return true;
    }

    /** {@return bytes that were counted by {@link #holdOutside}} */
    public synchronized long outsideBytes() {
        return outsideBytes;
    }

    private long limitBytes() {
        return (long) region.blockLimit() << RegionLayout.BLOCK_SHIFT;
    }

    private boolean isBeyondLimit(long units) {
        return (usedUnits + units << RegionLayout.UNIT_SHIFT) + outsideBytes > limitBytes();
    }

    /**
     * Allocates an aligned page.
     *
     * @param units 2, 4, 8, 16 or 64
     * @return its address, or {@link #FULL}; the content is undefined
     */
    public long takePage(int units) {
        return take(true, units);
    }

    private synchronized long tryTakePage(int units) {
        assert Integer.bitCount(units) == 1 && units <= Long.SIZE : units;
        if (refuse.getAsBoolean() || isBeyondLimit(units)) {
            return FULL;
        }
        int hint = Integer.numberOfTrailingZeros(units);
        for (int block = pageHints[hint]; ; block++) {
            if (block == blockEnd && !growBy(1)) {
                return FULL;
            }
            pageHints[hint] = block;
            int unit = freeUnits[block] >= units ? findPage(block, units) : -1;
            if (unit >= 0) {
                return mark(block, unit, units);
            }
        }
    }

    /**
     * Allocates a run of any size.
     *
     * @param units at least 1
     * @return its address, or {@link #FULL}; the content is undefined
     */
    public long takeRun(long units) {
        return take(false, units);
    }

    private long take(boolean isPage, long units) {
        long run = takeOrWait(isPage, units);
        run = run == FULL && reclaim.getAsBoolean() ? takeOrWait(isPage, units) : run;
        @Nullable GiveBack walk = null;
        while (run != FULL && isExcess()) {
            if (walk == null || !walk.step()) {
                walk = giveBack();
            }
        }
        return run;
    }

    /** Returns whether more memory is touched than the limit allows, although enough of it is free. */
    private synchronized boolean isExcess() {
        return touchedUnits - keptUnits > usedUnits && touchedUnits << RegionLayout.UNIT_SHIFT > limitBytes()
            && offers == 0;
    }

    /**
     * Allocates a run, and waits while a part of it is being given back, so that the position does not depend on that;
     * otherwise the map would become fragmented. Spins, because the kernel needs only microseconds, and the giving
     * thread could take a lock again and again.
     */
    private long takeOrWait(boolean isPage, long units) {
        long run = tryTake(isPage, units);
        for (int round = 0; run == BEING_GIVEN; round++) {
            if (round < SPINS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
            run = tryTake(isPage, units);
        }
        return run;
    }

    private long tryTake(boolean isPage, long units) {
        return isPage ? tryTakePage((int) units) : tryTakeRun(units);
    }

    private synchronized long tryTakeRun(long units) {
        if (refuse.getAsBoolean()) {
            return FULL;
        }
        long run = isBeyondLimit(units) ? FULL
            : units >= RegionLayout.UNITS_PER_BLOCK ? takeBlocks(units) : takeShort((int) units);
        if (run == FULL) {
            refusedUnits = refusedUnits == 0 ? units : Math.min(refusedUnits, units);
        }
        return run;
    }

    private long takeShort(int units) {
        for (int block = RegionLayout.FIRST_BLOCK; ; block++) {
            if (block == blockEnd && !growBy(1)) {
                return FULL;
            }
            int unit = freeUnits[block] >= units ? findRun(block, units) : -1;
            if (unit >= 0) {
                return mark(block, unit, units);
            }
        }
    }

    private long takeBlocks(long units) {
        int low = Math.min(region.headroom(), LOW_BLOCKS_MAX);
        int first = findBlocks(RegionLayout.FIRST_BLOCK + low, units);
        first = first < 0 ? growFrom(RegionLayout.FIRST_BLOCK + low, units) : first;
        first = first < 0 && low > 0 ? findBlocks(RegionLayout.FIRST_BLOCK, units) : first;
        return first < 0 ? FULL : mark(first, 0, units);
    }

    /**
     * Finds adjacent blocks for a run that begins with a block. The last block need only be free as far as the run
     * takes it: so a removed run fits again although a short run lies behind it.
     *
     * @param from lowest block to use
     * @param units at least a block
     * @return the first block, or -1
     */
    private int findBlocks(int from, long units) {
        long whole = units / RegionLayout.UNITS_PER_BLOCK;
        int rest = (int) (units % RegionLayout.UNITS_PER_BLOCK);
        int together = 0;
        for (int block = from; block < blockEnd; block++) {
            together = region.continues(block) ? together : 0;
            if (together == whole && isFreeAtFront(block, rest)) {
                return block - together;
            }
            together = freeUnits[block] == RegionLayout.UNITS_PER_BLOCK ? together + 1 : 0;
            if (together == whole && rest == 0) {
                return block - together + 1;
            }
        }
        return -1;
    }

    private boolean isFreeAtFront(int block, int units) {
        return freeUnits[block] >= units && freeAtFront(block) >= units;
    }

    /** Returns the number of free units in front of the first used unit of a block. */
    private int freeAtFront(int block) {
        int unit = 0;
        while (unit < RegionLayout.UNITS_PER_BLOCK && !isSet(used, unitIndex(block, unit))) {
            unit++;
        }
        return unit;
    }

    /** Adds blocks behind the free blocks at the end, for a run of a block or more; returns its first block, or -1. */
    private int growFrom(int from, long units) {
        long blocks = (units + RegionLayout.UNITS_PER_BLOCK - 1) / RegionLayout.UNITS_PER_BLOCK;
        int first = Math.max(blockEnd, from);
        while (region.reserved() && first > from && freeUnits[first - 1] == RegionLayout.UNITS_PER_BLOCK) {
            first--;
        }
        return blocks <= region.blockLimit() && growBy((int) (first + blocks) - blockEnd) ? first : -1;
    }

    /**
     * Returns whether a run was refused, since the last call, that would fit into a region without other runs than the
     * needed ones.
     *
     * @param neededBytes bytes that cannot be released
     * @return whether the run may fit when all other runs are released
     */
    public synchronized boolean endRefusal(long neededBytes) {
        long refused = refusedUnits;
        refusedUnits = 0;
        return refused > 0 && refused <= limitBytes() >>> RegionLayout.UNIT_SHIFT
            && (refused << RegionLayout.UNIT_SHIFT) + neededBytes + outsideBytes <= limitBytes();
    }

    private boolean growBy(int blocks) {
        int first = region.grow(blocks);
        if (first == Region.NO_BLOCK) {
            return false;
        }
        assert first == blockEnd : first;
        blockEnd = region.blockEnd();
        if (blockEnd > freeUnits.length) {
            int capacity = Math.max(blockEnd, freeUnits.length * 2);
            used = Arrays.copyOf(used, capacity * WORDS_PER_BLOCK);
            heads = Arrays.copyOf(heads, capacity * WORDS_PER_BLOCK);
            touched = Arrays.copyOf(touched, capacity * WORDS_PER_BLOCK);
            slots = Arrays.copyOf(slots, capacity * WORDS_PER_BLOCK);
            freeUnits = Arrays.copyOf(freeUnits, capacity);
        }
        Arrays.fill(freeUnits, first, blockEnd, RegionLayout.UNITS_PER_BLOCK);
        if (!region.givesBack(first)) {
            Arrays.fill(touched, first * WORDS_PER_BLOCK, blockEnd * WORDS_PER_BLOCK, -1L);
            touchedUnits += (long) (blockEnd - first) * RegionLayout.UNITS_PER_BLOCK;
            keptUnits += (long) (blockEnd - first) * RegionLayout.UNITS_PER_BLOCK;
        }
        return true;
    }

    private int findPage(int block, int units) {
        long pattern = units == Long.SIZE ? -1L : (1L << units) - 1;
        for (int word = 0; word < WORDS_PER_BLOCK; word++) {
            long free = ~used[block * WORDS_PER_BLOCK + word];
            for (int shift = 0; shift < Long.SIZE && free >>> shift != 0; shift += units) {
                if ((free >>> shift & pattern) == pattern) {
                    return (word << 6) + shift;
                }
            }
        }
        return -1;
    }

    private int findRun(int block, int units) {
        int together = 0;
        for (int unit = 0; unit < RegionLayout.UNITS_PER_BLOCK; unit++) {
            together = isSet(used, unitIndex(block, unit)) ? 0 : together + 1;
            if (together == units) {
                return unit - units + 1;
            }
        }
        return -1;
    }

    private long mark(int block, int unit, long units) {
        long first = unitIndex(block, unit);
        if (first < givenEnd && givenFirst < first + units) {
            return BEING_GIVEN;
        }
        set(heads, first);
        for (long index = first; index < first + units; index++) {
            assert !isSet(used, index) : index;
            set(used, index);
            if (!isSet(touched, index)) {
                set(touched, index);
                touchedUnits++;
            }
            freeUnits[blockOf(index)]--;
            keptUnits -= region.givesBack(blockOf(index)) ? 0 : 1;
        }
        usedUnits += units;
        return first << RegionLayout.UNIT_SHIFT;
    }

    /**
     * Releases a run.
     *
     * @param address address of the run
     * @param units size of the run
     * @throws StoreException if no run of that size starts there; nothing is changed
     */
    public synchronized void release(long address, long units) {
        long first = address >>> RegionLayout.UNIT_SHIFT;
        if (!isRun(address, units)) {
            throw StoreException.fatal("no run of " + units + " units starts at address=0x"
                + Long.toHexString(address));
        }
        clear(heads, first);
        clear(slots, first);
        for (long index = first; index < first + units; index++) {
            clear(used, index);
            freeUnits[blockOf(index)]++;
            keptUnits += region.givesBack(blockOf(index)) ? 0 : 1;
        }
        usedUnits -= units;
        int block = blockOf(first);
        for (int i = 0; i < pageHints.length; i++) {
            pageHints[i] = Math.min(pageHints[i], block);
        }
    }

    /**
     * Returns whether a run of exactly a size starts at an address.
     *
     * @param address any number
     * @param units size of the run
     * @return whether {@link #release} would accept the arguments
     */
    public synchronized boolean isRun(long address, long units) {
        long first = address >>> RegionLayout.UNIT_SHIFT;
        long end = unitIndex(blockEnd, 0);
        if ((address & RegionLayout.UNIT_BYTES - 1) != 0 || address < RegionLayout.FIRST_ADDRESS || units < 1
            || first >= end || units > end - first || !isSet(heads, first)) {
            return false;
        }
        for (long index = first; index < first + units; index++) {
            if (!isSet(used, index) || index > first && isSet(heads, index)) {
                return false;
            }
        }
        return first + units == end || isSet(heads, first + units) || !isSet(used, first + units);
    }

    // ---- giving back ----

    /** {@return a walk that gives all free units back} */
    public GiveBack giveBack() {
        return new GiveBack();
    }

    /**
     * Gives free units back to the kernel, if the region can. The kernel takes microseconds for each stretch;
     * meanwhile only requests wait that would get memory of that stretch. One stretch at a time in the whole map.
     */
    public final class GiveBack {
        private long next = unitIndex(RegionLayout.FIRST_BLOCK, 0);
        private long units;

        private GiveBack() {}

        /**
         * Gives a stretch back, or finds that no stretch is near.
         *
         * @return false at the end
         */
        public boolean step() {
            long found = begin();
            if (found == BEING_GIVEN) {
                Thread.yield();                                 // the kernel needs microseconds
                return true;
            }
            if (found > 0) {
                long first = next - found;
                boolean given = false;
                try {
                    region.giveBack(first << RegionLayout.UNIT_SHIFT, found << RegionLayout.UNIT_SHIFT);
                    given = true;
                } finally {
                    endGiving(given);
                }
                units += found;
            }
            return next < unitIndex(blockEnd(), 0);
        }

        /**
         * Finds a stretch up to the end of a block; returns its units, the last of which is in front of {@code next};
         * or {@link #BEING_GIVEN}.
         */
        private long begin() {
            synchronized (RunMap.this) {
                long end = unitIndex(Math.min(blockOf(next) + 1, blockEnd), 0);
                if (givenEnd != 0) {
                    return BEING_GIVEN;                         // by another walk
                }
                if (offers > 0 || next >= end || freeUnits[blockOf(next)] == 0 || !region.givesBack(blockOf(next))) {
                    next = Math.max(next, end);
                    return 0;
                }
                while (next < end && !isFreeAndTouched(next)) {
                    next++;
                }
                long first = next;
                while (next < end && next - first < GIVE_BACK_UNITS_MAX && isFreeAndTouched(next)) {
                    next++;
                }
                if (next > first) {
                    givenFirst = first;
                    givenEnd = next;
                }
                return next - first;
            }
        }

        /** {@return bytes given back so far} */
        public long bytes() {
            return units << RegionLayout.UNIT_SHIFT;
        }
    }

    /**
     * Keeps all memory from being given back to the kernel. Otherwise a device would continue to read memory taken by
     * the kernel, while this process writes to other memory at the same address. Waits while a part is being given
     * back.
     */
    public void beginOffer() {
        for (int round = 0; !tryOffer(); round++) {
            if (round < SPINS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }

    private synchronized boolean tryOffer() {
        if (givenEnd != 0) {
            return false;
        }
        offers++;
        return true;
    }

    /** Ends {@link #beginOffer}. */
    public synchronized void endOffer() {
        offers--;
    }

    private boolean isFreeAndTouched(long index) {
        return !isSet(used, index) && isSet(touched, index);
    }

    private synchronized void endGiving(boolean given) {
        for (long index = givenFirst; given && index < givenEnd; index++) {
            clear(touched, index);
            touchedUnits--;
        }
        givenEnd = 0;
    }

    // ---- pages of slots ----

    /**
     * Marks a page as a page of slots until it is released.
     *
     * @param page result of {@link #takePage}
     */
    synchronized void markSlots(long page) {
        set(slots, page >>> RegionLayout.UNIT_SHIFT);
    }

    /**
     * Evaluates a question about a page while the page cannot be released.
     *
     * @param page any address
     * @param question evaluated if a page of slots starts at the address
     * @return the answer, or false
     */
    synchronized boolean isSlotPage(long page, LongPredicate question) {
        return isSet(slots, page >>> RegionLayout.UNIT_SHIFT) && question.test(page);
    }

    /**
     * Visits the pages of slots of a block. No such page can be released meanwhile.
     *
     * @param block index of the block
     * @param visitor receives the address of each page
     */
    synchronized void forEachSlotPage(int block, LongConsumer visitor) {
        for (int word = block * WORDS_PER_BLOCK; word < (block + 1) * WORDS_PER_BLOCK; word++) {
            for (long bits = slots[word]; bits != 0; bits &= bits - 1) {
                visitor.accept(((long) word << 6) + Long.numberOfTrailingZeros(bits) << RegionLayout.UNIT_SHIFT);
            }
        }
    }

    /** {@return index after the last block} */
    synchronized int blockEnd() {
        return blockEnd;
    }

    /** Receives runs. */
    @FunctionalInterface
    public interface RunVisitor {
        /**
         * Called once for each run, in the order of addresses.
         *
         * @param address address of the first byte
         * @param units size in units
         */
        void run(long address, long units);
    }

    /**
     * Walks all allocated runs; the map is locked meanwhile.
     *
     * @param visitor receives each run
     */
    public synchronized void forEachRun(RunVisitor visitor) {
        long end = unitIndex(blockEnd, 0);
        long index = unitIndex(RegionLayout.FIRST_BLOCK, 0);
        while (index < end) {
            if (!isSet(used, index)) {
                index++;
                continue;
            }
            long start = index;
            index = runEnd(start);
            visitor.run(start << RegionLayout.UNIT_SHIFT, index - start);
        }
    }

    /** Returns the first unit behind a run, which is free or begins another run. */
    private long runEnd(long first) {
        long end = unitIndex(blockEnd, 0);
        for (long index = first + 1; index < end; index = (index | Long.SIZE - 1) + 1) {
            int word = (int) (index >>> 6);
            long others = (heads[word] | ~used[word]) & -1L << index;
            if (others != 0) {
                return (index & -Long.SIZE) + Long.numberOfTrailingZeros(others);
            }
        }
        return end;
    }

    /**
     * Returns whether a unit is allocated.
     *
     * @param address any address in the unit
     * @return whether it belongs to a run
     */
    synchronized boolean isUsed(long address) {
        return isSet(used, address >>> RegionLayout.UNIT_SHIFT);
    }

    /**
     * Returns the size of a run, or of the free stretch up to the next run or the end of the block. A walk holds the
     * lock only for each step, so its caller must ensure that nothing changes meanwhile.
     *
     * @param address where the run or stretch begins
     * @return size in units
     */
    synchronized long stretchUnits(long address) {
        long first = address >>> RegionLayout.UNIT_SHIFT;
        if (isSet(used, first)) {
            return runEnd(first) - first;
        }
        long end = unitIndex(blockOf(first) + 1, 0);
        long index = first + 1;
        while (index < end && !isSet(used, index)) {
            index++;
        }
        return index - first;
    }

    /**
     * Counts units that hold memory of the machine.
     *
     * @param address address of the first unit
     * @param units number of units to check
     * @return the number of units that were used and not given back since
     */
    synchronized long touchedUnits(long address, long units) {
        long first = address >>> RegionLayout.UNIT_SHIFT;
        long count = 0;
        for (long index = first; index < first + units; index++) {
            count += isSet(touched, index) ? 1 : 0;
        }
        return count;
    }

    /**
     * Recomputes all sums, and checks that every used unit belongs to a run.
     *
     * @throws StoreException if they disagree
     */
    public synchronized void audit() {
        long usedSeen = 0;
        long touchedSeen = 0;
        long keptSeen = 0;
        for (int block = RegionLayout.FIRST_BLOCK; block < blockEnd; block++) {
            int usedInBlock = 0;
            for (int word = block * WORDS_PER_BLOCK; word < (block + 1) * WORDS_PER_BLOCK; word++) {
                usedInBlock += Long.bitCount(used[word]);
                touchedSeen += Long.bitCount(touched[word]);
                if ((heads[word] & ~used[word]) != 0 || (used[word] & ~touched[word]) != 0
                    || (slots[word] & ~heads[word]) != 0) {
                    throw StoreException.fatal("run map: a page of slots is no head, a head not used, or a used unit "
                        + "not touched, block=" + block);
                }
            }
            if (freeUnits[block] != RegionLayout.UNITS_PER_BLOCK - usedInBlock) {
                throw StoreException.fatal("run map: block=" + block + " counts " + freeUnits[block]
                    + " free units, but " + usedInBlock + " are used");
            }
            usedSeen += usedInBlock;
            keptSeen += region.givesBack(block) ? 0 : freeUnits[block];
        }
        if (usedSeen != usedUnits || touchedSeen != touchedUnits || keptSeen != keptUnits) {
            throw StoreException.fatal("run map: sums used=" + usedUnits + " touched=" + touchedUnits + ", but found "
                + usedSeen + " and " + touchedSeen + "; kept=" + keptUnits + ", but found " + keptSeen);
        }
    }

    /**
     * Returns the bytes in allocated runs.
     *
     * @return bytes
     */
    public synchronized long usedBytes() {
        return usedUnits << RegionLayout.UNIT_SHIFT;
    }

    /**
     * Returns the bytes of machine memory that the region holds: units that were ever used, and memory prepared for
     * growth.
     *
     * @return bytes
     */
    public synchronized long committedBytes() {
        return (touchedUnits << RegionLayout.UNIT_SHIFT) + region.preparedBytes();
    }

    /**
     * Returns the bytes of machine memory that the region holds and that can be used or given back: without free units
     * that stay until close.
     *
     * @return bytes
     */
    public synchronized long heldBytes() {
        return touchedUnits - keptUnits << RegionLayout.UNIT_SHIFT;
    }

    /**
     * Returns the accessor of the region's memory.
     *
     * @return always the same object
     */
    public Memory memory() {
        return memory;
    }

    private static long unitIndex(int block, int unit) {
        return (long) block * RegionLayout.UNITS_PER_BLOCK + unit;
    }

    private static int blockOf(long unitIndex) {
        return (int) (unitIndex / RegionLayout.UNITS_PER_BLOCK);
    }

    private static boolean isSet(long[] bits, long index) {
        return (bits[(int) (index >>> 6)] & 1L << index) != 0;
    }

    private static void set(long[] bits, long index) {
        bits[(int) (index >>> 6)] |= 1L << index;
    }

    private static void clear(long[] bits, long index) {
        bits[(int) (index >>> 6)] &= ~(1L << index);
    }
}
