package io.teff.recovery.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.journal.ChangedBytes;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFullException;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.clean.CleanJob;
import io.teff.recovery.log.file.LogConfig;
import io.teff.recovery.log.file.LogFailure;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** A log driven by one thread, and the content that it must have after a crash. */
final class LogScript {
    static final LogConfig CONFIG = new LogConfig(1 << 14, 1 << 15, 4096, 24_576, 2, 3000, 4096, 2, 1, 0, 0);
    static final Path FOLDER = FaultDisk.ROOT.resolve("log");
    private static final int ZONES = 4;
    /** Index of the last chunk of a zone. */
    private static final int LAST_OF_ZONE = (1 << 20) - 1;

    /** An entry that is to be written, and the state of its chunk behind it. */
    private record Draft(long cid, int kind, byte[] payload, byte[] state) {}

    /** The last state of a chunk, which bytes may follow. */
    private record Last(long number, byte[] state) {}

    /** A claimed record. */
    private record Written(long position, boolean isGroup, List<Ledger.Entry> entries) {}

    final FaultDisk disk = new FaultDisk();
    private final SplittableRandom random;
    private final LogConfig config;
    private final List<Written> committed = new ArrayList<>();
    private final Set<Ledger.Entry> possible = new HashSet<>();
    private OpenLog parts;
    private long openRecord = -1;
    private List<Draft> openDrafts = List.of();
    private final Map<Long, Last> last = new HashMap<>();
    final Map<Ledger.State, byte[]> states = new HashMap<>();
    int bytesCount;
    private long synced;
    private long claimed;
    int fullCount;
    int cleanCount;
    /** Whether the process ends without closing the log. */
    boolean dies;

    LogScript(long seed, LogConfig config) {
        this.random = new SplittableRandom(seed);
        this.config = config;
    }

    static OpenLog open(Disk disk, LogConfig config) throws IOException {
        AtomicLong names = new AtomicLong(77);
        return OpenLog.open(new LogOptions(Platform.SYSTEM.withDisk(disk).withChance(names::getAndIncrement), FOLDER,
            config, Ledger.OWNER, false,
            "a test"), () -> {});
    }

    /** Runs the script; returns false if the log has failed. */
    boolean play(int steps) throws IOException {
        reopen();
        for (int step = 0; step < steps; step++) {
            int what = random.nextInt(60);
            if (what == 0) {
                if (random.nextBoolean()) {
                    die();
                } else if (!end()) {
                    return false;
                }
                reopen();
            } else if (what < 8 || parts.buffer().tail() - parts.buffer().drained() > 4096) {
                endOpenRecord();
                if (!drain()) {
                    return false;
                }
            } else if (what < 12) {
                endOpenRecord();
                clean();
                if (what == 11) {
                    checkpoint();
                }
            } else {
                write(what < 16 && openRecord < 0, what < 30);
            }
        }
        note();
        return dies || end();
    }

    /** Requests a checkpoint, also if the last drain is incomplete. */
    private void checkpoint() throws IOException {
        try {
            parts.drainer().checkpoint();
        } catch (DiskFullException _) {
            fullCount++;
        }
    }

    /** Cleans the zone with the greatest need, or any. */
    private void clean() throws IOException {
        CleanJob next = parts.secondary().nextToClean();
        List<ZoneId> zones = parts.zones();
        CleanJob job = next != null || zones.isEmpty() || config.cleanPercent() == 0 || random.nextBoolean() ? next
            : parts.secondary().toClean(zones.get(random.nextInt(zones.size())));
        if (job != null) {
            retry(() -> parts.secondary().cleaned(parts.cleaner().clean(job)));
            cleanCount++;
        }
    }

    private void write(boolean staysOpen, boolean isGroup) {
        int[] lengths = random.ints(random.nextInt(1, 4), 0, random.nextInt(20) == 0 || config.cleanPercent() > 0
            ? 1200 : 100).toArray();
        if (random.nextInt(12) == 0) {
            lengths = new int[] {random.nextInt(2900, 3500)};
        }
        int zone = random.nextInt(1 + random.nextInt(ZONES));
        int index = random.nextInt(4) == 0 ? LAST_OF_ZONE : random.nextInt(10);
        long cid = (long) Ledger.OWNER << 48 | (long) zone << 20 | index;
        int[] bytes = new int[lengths.length];
        boolean[] isOfBytes = new boolean[lengths.length];
        for (int i = 0; i < lengths.length; i++) {
            isOfBytes[i] = last.containsKey(cid + i) && random.nextBoolean();
            bytes[i] = isOfBytes[i] ? ChangedBytes.HEAD_BYTES + ChangedBytes.partBytes(0, 3) : lengths[i];
        }
        long position = parts.buffer().claim(Ledger.entriesBytes(bytes));
        claimed = position;
        List<Draft> drafts = new ArrayList<>();
        long at = parts.buffer().firstEntry(position);
        for (int i = 0; i < lengths.length; i++) {
            Draft draft = isOfBytes[i] ? change(cid + i, last.get(cid + i)) : put(cid + i, position, lengths[i]);
            at = parts.buffer().entry(at, draft.cid, position, Ledger.OWNER, Ledger.zone(draft.cid), draft.kind,
                draft.payload.length);
            MemorySegment.copy(MemorySegment.ofArray(draft.payload), 0, parts.buffer().memory(), at,
                draft.payload.length);
            at += draft.payload.length;
            last.remove(draft.cid);
            drafts.add(draft);
        }
        if (staysOpen) {
            openRecord = position;
            openDrafts = drafts;
        } else {
            commit(position, drafts, isGroup);
        }
    }

    private static Draft put(long cid, long position, int length) {
        byte[] content = Ledger.content(position, cid, length).toArray(ValueLayout.JAVA_BYTE);
        return new Draft(cid, EntryKind.PUT, content, content);
    }

    /** Draws three changed bytes, and another length. */
    private Draft change(long cid, Last before) {
        byte[] state = Arrays.copyOf(before.state, random.nextInt(3, 100));
        byte[] part = {(byte) random.nextInt(), (byte) random.nextInt(), (byte) random.nextInt()};
        System.arraycopy(part, 0, state, 0, part.length);
        byte[] payload = new byte[ChangedBytes.HEAD_BYTES + ChangedBytes.partBytes(0, part.length)];
        MemorySegment target = MemorySegment.ofArray(payload);
        long at = ChangedBytes.writePart(target, ChangedBytes.writeHead(target, 0, before.number, state.length), 0,
            part.length);
        System.arraycopy(part, 0, payload, (int) at, part.length);
        bytesCount++;
        return new Draft(cid, EntryKind.BYTES, payload, state);
    }

    private void commit(long position, List<Draft> drafts, boolean isGroup) {
        List<Ledger.Entry> entries = new ArrayList<>();
        for (Draft it : drafts) {
            int zone = Ledger.zone(it.cid);
            entries.add(new Ledger.Entry(it.cid, position, zone, it.kind, it.payload.length));
            possible.add(new Ledger.Entry(it.cid, position, zone, EntryKind.PUT, it.state.length));     // if cleaned
            states.put(new Ledger.State(it.cid, position), it.state);
            last.put(it.cid, new Last(position, it.state));
        }
        possible.addAll(entries);
        parts.buffer().commit(position, isGroup);
        committed.add(new Written(position, isGroup, entries));
    }

    private void endOpenRecord() {
        if (openRecord >= 0) {
            if (random.nextBoolean()) {
                parts.buffer().abandon(openRecord);
            } else {
                commit(openRecord, openDrafts, true);
            }
            openRecord = -1;
        }
    }

    private boolean drain() throws IOException {
        Drainer.Result result = parts.drainer().drain();
        if (result == Drainer.Result.FULL) {
            fullCount++;
            checkpoint();
            result = parts.drainer().drain();
        }
        return result == Drainer.Result.DONE;
    }

    /** Ends like a killed process: committed records stay. */
    private void die() throws IOException {
        openRecord = -1;
        parts.close();
        disk.kill();
    }

    private boolean end() throws IOException {
        endOpenRecord();
        parts.buffer().stop(null);
        if (!drain()) {
            return false;
        }
        assertEquals(parts.buffer().tail(), parts.buffer().drained());
        note();
        retry(() -> parts.drainer().end());
        parts.close();
        return true;
    }

    private void reopen() throws IOException {
        last.clear();                                           // as the store does
        retry(() -> parts = open(disk, config));
        assertTrue(parts.buffer().tail() >= claimed + config.bufferBytes());
        assertEquals(List.of(), parts.damage());
    }

    private void retry(LogFailure.Step step) throws IOException {
        try {
            step.run();
        } catch (DiskFullException _) {
            fullCount++;
            step.run();
        }
    }

    private void note() {
        if (parts != null) {
            synced = Math.max(synced, parts.buffer().drained());
        }
    }

    /** Laps the ring with records that all skip the primary log, and dies. */
    void playLapsWithoutGroups(int laps) throws IOException {
        reopen();
        long end = parts.buffer().tail() + (long) laps * config.bufferBytes();
        while (parts.buffer().tail() < end) {
            write(false, false);
            assertTrue(drain());
        }
        parts.close();
    }

    /** Fills two files of the primary log, and dies. */
    void playAndDie() throws IOException {
        reopen();
        while (!disk.list(FOLDER).contains("primary-1")) {
            write(false, true);
            assertTrue(drain());
        }
        parts.close();
    }

    // ---- checking images ----

    /** Checks an image of the current state. */
    void look(FaultDisk image, boolean isKill, boolean goesOn) throws IOException {
        note();
        OpenLog found = open(image, config);
        check(found, isKill);
        if (goesOn) {
            long more = Ledger.write(found.buffer(), true, (long) Ledger.OWNER << 48 | 5L << 20, 17, 18);
            assertEquals(Drainer.Result.DONE, found.drainer().drain());
            found.close();
            image.kill();                                       // what is stored to memory is the kernel's
            OpenLog again = open(image, config);
            Ledger ledger = check(again, isKill);
            assertEquals(2, ledger.entries.stream().filter(it -> it.sequence() == more).count());
            again.buffer().stop(null);
            again.drainer().end();
            again.close();
        } else {
            found.close();
        }
    }

    private Ledger check(OpenLog found, boolean isKill) throws IOException {
        assertTrue(found.buffer().tail() >= claimed + config.bufferBytes(), () -> "positions from "
            + found.buffer().tail() + ", claimed were " + claimed);
        Ledger ledger = new Ledger(states);
        for (ZoneId zone : found.zones()) {
            assertEquals(List.of(), Ledger.read(found, zone, ledger));
        }
        Set<Ledger.Entry> entries = new HashSet<>(ledger.entries);
        Map<Long, Long> newest = new HashMap<>();
        entries.stream().filter(ledger::isWhole)
            .forEach(entry -> newest.merge(entry.cid(), entry.sequence(), Math::max));
        Predicate<Ledger.Entry> isThere = entry -> entries.contains(entry) && ledger.isWhole(entry)
            || config.cleanPercent() > 0 && newest.getOrDefault(entry.cid(), 0L) >= entry.sequence();
        for (Ledger.Entry entry : entries) {
            assertTrue(possible.contains(entry) || entry.zone() == 5, () -> "invented " + entry);
        }
        for (Written written : committed) {
            boolean must = isKill || written.position() < synced;
            boolean has = must || written.isGroup() && written.entries().stream().anyMatch(entries::contains);
            if (has) {
                assertTrue(written.entries().stream().allMatch(isThere), () -> (must ? "lost " : "torn ") + written
                    + ", synced " + synced);
            }
        }
        return ledger;
    }
}
