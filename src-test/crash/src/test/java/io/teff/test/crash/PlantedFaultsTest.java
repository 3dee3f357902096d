package io.teff.test.crash;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Form;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Goal: the lane fails for each kind of fault. Method: a child with a planted fault, killed until the fault is found.
 */
@Tag("processes")
final class PlantedFaultsTest {
    private static final int KILLS = 60;
    /** Long enough for a child that is slow; only the plants that hang wait for less. */
    private static final int HANG_SECONDS = 60;
    private static final int STALL_SECONDS = Form.size(5, 5, 20);

    /** Less than the time after which the log fails by itself. */
    private static final int STACK_SECONDS = 5;

    @TempDir
    private Path folder;

    /**
     * In the gate one plant, which is found quickly. In the full form one of two plants of a kind: a forgotten removal
     * is a forgotten change, a stall is a hang; and none that takes most of the kills to be found.
     */
    static Stream<Plant> plants() {
        if (!Form.isFull()) {
            return Stream.of(Plant.TORN);
        }
        Set<Plant> leftOut = Form.isLong() ? Set.of(Plant.NONE)
            : Set.of(Plant.NONE, Plant.REVIVE, Plant.ACCEPTING, Plant.STALL, Plant.GROWING, Plant.UNINTERRUPTED);
        return Stream.of(Plant.values()).filter(plant -> !leftOut.contains(plant));
    }

    @ParameterizedTest
    @MethodSource("plants")
    void plantedFault_isFound(Plant plant) throws IOException, InterruptedException {
        boolean isOfStacks = plant == Plant.UNENDED;
        int hangSeconds = isOfStacks ? STACK_SECONDS
            : plant == Plant.STALL || plant == Plant.BLIND || plant == Plant.FAT ? STALL_SECONDS : HANG_SECONDS;
        boolean isOfFiles = plant == Plant.ACCEPTING || plant == Plant.BLIND;
        CrashReport report = CrashRun.run(new CrashPlan(1, isOfFiles || isOfStacks ? 0 : KILLS, 0, 0, 0,
            isOfFiles ? KILLS : 0, isOfStacks ? KILLS : 0, folder, hangSeconds, plant), _ -> { });
        assertFalse(report.isGood(), plant::toString);
        List<Wrong.Kind> found = report.wrongs().stream().map(Wrong::kind).toList();
        assertTrue(found.stream().anyMatch(expected(plant)::contains), () -> plant + ": " + report.wrongs());
    }

    private static Set<Wrong.Kind> expected(Plant plant) {
        return switch (plant) {
            case NONE -> Set.of();
            // a lost removal revives its chunk
            case EARLY, FORGET -> Set.of(Wrong.Kind.LOST, Wrong.Kind.REVIVED, Wrong.Kind.AUDIT);
            case REVIVE -> Set.of(Wrong.Kind.REVIVED, Wrong.Kind.AUDIT);
            case TORN -> Set.of(Wrong.Kind.TORN, Wrong.Kind.AUDIT);
            case UNINTERRUPTED -> Set.of(Wrong.Kind.AUDIT);
            case STALL, BLIND -> Set.of(Wrong.Kind.HANG);
            case UNENDED -> Set.of(Wrong.Kind.HANG, Wrong.Kind.AUDIT);  // the log fails after a while
            case ACCEPTING -> Set.of(Wrong.Kind.LOST, Wrong.Kind.REVIVED, Wrong.Kind.TORN, Wrong.Kind.REISSUED,
                Wrong.Kind.AUDIT);
            // a heap that is almost full collects garbage without end
            case FAT -> Set.of(Wrong.Kind.DIED, Wrong.Kind.AUDIT, Wrong.Kind.HANG);
            case GROWING -> Set.of(Wrong.Kind.FOLDER);
        };
    }
}
