package io.teff.cluster.archive;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.archive.KillPoint.Killed;
import io.teff.cluster.control.RestoreMark;
import io.teff.engine.Cid;
import io.teff.engine.os.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: backups and restores end right, wherever their process or the owner of a zone is killed. Method: a cluster
 * without nodes. The process is killed at each of its calls to the cluster and to the disk in turn, and run again.
 */
class BackupKillTest {
    private static final int ZONES = 3;
    private static final int CHUNKS = 8;
    /** A zone of such chunks takes several messages. */
    private static final int LARGE_BYTES = 400_000;
    private static final int NEVER = Integer.MAX_VALUE;
    private static final int ENOUGH = 10_000;
    /** A zone takes a READ and three NEXT. */
    private static final int CALLS_OF_A_BACKUP = 4 * ZONES;
    /** A zone takes a FILL, at most five PUT and a PUBLISH. */
    private static final int CALLS_OF_A_RESTORE = 7 * ZONES;

    @TempDir
    private Path folder;
    private int names;

    private static ZonesInMemory cluster(int contentBytes) {
        ZonesInMemory zones = new ZonesInMemory(1, ZONES);
        for (int zone = 1; zone <= ZONES; zone++) {
            for (int index = 1; index <= CHUNKS; index++) {
                byte[] content = new byte[contentBytes];
                content[0] = (byte) (10 * zone + index);
                zones.put(zone, index, content);
            }
        }
        return zones;
    }

    /** One part of a sorted map, which is not split. */
    private static final class StillPart implements HeldSplits {
        @Override
        public PartBounds hold() {
            return new PartBounds(Map.of(Cid.of(1, 1), "upper"));
        }

        @Override
        public void renew() {
            // nothing to hold
        }
    }

    private Path fresh() {
        return folder.resolve("backup-" + ++names);
    }

    // ---- backup ----

    private static void take(ZonesInMemory cluster, KillPoint process, Path target, @Nullable BackupFolder base,
                             int fresh, int ownerDeath) throws IOException {
        try (BackupTaking taking = BackupTaking.begin(process.disk(), cluster.link(process, ownerDeath), target, base,
            new BackupId(fresh, fresh), _ -> { })) {
            List<Manifest.Zone> zones = taking.takeZones(new StillPart());
            taking.end(zones, taking.lost(), 7, List.of(new ServicesFile.Name("name", new byte[] {1})));
        }
    }

    private static void take(ZonesInMemory cluster, Path target, @Nullable BackupFolder base, int fresh)
            throws IOException {
        take(cluster, new KillPoint(NEVER), target, base, fresh, NEVER);
    }

    /** Reads a backup as a restore does. */
    private static Map<Integer, TreeMap<Long, ByteBuffer>> content(Path backup) throws IOException {
        assertEquals(List.of(), BackupCheck.faults(Disk.SYSTEM, backup, _ -> { }));
        ZonesInMemory filled = new ZonesInMemory(2, ZONES);
        restore(filled, new NamesInMemory(), new KillPoint(NEVER), backup, false, NEVER);
        return filled.content();
    }

    private static List<String> files(Path backup) throws IOException {
        return Disk.SYSTEM.list(backup);
    }

    /**
     * Each zone is as it was before the process was killed, or as it is now. No file of the stopped process is left.
     */
    @Test
    void backup_killedAnywhere_andRunAgain_isWhole() throws IOException {
        boolean isOver = false;
        for (int kill = 0; !isOver; kill++) {
            assertTrue(kill < ENOUGH);
            ZonesInMemory cluster = cluster(20);
            Path target = fresh();
            KillPoint process = new KillPoint(kill);
            isOver = process.survives(() -> take(cluster, process, target, null, 1, NEVER));
            Map<Integer, TreeMap<Long, ByteBuffer>> before = cluster.content();
            if (Disk.SYSTEM.list(folder).contains(target.getFileName().toString())) {
                assertEquals(before, content(target), "killed at call " + kill);
                continue;                                       // killed behind the last call that counts
            }
            for (int zone = 1; zone <= ZONES; zone++) {
                cluster.put(zone, 2, new byte[] {99});
            }
            take(cluster, target, null, 2);
            Map<Integer, TreeMap<Long, ByteBuffer>> after = cluster.content();
            content(target).forEach((zone, chunks) -> assertTrue(chunks.equals(before.get(zone))
                || chunks.equals(after.get(zone)), zone + " is of no moment"));
            assertEquals(List.of("manifest", "services", "zone-1", "zone-2", "zone-3"), files(target));
        }
    }

    /** Also in the middle of the end, when only the name of the folder is missing. */
    @Test
    void backup_killedAnywhere_readsAFinishedZoneOnce() throws IOException {
        boolean isOver = false;
        for (int kill = 0; !isOver; kill++) {
            ZonesInMemory cluster = cluster(20);
            Path target = fresh();
            KillPoint process = new KillPoint(kill);
            isOver = process.survives(() -> take(cluster, process, target, null, 1, NEVER));
            Path work = folder.resolve(target.getFileName() + ".unfinished");
            if (!Disk.SYSTEM.list(folder).contains(target.getFileName().toString())) {
                long finished = Disk.SYSTEM.list(folder).contains(work.getFileName().toString())
                    ? files(work).stream().filter(name -> name.matches("zone-[0-9]+")).count() : 0;
                boolean isEnding = finished == ZONES && !files(work).contains("parts");
                int before = cluster.reads();
                take(cluster, target, null, 2);
                int again = isEnding ? 1 : 0;                   // the zone of the part, whose bounds are deleted
                assertEquals(ZONES - finished + again, cluster.reads() - before, "killed at call " + kill);
            }
        }
    }

    @Test
    void incrementalBackup_killedAnywhere_andRunAgain_isWhole() throws IOException {
        ZonesInMemory cluster = cluster(20);
        Path first = fresh();
        take(cluster, first, null, 1);
        BackupFolder base = BackupFolder.open(Disk.SYSTEM, first);
        cluster.put(2, 3, new byte[] {98});
        boolean isOver = false;
        for (int kill = 0; !isOver; kill++) {
            Path target = fresh();
            KillPoint process = new KillPoint(kill);
            isOver = process.survives(() -> take(cluster, process, target, base, 2, NEVER));
            if (!Disk.SYSTEM.list(folder).contains(target.getFileName().toString())) {
                take(cluster, target, base, 3);
            }
            assertEquals(cluster.content(), content(target), "killed at call " + kill);
        }
    }

    @Test
    void backup_whoseOwnersAreKilled_hasEachZoneAtOneMoment() throws IOException {
        for (int death = 0; death < CALLS_OF_A_BACKUP; death++) {
            ZonesInMemory cluster = cluster(20);
            Path target = fresh();
            take(cluster, new KillPoint(NEVER), target, null, 1, death);
            assertEquals(cluster.content(), content(target), "owner killed at call " + death);
        }
    }

    /** Begins a backup that is stopped when two zones are finished. */
    private static void stop(ZonesInMemory cluster, Path target) {
        KillPoint never = new KillPoint(NEVER);
        assertThrows(Killed.class, () -> {
            try (BackupTaking taking = BackupTaking.begin(never.disk(), cluster.link(never), target, null,
                new BackupId(1, 1), progress -> {
                    if (progress.done() == 2) {
                        throw new Killed();
                    }
                })) {
                taking.takeZones(new StillPart());
            }
        });
    }

    @Test
    void finishedZone_thatIsLostBeforeTheBackupContinues_staysInTheBackup() throws IOException {
        ZonesInMemory cluster = cluster(20);
        Path target = fresh();
        Map<Integer, TreeMap<Long, ByteBuffer>> before = cluster.content();
        stop(cluster, target);
        cluster.lose(1);
        take(cluster, target, null, 2);
        assertEquals(before, content(target));
        assertEquals(List.of(), BackupFolder.open(Disk.SYSTEM, target).manifest().lost());
    }

    @Test
    void finishedZone_thatWasDamagedBeforeTheBackupContinues_isReadAgain() throws IOException {
        ZonesInMemory cluster = cluster(20);
        Path target = fresh();
        stop(cluster, target);
        Path zone = folder.resolve(target.getFileName() + ".unfinished").resolve("zone-1");
        byte[] bytes = Files.readAllBytes(zone);
        bytes[bytes.length / 2] ^= 1;
        Files.write(zone, bytes);
        take(cluster, target, null, 2);
        assertEquals(cluster.content(), content(target));
    }

    // ---- restore ----

    private static void restore(ZonesInMemory cluster, NamesInMemory names, KillPoint process, Path from,
                                boolean isAgain, int ownerDeath) throws IOException {
        BackupFolder backup = BackupFolder.open(Disk.SYSTEM, from);
        BackupId id = backup.manifest().backup();
        RestoreMark mark = RestoreMark.find(names.of(process), id, isAgain);
        mark = mark == null ? RestoreMark.begin(names.of(process), id) : mark;
        new BackupRestore(cluster.link(process, ownerDeath), backup, mark, _ -> { }).run();
        mark.end();
    }

    /** In every second round the owner of the zone that is being filled dies behind the process. */
    @Test
    void restore_killedAnywhere_andContinued_hasTheBytesOfTheBackup() throws IOException {
        ZonesInMemory source = cluster(LARGE_BYTES);
        Path backup = fresh();
        take(source, backup, null, 1);
        boolean isOver = false;
        for (int kill = 0; !isOver; kill++) {
            assertTrue(kill < ENOUGH);
            ZonesInMemory target = new ZonesInMemory(2, ZONES);
            NamesInMemory marks = new NamesInMemory();
            KillPoint process = new KillPoint(kill);
            isOver = process.survives(() -> restore(target, marks, process, backup, false, NEVER));
            if (kill % 2 == 0) {
                for (int zone = 1; zone <= ZONES; zone++) {
                    target.killOwner(zone);
                }
            }
            if (!isOver && !(marks.isEmpty() && target.content().equals(source.content()))) {
                restore(target, marks, new KillPoint(NEVER), backup, true, NEVER);
            }
            assertEquals(source.content(), target.content(), "killed at call " + kill);
            assertTrue(marks.isEmpty(), "killed at call " + kill);
        }
    }

    @Test
    void restore_whoseOwnersAreKilled_hasTheBytesOfTheBackup() throws IOException {
        ZonesInMemory source = cluster(LARGE_BYTES);
        Path backup = fresh();
        take(source, backup, null, 1);
        for (int death = 0; death < CALLS_OF_A_RESTORE; death++) {
            ZonesInMemory target = new ZonesInMemory(2, ZONES);
            restore(target, new NamesInMemory(), new KillPoint(NEVER), backup, false, death);
            assertEquals(source.content(), target.content(), "owner killed at call " + death);
        }
    }

    /** Neither with nor without the word of the caller: the cluster may be in use. */
    @Test
    void restore_intoZonesWithChunks_isRefused_andChangesNoZone() throws IOException {
        Path backup = fresh();
        take(cluster(20), backup, null, 1);
        ZonesInMemory used = new ZonesInMemory(2, ZONES);
        used.put(2, 1, new byte[] {5});
        NamesInMemory marks = new NamesInMemory();
        for (boolean isAgain : List.of(false, true, true)) {
            IOException refused = assertThrows(IOException.class, () -> restore(used, marks, new KillPoint(NEVER),
                backup, isAgain, NEVER));
            assertEquals("zone 2 has chunks", refused.getMessage());
            assertEquals(1, used.content().get(2).size());
        }
    }

    @Test
    void stoppedRestore_isContinuedWithItsBackupOnly_andByAWordOnly() throws IOException {
        ZonesInMemory source = cluster(20);
        Path backup = fresh();
        Path other = fresh();
        take(source, backup, null, 1);
        take(source, other, null, 2);
        ZonesInMemory target = new ZonesInMemory(2, ZONES);
        NamesInMemory marks = new NamesInMemory();
        KillPoint process = new KillPoint(12);
        assertTrue(!process.survives(() -> restore(target, marks, process, backup, false, NEVER)));
        assertSaid("continue with --again", target, marks, backup, false);
        assertSaid("restore into another new cluster", target, marks, other, true);
        restore(target, marks, new KillPoint(NEVER), backup, true, NEVER);
        assertEquals(source.content(), target.content());
    }

    private static void assertSaid(String text, ZonesInMemory target, NamesInMemory marks, Path backup,
                                   boolean isAgain) {
        IOException refused = assertThrows(IOException.class, () -> restore(target, marks, new KillPoint(NEVER), backup,
            isAgain, NEVER));
        assertTrue(refused.getMessage().endsWith(text), refused::getMessage);
    }

    /** A process that was frozen, and not killed, replaces nothing behind the process that has continued. */
    @Test
    void frozenRestore_thatWakes_stopsAtItsNextZone() throws IOException {
        ZonesInMemory source = cluster(20);
        Path backup = fresh();
        take(source, backup, null, 1);
        BackupFolder from = BackupFolder.open(Disk.SYSTEM, backup);
        KillPoint never = new KillPoint(NEVER);
        for (int call = 0; call < 3 * ZONES; call++) {          // FILL, PUT and PUBLISH of each zone
            ZonesInMemory target = new ZonesInMemory(2, ZONES);
            NamesInMemory marks = new NamesInMemory();
            RestoreMark mark = RestoreMark.begin(marks.of(never), from.manifest().backup());
            ZoneLink link = target.link(never, call, _ -> {
                assertDoesNotThrow(() -> restore(target, marks, never, backup, true, NEVER));
                target.put(ZONES, 1, new byte[] {77});          // by a client of the restored cluster
            });
            IOException stopped = assertThrows(IOException.class, () -> new BackupRestore(link, from, mark, _ -> { })
                .run());
            assertTrue(stopped.getMessage().matches("another process has continued this restore|zone . has chunks"),
                stopped::getMessage);
            source.put(ZONES, 1, new byte[] {77});
            assertEquals(source.content(), target.content(), "frozen at call " + call);
        }
    }

    @Test
    void twoRestores_atOnce_areRefused() throws IOException {
        KillPoint never = new KillPoint(NEVER);
        NamesInMemory marks = new NamesInMemory();
        BackupId id = new BackupId(1, 1);
        assertNull(RestoreMark.find(marks.of(never), id, true));
        assertNotNull(RestoreMark.begin(marks.of(never), id));
        assertThrows(IOException.class, () -> RestoreMark.begin(marks.of(never), id));
    }

    @Test
    void restore_intoAClusterThatLosesAFilledZone_saysSo() throws IOException {
        Path backup = fresh();
        take(cluster(20), backup, null, 1);
        ZonesInMemory target = new ZonesInMemory(2, ZONES);
        BackupFolder from = BackupFolder.open(Disk.SYSTEM, backup);
        KillPoint never = new KillPoint(NEVER);
        RestoreMark mark = RestoreMark.begin(new NamesInMemory().of(never), from.manifest().backup());
        IOException lost = assertThrows(IOException.class, () -> new BackupRestore(target.link(never), from, mark,
            progress -> {
                if (progress.done() == 2) {
                    target.lose(1);
                }
            }).run());
        assertTrue(lost.getMessage().contains("lost zone 1"), lost::getMessage);
    }
}
