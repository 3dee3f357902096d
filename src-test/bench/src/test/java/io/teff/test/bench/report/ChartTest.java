package io.teff.test.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.teff.test.bench.session.SessionProcess.Outcome;
import io.teff.test.bench.store.StoreKind;
import io.teff.test.bench.store.Values;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the set of pictures, and that they are readable. */
final class ChartTest {
    @TempDir
    private Path folder;

    @Test
    void write_figuresOfOneAndTwoThreads_makesThreePictures() throws IOException {
        Chart.write(Sample.comparison(), folder);
        assertEquals(List.of("1000000x16-64-bytes.png", "1000000x16-64-threads-1.png", "1000000x16-64-threads-2.png"),
            pictures());
    }

    @Test
    void write_nothingButFailures_makesOnePicture() throws IOException {
        Comparison failed = new Comparison(1000, new Values(32, 32), 1);
        failed.add(StoreKind.CHM, new Outcome(Map.of(), "failed with exit code 1, see log"));
        Chart.write(failed, folder);
        assertEquals(List.of("1000x32-bytes.png"), pictures());
    }

    /** Returns the names of all files, each of which can be read and is of the right size. */
    private List<String> pictures() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> all = files.sorted().toList();
            for (Path file : all) {
                BufferedImage image = ImageIO.read(file.toFile());
                assertNotNull(image, file::toString);
                assertEquals(List.of(1400, 700), List.of(image.getWidth(), image.getHeight()));
            }
            return all.stream().map(file -> file.getFileName().toString()).toList();
        }
    }
}
