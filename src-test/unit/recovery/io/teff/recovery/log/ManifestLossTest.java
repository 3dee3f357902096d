package io.teff.recovery.log;

import io.teff.engine.os.DiskFile;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.file.DamagedLogException;
import io.teff.recovery.log.file.LogConfig;
import io.teff.recovery.log.file.NumberedFiles;
import io.teff.recovery.log.read.LogReader;
import io.teff.test.kit.Form;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: a manifest of which both files have lost their end is damage that is named, nothing is deleted because of it,
 * and who accepts it gets everything that is in segments. Method: logs of several sessions, each of which makes zones
 * and cleans; both files cut, or filled up with zeros, at each place.
 */
final class ManifestLossTest {
    private static final int CUT_STEP = Form.size(131, 13, 1);

    private static final LogConfig CONFIG = new LogConfig(1 << 14, 1 << 15, 4096, 24_576, 2, 3000, 1 << 20, 4,
        1, 60, 0);

    private final SplittableRandom random = new SplittableRandom(3);

    private static OpenLog open(FaultDisk disk, boolean accepts) throws IOException {
        return OpenLog.open(new LogOptions(Platform.SYSTEM.withDisk(disk).withChance(() -> 77), LogScript.FOLDER,
            CONFIG, Ledger.OWNER, accepts, "a test"), () -> { });
    }

    private void session(FaultDisk disk, int zone, boolean closes) throws IOException {
        OpenLog parts = open(disk, false);
        for (int i = 0; i < 60; i++) {
            long cid = (long) Ledger.OWNER << 48 | (long) random.nextInt(zone + 1) << 20 | random.nextInt(30);
            Ledger.write(parts.buffer(), i % 3 == 0, cid, random.nextInt(300), random.nextInt(300));
            if (i % 6 == 5) {
                assertEquals(Drainer.Result.DONE, parts.drainer().drain());
            }
            if (i % 20 == 19) {
                parts.drainer().checkpoint();
                ZoneId first = new ZoneId(Ledger.OWNER, 0);
                parts.secondary().cleaned(parts.cleaner().clean(parts.secondary().toClean(first)));
            }
        }
        if (closes) {
            parts.buffer().stop(null);
            assertEquals(Drainer.Result.DONE, parts.drainer().drain());
            parts.drainer().end();
        }
        parts.close();
    }

    private FaultDisk log(boolean closes) throws IOException {
        FaultDisk disk = new FaultDisk();
        for (int zone = 0; zone < 3; zone++) {
            session(disk, zone, zone < 2 || closes);
        }
        return disk.killed();
    }

    /** Returns the newest entry of each chunk. */
    private static Set<Ledger.Entry> newest(List<Ledger.Entry> entries) {
        Set<Ledger.Entry> newest = new HashSet<>();
        for (Ledger.Entry entry : entries) {
            if (entries.stream().noneMatch(it -> it.cid() == entry.cid() && it.sequence() > entry.sequence())) {
                newest.add(entry);
            }
        }
        return newest;
    }

    private static Set<Ledger.Entry> read(FaultDisk image, boolean accepts) throws IOException {
        Ledger ledger = new Ledger();
        try (OpenLog parts = open(image, accepts)) {
            for (ZoneId zone : parts.zones()) {
                assertEquals(List.of(), Ledger.read(parts, zone, ledger));
            }
        }
        return newest(ledger.entries);
    }

    private static Set<Ledger.Entry> readOnly(FaultDisk image, List<Object> damage) throws IOException {
        Ledger ledger = new Ledger();
        try (LogReader reader = LogReader.open(image, LogScript.FOLDER, "a test")) {
            damage.addAll(reader.damage());
            for (ZoneId zone : reader.zones()) {
                damage.addAll(reader.read(zone, ledger));
            }
        }
        return newest(ledger.entries);
    }

    private static String manifest(FaultDisk disk) throws IOException {
        return disk.list(LogScript.FOLDER).stream().filter(it -> it.matches("manifest-[0-9]+")).findFirst()
            .orElseThrow();
    }

    private static void change(FaultDisk image, UnaryOperator<byte[]> change) throws IOException {
        String name = manifest(image);
        for (String file : List.of(name, name.replace("manifest-", "manifest-copy-"))) {
            ByteBuffer read = NumberedFiles.read(image, LogScript.FOLDER.resolve(file));
            byte[] bytes = new byte[read.remaining()];
            read.get(bytes);
            image.delete(LogScript.FOLDER.resolve(file));
            try (DiskFile made = image.create(LogScript.FOLDER.resolve(file), 0)) {
                made.write(ByteBuffer.wrap(change.apply(bytes)), 0);
            }
        }
    }

    private static List<String> segments(FaultDisk image) throws IOException {
        return image.list(LogScript.FOLDER.resolve("segments"));
    }

    private static void assertNoticed(FaultDisk log, boolean isWholeAfterAcceptance) throws IOException {
        Set<Ledger.Entry> all = read(log.killed(), false);
        int size = (int) log.open(LogScript.FOLDER.resolve(manifest(log))).size();
        int refused = 0;
        for (int cut = 0; cut < size; cut += CUT_STEP) {
            int at = cut;
            for (boolean isZeroed : new boolean[] {false, true}) {
                FaultDisk image = log.killed();
                change(image, bytes -> isZeroed ? Arrays.copyOf(Arrays.copyOf(bytes, at), bytes.length)
                    : Arrays.copyOf(bytes, at));
                String where = "manifest " + (isZeroed ? "zeroed from " : "cut to ") + at;
                List<String> before = segments(image);
                try {
                    assertEquals(all, read(image.killed(), false), where);
                } catch (DamagedLogException e) {
                    refused++;
                    assertThrows(DamagedLogException.class, () -> open(image, false), where);
                    assertEquals(before, segments(image), where);
                    assertAccepted(image, all, where, isWholeAfterAcceptance);
                }
            }
        }
        assertTrue(refused > 10, "refused " + refused);
    }

    private static void assertAccepted(FaultDisk image, Set<Ledger.Entry> all, String where, boolean isWhole)
        throws IOException {
        List<Object> damage = new ArrayList<>();
        Set<Ledger.Entry> shown;
        try {
            shown = readOnly(image, damage);
        } catch (DamagedLogException _) {
            return;                                             // no manifest can be read
        }
        assertTrue(!damage.isEmpty(), where);
        if (isWhole && damage.stream().noneMatch(it -> it.toString().contains("missing"))) {
            assertEquals(all, shown, where);
            assertEquals(all, read(image, true), where);
            assertEquals(all, read(image, false), where);
        }
    }

    @Test
    void bothFiles_ofAClosedLog_cutOrZeroed_areDamage() throws IOException {
        assertNoticed(log(true), true);
    }

    @Test
    void bothFiles_ofAKilledLog_cutOrZeroed_areDamage() throws IOException {
        assertNoticed(log(false), false);
    }
}
