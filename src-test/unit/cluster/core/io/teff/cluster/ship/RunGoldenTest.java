package io.teff.cluster.ship;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.ship.RunAnswer.Kind;
import io.teff.cluster.zone.Run;
import io.teff.cluster.zone.ZoneNumber;
import io.teff.engine.Cid;
import io.teff.engine.journal.Journal;
import io.teff.recovery.backup.RunReader;
import io.teff.recovery.backup.RunWriter;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The bytes of runs and their answers are those of the golden file. */
class RunGoldenTest {
    private static final int ZONE = 5;
    private static final long NUMBER = ZoneNumber.of(3, 7);
    private static final Run RUN = new Run(ZONE, 1, 3, NUMBER, 1);
    private static final Run QUESTION = new Run(ZONE, 1, 3, NUMBER + 1, 0);
    private static final byte[] CONTENT = {1, 2, 3, 4, 5, 6, 7, 8};
    private static final RunAnswer ANSWER = new RunAnswer(Kind.ACKNOWLEDGED, ZONE, 1, 3, new NodeRef(17, 4), 9, NUMBER,
        NUMBER - 1);

    /** Returns the byte sequences of the file, which are separated by comments. */
    private static List<byte[]> golden() throws IOException {
        try (InputStream in = Objects.requireNonNull(RunGoldenTest.class.getResourceAsStream("golden/runs-v3.hex"))) {
            List<byte[]> all = new ArrayList<>();
            StringBuilder hex = new StringBuilder();
            for (String line : (new String(in.readAllBytes(), StandardCharsets.UTF_8) + "#").split("\n")) {
                if (!line.startsWith("#")) {
                    hex.append(line.replace(" ", ""));
                } else if (!hex.isEmpty()) {
                    all.add(HexFormat.of().parseHex(hex));
                    hex.setLength(0);
                }
            }
            return all;
        }
    }

    @Test
    void run_ofTheGoldenFile_isWrittenAndRead() throws IOException {
        byte[] golden = golden().get(0);
        MemorySegment memory = MemorySegment.ofArray(new byte[golden.length]);
        long content = RunWriter.entry(memory, RunWriter.begin(RunMessage.HEAD_BYTES), Cid.of(ZONE, 6), Journal.PUT,
            CONTENT.length, 0);
        MemorySegment.copy(MemorySegment.ofArray(CONTENT), 0, memory, content, CONTENT.length);
        long end = RunWriter.end(memory, RunMessage.HEAD_BYTES, NUMBER, 1, RunWriter.next(content, CONTENT.length));
        assertEquals(golden.length, end);
        RunMessage.write(memory, 0, RUN, 9, 4, true, (int) end - RunMessage.HEAD_BYTES,
            RunMessage.recordsSum(memory, RunMessage.HEAD_BYTES, end - RunMessage.HEAD_BYTES));
        assertArrayEquals(golden, (byte[]) memory.heapBase().orElseThrow());
        assertTrue(RunMessage.isIntact(memory, 0, end) && RunMessage.isValid(memory, 0, end)
            && RunMessage.hasIntactRecords(memory, 0) && RunMessage.isSynced(memory, 0));
        assertEquals(RUN, RunMessage.run(memory, 0));
        assertEquals(new NodeRef(17, 9), RunMessage.owner(memory, 0, 17));
        assertEquals(4, RunMessage.backupIncarnation(memory, 0));
        assertNull(new RunReader().check(memory, RunMessage.HEAD_BYTES, end - RunMessage.HEAD_BYTES, ZONE));
    }

    @Test
    void question_ofTheGoldenFile_isWritten() throws IOException {
        byte[] bytes = new byte[RunMessage.HEAD_BYTES];
        RunMessage.write(MemorySegment.ofArray(bytes), 0, QUESTION, 9, 4, false, 0, 0);
        assertArrayEquals(golden().get(1), bytes);
        assertTrue(RunMessage.isValid(MemorySegment.ofArray(bytes), 0, bytes.length));
    }

    @Test
    void answer_ofTheGoldenFile_isWrittenAndRead() throws IOException {
        byte[] bytes = new byte[RunAnswer.BYTES];
        ANSWER.write(MemorySegment.ofArray(bytes), 0);
        assertArrayEquals(golden().get(2), bytes);
        assertTrue(RunAnswer.isValid(MemorySegment.ofArray(bytes), 0, bytes.length));
        assertEquals(ANSWER, RunAnswer.read(MemorySegment.ofArray(bytes), 0, 17));
    }
}
