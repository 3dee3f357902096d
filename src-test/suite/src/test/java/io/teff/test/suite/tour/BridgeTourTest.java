package io.teff.test.suite.tour;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.stream.Stream;

/** Every program on the pages of the bridges compiles, runs without a flag or a warning, and prints what is said. */
final class BridgeTourTest {
    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicTest> jcache_everyProgram_runs() {
        return TourRun.with(folder, ".*[/\\\\](engine|jcache)[/\\\\]target[/\\\\].*|.*[/\\\\]cache-api-[^/\\\\]*")
                .programsOf("docs/bridges/jcache.md");
    }
}
