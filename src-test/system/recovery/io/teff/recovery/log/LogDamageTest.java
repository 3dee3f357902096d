package io.teff.recovery.log;

import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.disk.FrozenDisk;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.FileHead;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.file.DamagedLogException;
import io.teff.recovery.log.file.FileDamage;
import io.teff.recovery.log.file.FoundManifest;
import io.teff.recovery.log.file.LogConfig;
import io.teff.recovery.log.file.LogFolder;
import io.teff.recovery.log.file.NumberedFiles;
import io.teff.recovery.log.read.LogReader;
import io.teff.test.kit.Form;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: whatever bit of a log's files is flipped, wherever one of them is cut off or zeroed, and whichever is missing,
 * the damage is reported, or nothing is lost. Exceptions are the parts that no later write proves to have been synced:
 * the end of a segment that is being written, the rest of a ring that is zeroed from its middle, and after a power cut
 * the ring. No entry is ever shown that was not written.
 *
 * <p>Method: a small log that was closed, one that was killed, and the same one in another boot.
 */
@Tag("system")
final class LogDamageTest {
    private static final LogConfig CONFIG = new LogConfig(1 << 14, 1 << 15, 4096, 24_576, 2, Integer.MAX_VALUE, 4096,
        4, 1, 0, 0);
    private static final UUID BOOT = new FaultDisk().boot();
    private static final int ZONES = 3;
    /** Each bit and length in the long form, otherwise one of sixty on average. */
    private static final int STEP = Form.size(3000, 120, 5);

    private final SplittableRandom random = new SplittableRandom(5);
    private final FaultDisk disk = new FaultDisk();
    private final Set<Ledger.Entry> written = new HashSet<>();
    /** Entries that only the ring has, in their order. */
    private final List<Ledger.Entry> ring = new ArrayList<>();

    private String where = "";
    private int zeroedFrom;
    private FrozenDisk image = FrozenDisk.of(disk, FaultDisk.ROOT, BOOT);
    private Set<Ledger.Entry> expected = Set.of();
    private long cases;
    private long reported;
    private long refused;
    private long lost;

    LogDamageTest() throws IOException { }

    // ---- the logs ----

    private void write(OpenLog parts, boolean isGroup, int zone, int... lengths) {
        long cid = (long) Ledger.OWNER << 48 | (long) zone << 20 | random.nextInt(20);
        long position = Ledger.write(parts.buffer(), isGroup, cid, lengths);
        for (int i = 0; i < lengths.length; i++) {
            Ledger.Entry entry = new Ledger.Entry(cid + i, position, zone, EntryKind.PUT, lengths[i]);
            written.add(entry);
            ring.add(entry);
        }
    }

    private void drain(OpenLog parts) throws IOException {
        assertEquals(Drainer.Result.DONE, parts.drainer().drain());
        ring.clear();
    }

    private void makeClosedLog() throws IOException {
        try (OpenLog parts = LogScript.open(disk, CONFIG)) {
            for (int i = 0; i < 40; i++) {
                write(parts, i % 3 == 0, random.nextInt(ZONES), random.nextInt(60), random.nextInt(60));
                if (i % 10 == 9) {
                    drain(parts);
                }
            }
            parts.buffer().stop(null);
            parts.drainer().end();
        }
    }

    /** Two files of the primary log, sealed segments and others, holes and records in the ring. */
    private void makeKilledLog() throws IOException {
        makeClosedLog();
        OpenLog parts = LogScript.open(disk, CONFIG);
        while (NumberedFiles.list(disk, LogScript.FOLDER, LogFolder.PRIMARY).size() < 2) {
            for (int i = 0; i < 4; i++) {
                int zone = Math.max(0, random.nextInt(9) - 6);          // most of them fill one segment
                write(parts, i % 2 == 0, zone, random.nextInt(600, 900), random.nextInt(90));
            }
            drain(parts);
        }
        write(parts, true, 0, 40, 50);
        drain(parts);
        write(parts, true, 0, 10, 20);
        write(parts, false, 1, 100);
        parts.buffer().abandon(parts.buffer().claim(70));
        write(parts, false, 2, 30);
        parts.buffer().claim(90);
        write(parts, true, 7, 10, 20);
        write(parts, false, 1, 0);
        parts.close();
    }

    // ---- one case ----

    /** Whether the entries may be missing without a report, as far as the damaged file allows that. */
    private boolean mayBeLost(Path file, Set<Ledger.Entry> missing) {
        String name = file.getFileName().toString();
        if (name.startsWith(FoundManifest.PREFIX)) {
            return false;
        }
        if (name.equals(LogFolder.BUFFER)) {
            List<Ledger.Entry> read = ring.stream().filter(expected::contains).toList();
            return zeroedFrom > FileHead.BYTES || !BOOT.equals(image.boot())
                && missing.equals(new HashSet<>(read.subList(Math.max(0, read.size() - missing.size()), read.size())));
        }
        return false;
    }

    private void check(Path file) throws IOException {
        cases++;
        Set<Ledger.Entry> found = new LinkedHashSet<>();
        List<FileDamage> damage = new ArrayList<>();
        try {
            found = read(damage);
        } catch (DamagedLogException e) {
            damage.addAll(e.damage());
            refused++;
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(where, e);
        }
        assertTrue(written.containsAll(found), () -> where + ": invented");
        for (FileDamage it : damage) {
            assertTrue(it.damage().offset() >= 0 && it.damage().bytes() >= 0 && !it.damage().why().isEmpty(),
                () -> where + ": " + it);
        }
        if (damage.isEmpty() && !found.containsAll(expected)) {
            Set<Ledger.Entry> missing = new HashSet<>(expected);
            missing.removeAll(found);
            assertTrue(mayBeLost(file, missing), () -> where + ": lost without a word: " + missing);
            lost++;
        } else {
            reported += damage.isEmpty() ? 0 : 1;
        }
    }

    private Set<Ledger.Entry> read(List<FileDamage> damage) throws IOException {
        Ledger ledger = new Ledger();
        try (LogReader reader = LogReader.open(image, LogScript.FOLDER, "a test")) {
            damage.addAll(reader.damage());
            for (ZoneId zone : reader.zones()) {
                damage.addAll(reader.read(zone, ledger));
            }
        }
        return new HashSet<>(ledger.entries);
    }

    // ---- all cases ----

    /** Damages all files whose names have the prefix. */
    private void damageEach(String prefix, String what) throws IOException {
        List<FileDamage> none = new ArrayList<>();
        expected = read(none);
        assertEquals(List.of(), none);
        long bytes = 0;
        for (Map.Entry<Path, byte[]> file : List.copyOf(image.files().entrySet())) {
            if (!file.getKey().getFileName().toString().startsWith(prefix)) {
                continue;
            }
            bytes += file.getValue().length;
            flipEach(file.getKey(), file.getValue(), what);
            cutEach(file.getKey(), file.getValue(), what);
            zeroEach(file.getKey(), file.getValue(), what);
        }
        System.out.println("LogDamageTest: " + what + ", " + bytes + " bytes: " + cases + " cases, " + reported
            + " reported, " + refused + " of them refused, " + lost + " lost an end");
        cases = 0;
        reported = 0;
        refused = 0;
        lost = 0;
    }

    private void flipEach(Path file, byte[] bytes, String what) throws IOException {
        for (long bit = random.nextInt(STEP); bit < (long) bytes.length * Byte.SIZE; bit += stride()) {
            where = what + ", " + file + ", bit " + bit % Byte.SIZE + " of byte " + bit / Byte.SIZE;
            int at = (int) (bit / Byte.SIZE);
            bytes[at] ^= (byte) (1 << bit % Byte.SIZE);
            check(file);
            bytes[at] ^= (byte) (1 << bit % Byte.SIZE);
        }
    }

    private void cutEach(Path file, byte[] bytes, String what) throws IOException {
        for (int length = random.nextInt(STEP); length < bytes.length; length += stride()) {
            where = what + ", " + file + ", cut to " + length + " bytes of " + bytes.length;
            image.files().put(file, Arrays.copyOf(bytes, length));
            check(file);
        }
        image.files().put(file, Objects.requireNonNull(bytes));
    }

    /** Zeros the file from each place to its end, and takes it away. */
    private void zeroEach(Path file, byte[] bytes, String what) throws IOException {
        for (int from = 0; from < bytes.length; from += 8 * stride()) {
            where = what + ", " + file + ", zeroed from " + from;
            byte[] zeroed = bytes.clone();
            Arrays.fill(zeroed, from, bytes.length, (byte) 0);
            image.files().put(file, zeroed);
            zeroedFrom = from;
            check(file);
            zeroedFrom = 0;
        }
        where = what + ", " + file + ", missing";
        image.files().remove(file);
        check(file);
        image.files().put(file, bytes);
    }

    /** Returns a random stride from 1 on with the average of a step, so that no kind of bits or bytes is left out. */
    private int stride() {
        return random.nextInt(1, 2 * STEP);
    }

    @Test
    void bitsAndLengths_ofAKilledLog_areReportedOrHarmless() throws IOException {
        makeKilledLog();
        image = FrozenDisk.of(disk, FaultDisk.ROOT, BOOT);
        damageEach("", "killed");
        image = FrozenDisk.of(disk, FaultDisk.ROOT, new UUID(9, 9));
        damageEach(LogFolder.BUFFER, "power cut");
    }

    /** Files that do not count are removed. */
    @Test
    void bitsAndLengths_ofAClosedLog_areReportedOrHarmless() throws IOException {
        makeClosedLog();
        image = FrozenDisk.of(disk, FaultDisk.ROOT, BOOT);
        image.files().keySet().removeIf(file -> file.endsWith(LogFolder.BUFFER)
            || file.getFileName().toString().startsWith(LogFolder.PRIMARY));
        damageEach("", "closed");
    }

}
