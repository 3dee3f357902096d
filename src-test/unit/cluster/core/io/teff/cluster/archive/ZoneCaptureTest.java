package io.teff.cluster.archive;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.identity.ClusterId;
import io.teff.engine.journal.Journal;
import io.teff.engine.os.Disk;
import io.teff.test.kit.Seed;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the file of a zone has the state of the zone at the cut, for any changes during the reading. Method: a model of
 * a zone and of its owner. The owner records index by index; between two indexes the model changes at random, and the
 * changes are sent before or after what is recorded.
 */
class ZoneCaptureTest {
    private static final int ZONE = 5;
    private static final int INDEXES = 400;
    private static final int ROUNDS = 60;
    private static final ClusterId CLUSTER = new ClusterId(1, 2, "");

    @TempDir
    private Path folder;

    private final TreeMap<Long, Chunk> model = new TreeMap<>();
    private final TreeMap<Long, Long> removed = new TreeMap<>();
    private final EntryBytes sent = new EntryBytes();
    private long number = 1L << 48;
    private int generation;

    private record Chunk(long cid, int kind, byte[] content) {}

    private static long cid(int generation, long index) {
        return (long) ZONE << 48 | (long) generation << 40 | index;
    }

    /** Changes a random chunk; the change is told if the owner is reading. */
    private void change(SplittableRandom random, boolean isTold) {
        long index = 1L + random.nextInt(INDEXES);
        number++;
        Chunk known = model.get(index);
        if (known != null && random.nextInt(3) == 0) {
            model.remove(index);
            removed.put(index, known.cid());
            if (isTold) {
                sent.add(known.cid(), number, Journal.REMOVED | EntryBytes.CHANGE, MemorySegment.NULL, 0, 0);
            }
            return;
        }
        byte[] content = new byte[known != null && random.nextBoolean() ? known.content().length : random.nextInt(40)];
        random.nextBytes(content);
        int kind = random.nextInt(8) == 0 ? Journal.RESERVED : Journal.PUT + random.nextInt(2);
        Chunk next = new Chunk(known == null ? cid(++generation & 0xFF, index) : known.cid(), kind,
            kind == Journal.RESERVED ? new byte[0] : content);
        model.put(index, next);
        removed.remove(index);
        if (isTold) {
            sent.add(next.cid(), number, kind | EntryBytes.CHANGE, MemorySegment.ofArray(next.content()), 0,
                next.content().length);
        }
    }

    /** Plays a reading: returns the row of the zone. */
    private Manifest.Zone read(SplittableRandom random, int busy, String name, BackupId backup,
                               @Nullable ZoneChain base) throws IOException {
        Path target = Files.createDirectories(folder.resolve(name));
        BlockDigest digest = new BlockDigest();
        byte[] known = base == null ? new byte[0] : base.digests();
        try (ZoneCapture capture = new ZoneCapture(Disk.SYSTEM, target, ZONE, base)) {
            long begun = number;
            List<Long> gone = new ArrayList<>();
            EntryBytes block = new EntryBytes();
            for (long index = 0; index <= INDEXES + BlockDigest.INDEXES; index++) {
                if (index % BlockDigest.INDEXES == 0) {
                    endBlock(block, index / BlockDigest.INDEXES - 1, known, digest);
                }
                for (int i = random.nextInt(50) < busy ? 1 + random.nextInt(3) : 0; i > 0; i--) {
                    change(random, true);
                }
                Chunk chunk = model.get(index);
                if (chunk != null) {
                    block.add(chunk.cid(), number, chunk.kind(), MemorySegment.ofArray(chunk.content()), 0,
                        chunk.content().length);
                } else if (removed.containsKey(index)) {
                    gone.add(removed.get(index));
                }
                if (random.nextInt(20) == 0) {
                    for (long cid : gone) {
                        sent.add(cid, begun, Journal.REMOVED, MemorySegment.NULL, 0, 0);
                    }
                    gone.clear();
                    capture.take(sent.toArray());
                    sent.clear();
                }
            }
            for (long cid : gone) {
                sent.add(cid, begun, Journal.REMOVED, MemorySegment.NULL, 0, 0);
            }
            capture.take(sent.toArray());
            sent.clear();
            return capture.write(target.resolve(Manifest.fileOf(ZONE)), CLUSTER, backup, number);
        }
    }

    private void endBlock(EntryBytes block, long number, byte[] known, BlockDigest digest) {
        block.rewind();
        while (block.next()) {
            digest.add(block);
        }
        byte[] sum = digest.end();
        int at = (int) number * BlockDigest.BYTES;
        if (block.size() > 0 && at + sum.length <= known.length
            && Arrays.equals(sum, Arrays.copyOfRange(known, at, at + sum.length))) {
            sent.begin(EntryBytes.cid(ZONE, number * BlockDigest.INDEXES), 0, EntryBytes.SAME, 0);
        } else {
            block.rewind();
            while (block.next()) {
                sent.add(block);
            }
        }
        block.clear();
    }

    private void assertContent(ZoneChain chain, String what) throws IOException {
        Map<Long, Chunk> found = new TreeMap<>();
        for (int row = 0; row < chain.newest().rows(); row++) {
            EntryBytes entries = chain.entriesOf(row);
            while (entries.next()) {
                byte[] content = Arrays.copyOfRange(entries.array(), entries.contentAt(), entries.contentAt()
                    + entries.length());
                found.put(EntryBytes.index(entries.cid()), new Chunk(entries.cid(), entries.kind(), content));
            }
        }
        assertEquals(model.keySet(), found.keySet(), what);
        model.forEach((index, chunk) -> {
            assertEquals(chunk.cid(), found.get(index).cid(), what);
            assertEquals(chunk.kind(), found.get(index).kind(), what);
            assertArrayEquals(chunk.content(), found.get(index).content(), what);
        });
        assertEquals(new TreeSet<>(removed.values()),
            new TreeSet<>(Arrays.stream(chain.newest().removed()).boxed().toList()), what);
    }

    @Test
    void files_haveTheStateOfTheCut_forAnyChangesMeanwhile() throws IOException {
        long first = Seed.first();
        for (int round = 0; round < ROUNDS; round++) {
            long seed = first + round;
            String what = Seed.reproduce(ZoneCaptureTest.class, seed);
            SplittableRandom random = new SplittableRandom(seed);
            model.clear();
            removed.clear();
            for (int i = random.nextInt(800); i > 0; i--) {
                change(random, false);
            }
            BackupId one = new BackupId(seed, 1);
            BackupId two = new BackupId(seed, 2);
            read(random, random.nextInt(50), "whole-" + round, one, null);
            ZoneFileReader whole = ZoneFileReader.open(Disk.SYSTEM, folder.resolve("whole-" + round + "/zone-5"),
                CLUSTER, one, ZONE);
            try (ZoneChain chain = new ZoneChain(List.of(whole))) {
                whole.verify();
                assertContent(chain, what);
                for (int i = random.nextInt(5); i > 0; i--) {
                    change(random, false);
                }
                read(random, random.nextInt(50) / 10, "next-" + round, two, chain);
                ZoneFileReader next = ZoneFileReader.open(Disk.SYSTEM, folder.resolve("next-" + round + "/zone-5"),
                    CLUSTER, two, ZONE);
                try (ZoneChain both = new ZoneChain(List.of(next, whole))) {
                    next.verify();
                    assertContent(both, what);
                }
            }
        }
    }

    /** Each bit of a file counts; the test flips some hundred bits. */
    @Test
    void file_withAFlippedBitOrACutEnd_isRefused() throws IOException {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 12; i++) {
            change(random, false);
        }
        BackupId backup = new BackupId(3, 4);
        read(random, 9, "file", backup, null);
        Path path = folder.resolve("file/zone-5");
        byte[] bytes = Files.readAllBytes(path);
        for (int bit = 0; bit < Byte.SIZE * bytes.length; bit += 509) {
            byte[] flipped = bytes.clone();
            flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            assertRefused(path, flipped, backup, "bit " + bit);
        }
        for (int length = 0; length < bytes.length; length += 211) {
            assertRefused(path, Arrays.copyOf(bytes, length), backup, "length " + length);
        }
        Files.write(path, bytes);
        assertThrows(DamagedBackupException.class, () -> ZoneFileReader.open(Disk.SYSTEM, path, CLUSTER,
            new BackupId(3, 5), ZONE));
        assertThrows(DamagedBackupException.class, () -> ZoneFileReader.open(Disk.SYSTEM, path, new ClusterId(1, 3, ""),
            backup, ZONE));
    }

    private static void assertRefused(Path path, byte[] bytes, BackupId backup, String what) throws IOException {
        Files.write(path, bytes);
        DamagedBackupException refused = assertThrows(DamagedBackupException.class, () -> {
            try (ZoneFileReader file = ZoneFileReader.open(Disk.SYSTEM, path, CLUSTER, backup, ZONE)) {
                file.verify();
            }
        }, what);
        assertTrue(refused.getMessage().startsWith(path.toString()), refused::getMessage);
    }

    /** Entries from a message are checked before they are used. */
    @Test
    void entries_ofAnotherZone_orWithoutSense_areRefused() {
        EntryBytes entries = new EntryBytes();
        entries.add(cid(1, 3), 1, Journal.PUT, MemorySegment.ofArray(new byte[4]), 0, 4);
        byte[] bytes = entries.toArray();
        assertEquals(null, EntryBytes.fault(bytes, ZONE));
        assertFalse(EntryBytes.fault(bytes, ZONE + 1) == null);
        assertFalse(EntryBytes.fault(Arrays.copyOf(bytes, bytes.length - 1), ZONE) == null);
        bytes[20] = 7;
        assertFalse(EntryBytes.fault(bytes, ZONE) == null);
    }
}
