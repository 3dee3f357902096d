package io.teff.engine.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.memory.Memory;
import io.teff.engine.memory.Region;
import io.teff.engine.memory.RegionLayout;
import io.teff.engine.os.Threads;
import io.teff.test.kit.Seed;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a node in memory equals a sorted map after any changes, and so does a copy of it on the heap; a search in
 * arbitrary bytes stays inside the chunk.
 *
 * <p>Method: random changes beside a TreeMap; random bytes of every length at the very end of the region, where the
 * assertions of {@link Memory} detect each byte beyond.
 */
@Tag("modes")
final class TreeNodeTest {
    private static final int ROOM = 8192;

    private final Region region = new Region(2L * RegionLayout.BLOCK_BYTES, false, Threads.SYSTEM);
    private final Memory memory = region.memory();
    private final long address = RegionLayout.blockAddress(region.grow(1));

    @AfterEach
    void close() {
        region.close();
    }

    private static byte[] key(SplittableRandom random) {
        byte[] key = new byte[random.nextInt(14)];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) (random.nextInt(3) - 1);
        }
        return key;
    }

    private static void search(TreeOperation operation, byte[] key, Search search) {
        operation.begin();
        operation.search = search;
        operation.isValueWanted = true;
        operation.key.out.clear();
        operation.key.out.putBytes(key, 0, key.length);
        operation.key.setBytes();
    }

    @Test
    void anyChanges_equalATreeMap() {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        TreeOperation operation = new TreeOperation();
        for (int round = 0; round < 60; round++) {
            TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
            memory.putFieldLong(address, NodeLayout.header(0, NodeLayout.FIRST | NodeLayout.LAST, 0, 0, 0));
            for (int slot = 0; slot < NodeLayout.BOUNDS; slot++) {
                memory.putFieldInt(address + NodeLayout.slotAt(slot) + NodeLayout.SPAN_AT, 0);
            }
            for (int step = 0; step < 300; step++) {
                change(model, operation, random);
                if (step % 10 == 0) {
                    compare(model, operation, random, Seed.reproduce(TreeNodeTest.class, seed));
                }
            }
        }
    }

    private void change(TreeMap<byte[], byte[]> model, TreeOperation operation, SplittableRandom random) {
        byte[] key = key(random);
        byte[] value = new byte[random.nextInt(60)];
        random.nextBytes(value);
        search(operation, key, Search.FLOOR);
        assertEquals(TreeNode.ARRIVED, TreeNode.route(memory, address, ROOM, false, operation));
        assertEquals(model.containsKey(key), operation.isExact);
        if (operation.isExact && random.nextBoolean()) {
            TreeNode.remove(memory, address, operation.index);
            model.remove(key);
            return;
        }
        if (NodeLayout.used(memory.getFieldLong(address)) + 100 > ROOM) {
            long target = address + 2 * ROOM;
            TreeNode.copy(memory, address, ROOM, target, ROOM);
            assertEquals(0, NodeLayout.waste(memory.getFieldLong(target)));
            memory.copy(target, address, ROOM);
            if (NodeLayout.used(memory.getFieldLong(address)) + 100 > ROOM) {
                return;
            }
        }
        operation.beginEntry().putBytes(value, 0, value.length);
        int part = operation.key.partBytes();
        if (operation.isExact) {
            assertTrue(TreeNode.hasRoom(memory, address, ROOM, operation.index, part + value.length));
            TreeNode.replace(memory, address, ROOM, operation.index, part, operation.out().array(), part,
                value.length, false);
        } else {
            TreeNode.insert(memory, address, ROOM, operation.index + 1, operation.key.head, operation.out().array(),
                operation.out().size(),
                false);
        }
        model.put(key, value);
    }

    private void compare(TreeMap<byte[], byte[]> model, TreeOperation operation, SplittableRandom random,
                         String reproduce) {
        NodeBytes copy = new NodeBytes();
        copy.grow(ROOM);
        memory.copyOut(address, copy.bytes(), 0, ROOM);
        assertTrue(copy.copied(ROOM, false) && copy.isSound(), reproduce);
        assertEquals(model.size(), copy.count(), reproduce);
        TreeKey key = new TreeKey();
        int index = 0;
        for (Map.Entry<byte[], byte[]> entry : model.entrySet()) {
            copy.loadKey(index, key);
            assertArrayEquals(entry.getKey(), Arrays.copyOf(key.out.array(), key.length), reproduce);
            int from = copy.valueFrom(index);
            assertArrayEquals(entry.getValue(), Arrays.copyOfRange(copy.bytes(), from, from + copy.valueBytes(index)));
            index++;
        }
        for (int i = 0; i < 20; i++) {
            byte[] wanted = key(random);
            for (Search search : Search.values()) {
                search(operation, wanted, search);
                assertEquals(TreeNode.ARRIVED, TreeNode.route(memory, address, ROOM, false, operation));
                int expected = switch (search) {
                    case FLOOR -> model.headMap(wanted, true).size() - 1;
                    case BELOW -> model.headMap(wanted, false).size() - 1;
                    case START -> -1;
                    case END -> model.size() - 1;
                };
                assertEquals(expected, operation.index, reproduce);
                assertEquals(search == Search.FLOOR && model.containsKey(wanted), operation.isExact);
                assertEquals(expected, copy.search(KeyOrder.natural(Codecs.BYTES), search, operation.key, key),
                    reproduce);
                if (operation.isExact) {
                    assertArrayEquals(model.get(wanted), Arrays.copyOf(operation.bytes(), operation.valueLength),
                        reproduce);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 39, 40, 48, 64, 100, 200, 1000, 4088})
    void route_inAnyBytes_staysInside(int length) {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        long place = address + RegionLayout.BLOCK_BYTES - length;
        region.grow(1);
        place += RegionLayout.BLOCK_BYTES;
        byte[] bytes = new byte[length];
        TreeOperation operation = new TreeOperation();
        for (int i = 0; i < 40_000; i++) {
            random.nextBytes(bytes);
            if (random.nextBoolean()) {
                Arrays.fill(bytes, (byte) 0);
            }
            memory.copyIn(bytes, 0, place, length);
            if (length >= NodeLayout.NODE_BYTES_MIN && random.nextInt(5) > 0) {
                fill(place, length, random);
            }
            search(operation, key(random), Search.values()[random.nextInt(4)]);
            operation.level = random.nextInt(3);
            TreeNode.route(memory, place, length, random.nextBoolean(), operation);
            // a torn entry may span the whole node
            assertTrue(!operation.isExact || operation.overflow != 0 || operation.valueLength <= length,
                Seed.reproduce(TreeNodeTest.class, seed));
        }
    }

    /** A read of torn bytes is followed by another read, which must not use results that the first has left behind. */
    @Test
    void route_afterALookThatDidNotCount_saysTheSame() {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        byte[] bytes = new byte[ROOM];
        TreeOperation used = new TreeOperation();
        for (int i = 0; i < 20_000; i++) {
            random.nextBytes(bytes);
            memory.copyIn(bytes, 0, address, ROOM);
            fill(address, ROOM, random);
            byte[] key = key(random);
            Search search = Search.values()[random.nextInt(4)];
            int level = random.nextInt(3);
            boolean isByHead = random.nextBoolean();
            TreeOperation fresh = new TreeOperation();
            for (TreeOperation it : new TreeOperation[] {used, fresh}) {
                search(it, key, search);
                it.level = level;
            }
            long expected = TreeNode.route(memory, address, ROOM, isByHead, fresh);
            assertEquals(expected, TreeNode.route(memory, address, ROOM, isByHead, used));
            String reproduce = Seed.reproduce(TreeNodeTest.class, seed);
            if (expected == TreeNode.ARRIVED) {
                assertEquals(fresh.nodeLevel + " " + fresh.index + " " + fresh.isExact,
                    used.nodeLevel + " " + used.index + " " + used.isExact, reproduce);
            } else if (expected != TreeNode.TORN) {
                assertEquals(fresh.linkLevel, used.linkLevel, reproduce);
                assertEquals(fresh.isRight, used.isRight, reproduce);
            }
        }
    }

    /** Fills a place with bytes similar to a node: a count that fits, and spans that are often almost correct. */
    private void fill(long place, int length, SplittableRandom random) {
        int countMax = (length - NodeLayout.NODE_BYTES_MIN) / NodeLayout.SLOT_BYTES;
        int count = random.nextInt(countMax + 1);
        memory.putFieldLong(place, random.nextInt(3) | (long) random.nextInt(4) << 8 | (long) count << 16
            | (long) random.nextInt(1 << 16) << 32);
        for (int slot = 0; slot < count + NodeLayout.BOUNDS; slot++) {
            long at = place + NodeLayout.slotAt(slot);
            memory.putFieldLong(at, random.nextInt(3) == 0 ? 0x8000_0000_0000_0000L : (long) random.nextInt() << 32);
            int offset = random.nextInt(length + 9);
            int size = random.nextInt(Math.min(offset, 0x7FF0) + 9);
            memory.putFieldInt(at + NodeLayout.SPAN_AT, offset | size << 16 | random.nextInt(2) << 31);
        }
    }
}
