package io.teff.test.bench.durable;

import static io.teff.test.bench.durable.DurableKind.LMDB;
import static io.teff.test.bench.durable.DurableKind.ROCKSDB;
import static io.teff.test.bench.durable.DurableKind.TEFF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.report.Sample;
import io.teff.test.bench.session.SessionProcess.Outcome;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of the reports of stores on a disk. */
final class DurableFiguresTest {
    private static DurableFigures figures() {
        DurableFigures figures = new DurableFigures("ext4", 5000, 2);
        for (double factor : new double[] {1, 2}) {
            figures.add(TEFF, new Outcome(Map.of("synced 16/s", 3000 * factor, "synced 16/raw", 0.75, "put 1", 4.0,
                "batch 1", 3.0, "512 B/raw", 0.8, "zipf", 0.5, "opened M/s", 5.0, "plain/opened", 0.5), null));
            figures.add(ROCKSDB, new Outcome(Map.of("synced 16/s", 1000 * factor, "put 1", 1.0), null));
            figures.add(LMDB, new Outcome(Map.of("synced 16/s", 2500 * factor), null));
        }
        return figures;
    }

    @Test
    void bars_allThatIsAsked_areMetOrNot() {
        assertEquals(List.of("SYNCED puts by 16 / the best other's 1.2 true",
            "SYNCED puts by 16 / (16 x syncs of a page) 0.75 false", "LOGGED put 1 / RocksDB 4.0 true",
            "LOGGED in batches by one thread, M/s 3.0 true", "new chunks of 512 B / bandwidth of the disk 0.8 true",
            "updates beside cleaning, zipf, M/s 0.5 false", "restored after a close, M/s 5.0 true",
            "restored after a close / read and checksum 0.5 false"),
            DurableBars.of(figures()).stream().map(bar -> bar.name() + " " + bar.value() + " " + bar.isMet()).toList());
    }

    @Test
    void table_threeStores_hasTheShapesThatWereMeasured() {
        List<String> lines = figures().table(Sample.MACHINE).lines().toList();
        assertTrue(lines.contains("ext4, 5,000 entries, median of 2 rounds"), lines::toString);
        assertFalse(lines.stream().anyMatch(line -> line.startsWith(DurableShape.SPACE.title())), lines::toString);
        assertEquals(List.of("LMDB - - - 3750 -", "LMDB - - - 33.3 -", "LMDB - - - 1.20 -"),
            lines.stream().filter(line -> line.startsWith("LMDB")).map(line -> line.replaceAll(" +", " ")).toList());
        assertEquals("restored after a close / read and checksum 0.50 at least 0.6: MISSED",
            lines.getLast().replaceAll(" +", " "));
    }

    @Test
    void json_threeStores_hasFiguresRatiosAndBars() throws IOException {
        DurableFigures figures = figures();
        figures.add(DurableKind.MAPDB, new Outcome(Map.of(), "failed with exit code 1, see log"));
        Map<String, Object> document = JSON.std.mapFrom(figures.json(Sample.MACHINE));
        assertEquals(List.of("machine", "flags of all", "flags", "fileSystem", "entries", "rounds", "figures", "ratios",
            "bars", "failures"), List.copyOf(document.keySet()));
        assertEquals(Set.of("rocksdb", "lmdb"), ((Map<?, ?>) document.get("ratios")).keySet());
        assertEquals(Map.of("mapdb", "failed with exit code 1, see log"), document.get("failures"));
        assertEquals(8, ((List<?>) document.get("bars")).size());
        assertFalse(figures.isComplete());
    }
}
