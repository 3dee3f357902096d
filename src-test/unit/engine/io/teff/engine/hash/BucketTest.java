package io.teff.engine.hash;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.memory.Memory;
import io.teff.engine.memory.Region;
import io.teff.engine.memory.RegionLayout;
import io.teff.engine.os.Threads;
import io.teff.test.kit.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a bucket in memory equals a list of entries after any changes, and a search in arbitrary bytes stays inside
 * the chunk.
 *
 * <p>Method: random changes beside a list; random bytes of every length.
 */
@Tag("modes")
final class BucketTest {
    private static final int ROOM = 4096;

    /** An entry of the model. */
    private record Entry(long hash, byte[] bytes, boolean overflow) {}

    private final Region region = new Region(2L * RegionLayout.BLOCK_BYTES, false, Threads.SYSTEM);
    private final Memory memory = region.memory();
    private final long address = RegionLayout.blockAddress(region.grow(1));

    @AfterEach
    void close() {
        region.close();
    }

    @Test
    void anyChanges_equalAList() {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        for (int round = 0; round < 200; round++) {
            List<Entry> model = new ArrayList<>();
            int slots = 8 * (1 + random.nextInt(8));
            int size = random.nextInt(3) == 0 ? 8 + random.nextInt(40) : 0;
            memory.putFieldLong(address, BucketLayout.header(9, 0, slots, size));
            for (int step = 0; step < 200; step++) {
                change(model, slots, size, random);
                compare(model, Seed.reproduce(BucketTest.class, seed));
            }
        }
    }

    private void change(List<Entry> model, int slots, int size, SplittableRandom random) {
        long header = memory.getFieldLong(address);
        Entry entry = entry(size, random);
        int overflow = entry.overflow ? BucketLayout.OVERFLOW : 0;
        int bytes = Bucket.entriesBytes(memory, address, header);
        boolean room = BucketLayout.entriesAt(header) + bytes + entry.bytes.length <= ROOM;
        if (random.nextInt(3) == 0 && !model.isEmpty()) {
            int index = random.nextInt(model.size());
            Bucket.remove(memory, address, header, index);
            model.remove(index);
        } else if (room && random.nextBoolean() && !model.isEmpty()) {
            int index = random.nextInt(model.size());
            Entry changed = new Entry(model.get(index).hash, entry.bytes, entry.overflow);
            Bucket.replace(memory, address, header, index, changed.bytes, changed.bytes.length, overflow);
            model.set(index, changed);
        } else if (room && model.size() < slots) {
            Bucket.append(memory, address, header, BucketLayout.tag(entry.hash), entry.bytes, entry.bytes.length,
                overflow);
            model.add(entry);
        }
    }

    /** Returns an entry of a given size, or of any size and perhaps an overflow entry if {@code size} is 0. */
    private static Entry entry(int size, SplittableRandom random) {
        byte[] bytes = new byte[size > 0 ? size : random.nextInt(8, random.nextBoolean() ? 20 : 120)];
        random.nextBytes(bytes);
        return new Entry((long) random.nextInt(4) << 56 | random.nextInt(1000), bytes,
            size == 0 && random.nextInt(10) == 0);
    }

    private void compare(List<Entry> model, String reproduce) {
        byte[] copied = new byte[ROOM];
        memory.copyOut(address, copied, 0, ROOM);
        BucketBytes copy = new BucketBytes();
        System.arraycopy(copied, 0, copy.bytes(), 0, ROOM);
        assertTrue(copy.copied(ROOM) || model.stream().anyMatch(entry -> entry.overflow), reproduce);
        assertEquals(model.size(), copy.count(), reproduce);
        assertEquals(9, copy.level());
        for (int i = 0; i < model.size(); i++) {
            Entry entry = model.get(i);
            assertEquals((byte) BucketLayout.tag(entry.hash), copy.tag(i), reproduce);
            assertEquals(entry.overflow, copy.isOverflow(i), reproduce);
            assertArrayEquals(entry.bytes, Arrays.copyOfRange(copy.bytes(), copy.from(i), copy.from(i)
                + copy.bytesOf(i)), reproduce);
            if (!entry.overflow) {
                assertEquals(firstOf(model, entry), Bucket.find(memory, address, ROOM, memory.getFieldLong(address),
                    entry.hash, 0, entry.bytes, entry.bytes.length, 0), reproduce);
            }
        }
    }

    /**
     * Returns the first entry that a search for this entry's bytes may find: one with the same tag that begins with
     * them.
     */
    private static int firstOf(List<Entry> model, Entry wanted) {
        for (int i = 0; i < model.size(); i++) {
            Entry entry = model.get(i);
            if (!entry.overflow && BucketLayout.tag(entry.hash) == BucketLayout.tag(wanted.hash)
                && entry.bytes.length >= wanted.bytes.length
                && Arrays.equals(entry.bytes, 0, wanted.bytes.length, wanted.bytes, 0, wanted.bytes.length)) {
                return i;
            }
        }
        return Bucket.ABSENT;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20})
    void copy_toAnyNumberOfSlots_withEndsOrWithout_isTheSame(int size) {
        SplittableRandom random = Seed.random(Seed.first());
        List<Entry> model = new ArrayList<>();
        memory.putFieldLong(address, BucketLayout.header(3, 0, 16, size));
        for (int i = 0; i < 16; i++) {
            Entry entry = entry(size, random);
            Bucket.append(memory, address, memory.getFieldLong(address), BucketLayout.tag(entry.hash), entry.bytes,
                entry.bytes.length, 0);
            model.add(new Entry(entry.hash, entry.bytes, false));
        }
        long target = address + ROOM;
        for (int slots = 16; slots <= 64; slots += 8) {
            int copiedSize = slots % 16 == 0 ? size : 0;
            long header = Bucket.copy(memory, address, memory.getFieldLong(address), target, slots, copiedSize);
            assertEquals(BucketLayout.header(3, 16, slots, copiedSize), header);
            for (Entry entry : model) {
                assertEquals(firstOf(model, entry), Bucket.find(memory, target, ROOM, header, entry.hash, 0,
                    entry.bytes, entry.bytes.length, 0));
            }
        }
    }

    /**
     * The assertions of {@link Memory} detect accesses outside of the region; this test checks the end of the chunk.
     */
    @ParameterizedTest
    @ValueSource(ints = {8, 9, 16, 31, 32, 33, 64, 100, 200, 1000})
    void find_inAnyBytes_staysInside(int length) {
        SplittableRandom random = Seed.random(Seed.first());
        byte[] bytes = new byte[length];
        byte[] key = new byte[8];
        for (int i = 0; i < 20_000; i++) {
            random.nextBytes(bytes);
            memory.copyIn(bytes, 0, address, length);
            int count = random.nextInt(20);
            long header = random.nextInt(4) == 0 ? random.nextLong()
                : 5L | (long) count << 16 | (long) BucketLayout.slotsFor(count) << 32
                    | (random.nextBoolean() ? (long) random.nextInt(200) << 48 : 0);
            memory.putFieldLong(address, header);
            long hash = random.nextLong();
            int found = Bucket.find(memory, address, length, header, hash, random.nextLong(),
                random.nextBoolean() ? null : key, random.nextBoolean() ? 8 : 5, 0);
            if (found >= 0) {
                assertTrue(found < BucketLayout.count(header));
                assertTrue(BucketLayout.entriesAt(header) + (Bucket.end(memory, address, header, found)
                    & BucketLayout.END_MASK) <= length);
            }
        }
    }

    @Test
    void layout_isWhatTheDrawingSays() {
        long header = BucketLayout.header(7, 3, 8, 0);
        assertEquals(7, BucketLayout.level(header));
        assertEquals(3, BucketLayout.count(header));
        assertEquals(8, BucketLayout.slots(header));
        assertEquals(16, BucketLayout.endAt(header, 0));
        assertEquals(18, BucketLayout.endAt(header, 1));
        assertEquals(32, BucketLayout.entriesAt(header));
        assertEquals(16, BucketLayout.entriesAt(BucketLayout.header(7, 3, 8, 40)));
        assertEquals(40, BucketLayout.size(BucketLayout.header(7, 3, 8, 40)));
        assertEquals(0, BucketLayout.slotsFor(0));
        assertEquals(8, BucketLayout.slotsFor(1));
        assertEquals(8, BucketLayout.slotsFor(8));
        assertEquals(16, BucketLayout.slotsFor(9));
        assertEquals(8, BucketLayout.lengthFor(0, 0, 0));
        assertEquals(128, BucketLayout.lengthFor(8, 0, 96));
        assertEquals(192, BucketLayout.lengthFor(8, 0, 97));
        assertEquals(128, BucketLayout.lengthFor(8, 14, 112));
        assertTrue(BucketLayout.holds(3, 5, 0b1101));
        assertTrue(!BucketLayout.holds(3, 5, 0b1001));
        assertTrue(!BucketLayout.holds(BucketLayout.GONE, 5, 5));
    }
}
