package io.teff.recovery.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.os.Platform;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.RingRecord;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.file.LogConfig;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the log serves a peer that keeps the zones of others: owners number their changes, which arrive in any order
 * and more than once; a zone is read while others are written and cleaned, and is removed when it is handed over.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@FullTier("6 s. RecoveryLogTest and LogReaderTest keep, read and drop zones, and the peers of "
    + "WholeSimulationTest have such logs.")
final class PeerLogTest {
    private static final int OWNERS = 3;
    private static final int ZONES = 2;
    private static final int CHUNKS = 200;
    private static final LogConfig CONFIG =
        new LogConfig(1 << 16, 1 << 16, 4096, 1 << 17, 2, 6000, 4096, 4, 20_000_000, 60, 40);

    @TempDir
    private Path temporary;

    /** The state of a chunk after a change. */
    private record Change(long cid, long sequence, int kind, int length) {}

    /** The newest change of each chunk of a zone, and the number of bytes read. */
    private static final class Newest {
        private final Map<Long, Change> byCid = new HashMap<>();
        private long shown;

        void see(Change change) {
            byCid.merge(change.cid, change, (a, b) -> a.sequence >= b.sequence ? a : b);
        }
    }

    private RecoveryLog open(int seed) throws IOException {
        return RecoveryLog.open(new LogOptions(Platform.SYSTEM.withChance(new SplittableRandom(seed)::nextLong),
            temporary.resolve("log"), CONFIG, 99, false, "a test"));
    }

    private static Newest read(RecoveryLog log, ZoneId zone) throws IOException {
        Newest newest = new Newest();
        assertEquals(List.of(), log.read(zone, (cid, sequence, owner, number, kind, bytes, offset, length) -> {
            assertEquals(zone, new ZoneId(owner, number));
            assertEquals(-1, Ledger.content(sequence, cid, length).mismatch(bytes.asSlice(offset, length)));
            newest.see(new Change(cid, sequence, kind, length));
            newest.shown += length;
        }));
        return newest;
    }

    /** A remote store, with the changes that it has sent to the log. For one thread. */
    private static final class Owner {
        private final int nid;
        private final SplittableRandom random;
        private final Map<ZoneId, Newest> told = new HashMap<>();
        private final List<Change> all = new ArrayList<>();
        private long sequence;

        Owner(int nid) {
            this.nid = nid;
            this.random = new SplittableRandom(nid);
            this.sequence = random.nextLong(1L << 50);
        }

        void tell(RecoveryLog log, int changes) throws IOException {
            for (int i = 0; i < changes; i++) {
                ZoneId zone = new ZoneId(nid, random.nextInt(ZONES));
                Change change = all.isEmpty() || random.nextInt(5) > 0 ? next(zone)
                    : all.get(random.nextInt(all.size()));      // arrives late, or once more
                send(log, change);
                if (random.nextInt(1500) == 0) {
                    assertTrue(log.sync());
                    check(log, zone);
                }
            }
        }

        private Change next(ZoneId zone) {
            long cid = Cid.of(nid, (long) zone.zone() << 20 | random.nextInt(1, CHUNKS));
            boolean isGone = random.nextInt(10) == 0;
            sequence += 1 + random.nextInt(3);
            Change change = new Change(cid, sequence, isGone ? EntryKind.REMOVED : EntryKind.PUT,
                isGone ? 0 : random.nextInt(300));
            told.computeIfAbsent(zone, _ -> new Newest()).see(change);
            all.add(change);
            return change;
        }

        private void send(RecoveryLog log, Change change) {
            WriteBuffer buffer = log.buffer();
            assertTrue(buffer.awaitRoom());
            long record = buffer.claim(RingRecord.ENTRY_BYTES + change.length);
            int zone = Ledger.zone(change.cid);
            log.pressure().note(nid, zone);
            long at = buffer.entry(buffer.firstEntry(record), change.cid, change.sequence, nid, zone, change.kind,
                change.length);
            MemorySegment.copy(Ledger.content(change.sequence, change.cid, change.length), 0, buffer.memory(), at,
                change.length);
            buffer.commit(record, false);
            log.pressure().await();
        }

        void check(RecoveryLog log, ZoneId zone) throws IOException {
            if (told.containsKey(zone)) {
                assertEquals(told.get(zone).byCid, read(log, zone).byCid, zone::toString);
            }
        }
    }

    @Test
    void zonesOfManyOwners_areKeptReadAndDropped() throws Exception {
        List<Owner> owners = new ArrayList<>();
        for (int nid = 1; nid <= OWNERS; nid++) {
            owners.add(new Owner(nid));
        }
        long cleanings = 0;
        for (int round = 0; round < 3; round++) {
            try (RecoveryLog log = open(round)) {
                assertEquals(99, log.nid());
                for (Owner owner : owners) {
                    for (ZoneId zone : owner.told.keySet()) {
                        owner.check(log, zone);
                    }
                }
                tellAll(log, owners);
                cleanings += log.stats().cleanings();
            }
        }
        assertTrue(cleanings > 0, "nothing was cleaned");
        ZoneId gone = new ZoneId(2, 1);
        try (RecoveryLog log = open(3)) {
            assertTrue(log.drop(gone));
            assertTrue(!log.zones().contains(gone));
            long before = read(log, new ZoneId(1, 0)).shown;
            assertTrue(before < 20L * CHUNKS * 300, () -> "shown " + before);
        }
        try (RecoveryLog log = open(4)) {
            assertEquals(OWNERS * ZONES - 1, log.zones().size());
            for (Owner owner : owners) {
                owner.told.remove(gone);
                for (ZoneId zone : owner.told.keySet()) {
                    owner.check(log, zone);
                }
            }
        }
    }

    private static void tellAll(RecoveryLog log, List<Owner> owners) throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(owners.size())) {
            List<Future<?>> all = new ArrayList<>();
            for (Owner owner : owners) {
                all.add(pool.submit(() -> {
                    owner.tell(log, 6000);
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
    }
}
