package io.teff.test.bench.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each shape gives every figure of its table, and no wrong answer; a restart with lost entries is detected. */
@FullTier("Durable stores are killed and opened again, one of the tests with runs, which take most of the 379 s "
    + "of this lane. DurableFiguresTest has the figures.")
final class DurableTrialTest {
    @TempDir
    private Path folder;

    private DurablePlan plan(DurableShape shape, DurableStep step) {
        return KeeperTest.plan(DurableKind.TEFF, shape, step, folder);
    }

    @ParameterizedTest
    @EnumSource(names = {"RESTART", "ZONES"}, mode = EnumSource.Mode.EXCLUDE)
    void run_fewEntries_hasEveryFigureOfItsTable(DurableShape shape) throws IOException, InterruptedException {
        Map<String, Object> figures = plan(shape, DurableStep.MEASURE).trial().run();
        assertTrue(figures.keySet().containsAll(shape.columns()), figures::toString);
        figures.forEach((name, value) -> {
            double number = (Double) value;
            // Few entries are lost in the noise of the process.
            assertTrue(name.equals("B memory") ? Double.isFinite(number) : number > 0, () -> name + " is " + value);
        });
        assertEquals(List.of(), List.of(folder.toFile().list()), "nothing is left");
    }

    @Test
    void run_fewZones_hasTheirFigures() throws IOException, InterruptedException {
        Map<String, Object> figures = new ZonesTrial(plan(DurableShape.ZONES, DurableStep.MEASURE), 1, 8).run();
        Set<String> expected = DurableShape.ZONES.columns().stream()
            .filter(name -> name.startsWith("1 ") || name.startsWith("8 ") || name.equals(Zoned.MEMORY_PER_ZONE))
            .collect(Collectors.toSet());
        assertEquals(expected, figures.keySet());
        // The heap of this process may grow or shrink by itself.
        figures.forEach((name, value) -> assertTrue(name.contains("MB") ? Double.isFinite((Double) value)
            : (Double) value > 0, () -> name + " is " + value));
    }

    @Test
    void run_fillAndReopen_hasEveryFigure() throws IOException, InterruptedException {
        plan(DurableShape.RESTART, DurableStep.FILL).trial().run();
        Map<String, Object> figures = plan(DurableShape.RESTART, DurableStep.REOPEN).trial().run();
        figures.putAll(plan(DurableShape.RESTART, DurableStep.REOPEN_KILLED).trial().run());
        assertTrue(figures.keySet().containsAll(DurableShape.RESTART.columns()), figures::toString);
        assertEquals(0.0, figures.get("killed lost"));
        assertEquals(List.of("opened M/s", "plain s", "plain/opened"), figures.keySet().stream()
            .filter(name -> !name.startsWith("killed") && !DurableShape.RESTART.columns().contains(name)).toList());
    }

    @Test
    void run_reopenOfFewerEntries_isAWrongAnswer() throws IOException, InterruptedException {
        plan(DurableShape.RESTART, DurableStep.FILL).trial().run();
        Path first = plan(DurableShape.RESTART, DurableStep.REOPEN).firstFile();
        Files.writeString(first, "" + (Long.parseLong(Files.readString(first)) + 1));
        String message = assertThrows(IllegalStateException.class,
            () -> plan(DurableShape.RESTART, DurableStep.REOPEN).trial().run()).getMessage();
        assertEquals("a wrong answer: entries are missing or wrong: " + 2000 / Filling.GROUP * Filling.GROUP, message);
    }

    @Test
    void columns_allShapes_areDifferentFigures() {
        Set<String> all = new HashSet<>();
        for (DurableShape shape : DurableShape.values()) {
            for (String column : shape.columns()) {
                assertTrue(all.add(column), column);
            }
        }
    }

    @Test
    void isWhole_eachByteFlipped_isNotWhole() {
        byte[] value = new byte[Values.BYTES];
        Values.write(value, 0, Values.BYTES, 17, 3);
        assertTrue(Values.isWhole(value, Values.BYTES, 17));
        for (int i = 0; i < value.length; i++) {
            value[i] ^= 1;
            int at = i;
            assertTrue(!Values.isWhole(value, Values.BYTES, 17), () -> "byte " + at);
            value[i] ^= 1;
        }
    }
}
