package io.teff.recovery.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.os.Platform;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.format.ChainLink;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.FrameWriter;
import io.teff.recovery.format.RingRecord;
import io.teff.recovery.format.ZoneId;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Goal: entries that must be in a frame before others build on them do not skip the primary log, however large. */
final class DrainRoundTest {
    private static final ZoneId ZONE = new ZoneId(Ledger.OWNER, 1);

    @ParameterizedTest
    @CsvSource({"1, false, true", "1, true, false", "2, false, true", "5, false, false", "6, false, false"})
    void skipping_isForSinglePutsAlone(int kind, boolean group, boolean skips) throws IOException {
        WriteBuffer buffer = WriteBuffer.open(Platform.SYSTEM.withDisk(new FaultDisk()), FaultDisk.ROOT, Ledger.LOG,
            1 << 14, 1 << 15, () -> { });
        int length = ChainLink.HEAD_BYTES + 9;
        long record = buffer.claim(RingRecord.ENTRY_BYTES + length);
        long cid = (long) Ledger.OWNER << 48 | 1 << 20;
        long at = buffer.entry(buffer.firstEntry(record), cid, record, Ledger.OWNER, 1, kind, length);
        if (kind >= EntryKind.LINK) {
            ChainLink.writeHead(buffer.memory(), at, 0, 9);
        }
        buffer.commit(record, group);
        DrainRound batch = new DrainRound(buffer.scan(), 0);
        batch.take(buffer.drained(), buffer.tail(), 1 << 13);
        assertEquals(skips ? List.of(ZONE) : List.of(), batch.skipping());
        MemorySegment frame = Arena.ofAuto().allocate(1 << 13);
        int bytes = batch.copyTo(frame);
        assertEquals(skips ? 0 : RingRecord.bytes(RingRecord.ENTRY_BYTES + length), bytes);
        assertTrue(bytes < frame.byteSize() - FrameWriter.HEAD_BYTES);
    }
}
