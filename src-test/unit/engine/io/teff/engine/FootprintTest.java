package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.memory.Memory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: a chunk costs what the documentation says, and the store accounts for what the process really uses.
 *
 * <p>Method: 10 million chunks in a child JVM whose heap is touched in advance, in the memory mode of this JVM.
 */
@Tag("modes")
final class FootprintTest {
    private static final int CHUNKS = 10_000_000;
    private static final double FIXED_MAX = 9.0;
    private static final double UNIFORM_MAX = 10.5;
    private static final double ACCOUNTING_MAX = 0.02;

    @Test
    void tenMillionOf32Bytes_costAtMost9BytesEach() throws InterruptedException {
        check("32 B", FIXED_MAX, 32, 32);
    }

    @Test
    void tenMillionOf1To128Bytes_costAtMost10AndAHalfBytesEach() throws InterruptedException {
        check("1 to 128 B", UNIFORM_MAX, 1, 128);
    }

    private static void check(String what, double overheadMax, int lengthMin, int lengthMax) throws InterruptedException {
        List<String> flags = new ArrayList<>(List.of("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch",
            "-XX:+UseSerialGC"));
        if (Memory.RESERVED) {
            flags.add(ChildJvm.NATIVE);
        }
        flags.addAll(List.of("--", "" + CHUNKS, "" + lengthMin, "" + lengthMax));
        ChildJvm.Result result = ChildJvm.run(FootprintMain.class, flags.toArray(String[]::new));
        assertEquals(0, result.exitCode(), result.output());
        double[] figures = Arrays.stream(result.output().strip().split(" ")).mapToDouble(Double::parseDouble).toArray();
        double difference = (figures[2] - figures[3]) / figures[3];
        System.out.printf("footprint %s, %s: %.3f B per chunk beyond the payload (table %.3f, waste %.3f, free %.3f); "
            + "accounted %.1f MiB, resident set grew by %.1f MiB, difference %.2f %%%n", what,
            Memory.RESERVED ? "reserved" : "blocks", figures[1], figures[6] / CHUNKS, figures[4] / CHUNKS,
            figures[5] / CHUNKS, figures[2] / (1 << 20), figures[3] / (1 << 20), difference * 100);
        assertEquals(CHUNKS, figures[0]);
        assertTrue(figures[1] <= overheadMax, () -> figures[1] + " B per chunk, more than " + overheadMax);
        assertTrue(Math.abs(difference) <= ACCOUNTING_MAX, () -> "accounted bytes are off by " + difference);
    }
}
