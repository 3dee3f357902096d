package io.teff.recovery.log;

import io.teff.engine.journal.ChangedBytes;
import io.teff.engine.os.Threads;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.disk.FaultDisk.Call;
import io.teff.recovery.disk.FaultDisk.Fault;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.clean.CleanJob;
import io.teff.recovery.log.clean.Cleaning;
import io.teff.recovery.log.file.LogFolder;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static io.teff.test.kit.Threads.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: a cleaning that ends because the log is closed is not a failure and leaves nothing behind; one that fails is
 * reported.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CleaningTest {
    private static final ZoneId ZONE = new ZoneId(Ledger.OWNER, 0);

    @TempDir
    private Path temporary;

    private final FaultDisk disk = new FaultDisk();
    private OpenLog parts;
    private volatile boolean isDropped;

    @BeforeEach
    void makeZone() throws IOException {
        parts = LogScript.open(disk, LogCrashTest.CLEANING);
        for (int i = 0; i < 100; i++) {
            Ledger.write(parts.buffer(), false, (long) Ledger.OWNER << 48 | i % 20, 700);
            assertEquals(Drainer.Result.DONE, parts.drainer().drain());
        }
        parts.secondary().seal();
    }

    /** Runs a cleaning on the cleaning thread; returns its events. */
    private List<RecordedEvent> clean(Cleaning.Target target) throws IOException {
        Path file = temporary.resolve("events.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("io.teff.LogFailure").withoutStackTrace();
            recording.enable("io.teff.ZoneClean").withoutStackTrace();
            recording.start();
            Cleaning cleaning = new Cleaning(parts.cleaner(), target);
            cleaning.start(Threads.SYSTEM, "cleaning");
            cleaning.begin(parts.secondary().toClean(ZONE));
            await("the end of the cleaning", cleaning::isIdle);
            cleaning.end(null);
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
            .filter(it -> it.getEventType().getName().startsWith("io.teff")).toList();
    }

    /** Runs a cleaning that fails; returns the reported failures. */
    private List<String> failures() throws IOException {
        List<CleanJob.Result> results = new ArrayList<>();
        List<RecordedEvent> events = clean(results::add);
        assertEquals(List.of(), results.getFirst().gone());
        return events.stream().filter(it -> it.hasField("message")).map(it -> it.getString("message")).toList();
    }

    @Test
    void cleaning_thatIsStopped_isNoFailure() throws IOException {
        int files = disk.list(LogScript.FOLDER.resolve(LogFolder.SEGMENTS)).size();
        long created = disk.calls(Call.CREATE);
        disk.beforeEachCall(() -> {
            if (disk.calls(Call.CREATE) > created) {
                parts.cleaner().stop();                         // while it copies
            }
        });
        assertEquals(List.of(), failures());
        assertEquals(created + 1, disk.calls(Call.CREATE));
        assertEquals(files, disk.list(LogScript.FOLDER.resolve(LogFolder.SEGMENTS)).size());
        parts.close();
    }

    @Test
    void cleaning_thatFindsNoRoom_isTold() throws IOException {
        disk.fail(Call.CREATE, 0, Fault.FULL);
        List<String> failures = failures();
        assertEquals(1, failures.size(), failures::toString);
        assertTrue(failures.getFirst().contains("planned"), failures::toString);
        parts.close();
    }

    @Test
    void cleaning_isTold() throws IOException {
        List<RecordedEvent> told = clean(parts.secondary()::cleaned);
        assertEquals(List.of("io.teff.ZoneClean"), told.stream().map(it -> it.getEventType().getName()).toList());
        assertTrue(told.getFirst().getLong("freedBytes") > 0, told::toString);
        parts.close();
    }

    /** A dropped zone causes no report, whatever its cleaning has met. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void cleaning_ofAZoneThatIsDropped_isNotTold(boolean isKnown) throws IOException {
        if (!isKnown) {
            disk.fail(Call.OPEN, 0, Fault.BROKEN);
        }
        assertEquals(List.of(), clean(result -> dropThenClean(result, isKnown)));
        assertTrue(isDropped);
        parts.close();
    }

    private boolean dropThenClean(CleanJob.Result result, boolean isKnown) throws IOException {
        assertEquals(isKnown, result.isKnown());
        disk.heal();
        parts.secondary().drop(ZONE);
        isDropped = true;
        return parts.secondary().cleaned(result);
    }

    /** Memory is short when the result is reported: the next zone is cleaned nevertheless. */
    @Test
    void cleaning_whoseResultCannotBeTold_isNotTheLast() throws IOException {
        AtomicInteger told = new AtomicInteger();
        CompletableFuture<CleanJob.Result> second = new CompletableFuture<>();
        Cleaning cleaning = new Cleaning(parts.cleaner(), result -> {
            if (told.getAndIncrement() == 0) {
                throw new OutOfMemoryError("planned");
            }
            return second.complete(result);
        });
        cleaning.start(Threads.SYSTEM, "cleaning");
        cleaning.begin(parts.secondary().toClean(ZONE));
        await("the end of the cleaning", cleaning::isIdle);
        cleaning.begin(parts.secondary().toClean(ZONE));
        assertTrue(second.join().hasChanged());
        cleaning.end(null);
        parts.close();
    }

    private long change(long cid, long before, byte value) {
        byte[] payload = new byte[ChangedBytes.HEAD_BYTES + ChangedBytes.partBytes(5, 1)];
        MemorySegment target = MemorySegment.ofArray(payload);
        long at = ChangedBytes.writePart(target, ChangedBytes.writeHead(target, 0, before, 700), 5, 1);
        payload[(int) at] = value;
        long record = parts.buffer().claim(Ledger.entriesBytes(payload.length));
        long entry = parts.buffer().entry(parts.buffer().firstEntry(record), cid, record, Ledger.OWNER,
            Ledger.zone(cid), EntryKind.BYTES, payload.length);
        MemorySegment.copy(target, 0, parts.buffer().memory(), entry, payload.length);
        parts.buffer().commit(record, false);
        return record;
    }

    /** Of a chunk whose entries are all copied, one entry with the newest state is left, with the newest number. */
    @Test
    void bytesOfAChunk_areMergedWithTheWholeChunk() throws IOException {
        long cid = (long) Ledger.OWNER << 48 | 7;
        long number = Ledger.write(parts.buffer(), false, cid, 700);
        byte[] state = Ledger.content(number, cid, 700).toArray(ValueLayout.JAVA_BYTE);
        for (int i = 0; i < 40; i++) {
            number = change(cid, number, (byte) i);
            Ledger.write(parts.buffer(), false, (long) Ledger.OWNER << 48 | i % 5, 700);
            assertEquals(Drainer.Result.DONE, parts.drainer().drain());
        }
        state[5] = 39;
        parts.secondary().seal();
        Ledger before = new Ledger();
        Ledger.read(parts, ZONE, before);
        assertEquals(40, before.entries.stream().filter(it -> it.kind() == EntryKind.BYTES).count());
        clean(result -> parts.secondary().cleaned(result));
        Ledger after = new Ledger(Map.of(new Ledger.State(cid, number), state));
        assertEquals(List.of(), Ledger.read(parts, ZONE, after));
        List<Ledger.Entry> left = after.entries.stream().filter(it -> it.cid() == cid).toList();
        assertEquals(List.of(new Ledger.Entry(cid, number, 0, EntryKind.PUT, 700)), left);
    }
}
