package io.teff.test.rules.tour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.rules.Repository;
import io.teff.test.rules.tour.Tour.Program;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every program in the pages of the bridges runs with the bridge's class path and with the flags of its page only. */
@Tag("processes")
final class BridgePagesTest {
    private static final String ENGINE = "engine";
    private static final String JCACHE = "examples/bridges/jcache";
    private static final Pattern FLAG = Pattern.compile("(?<![\\w-])-(?:-[a-z-]+=[\\w./=-]+|D[\\w.]+=\\w+)");

    @TempDir
    private Path folder;

    /** A page of a bridge, and where its module is. */
    private record Page(String name, String module) {
        String text() {
            return Repository.read(Path.of("docs/bridges", name));
        }

        List<Program> programs() {
            return Tour.programs(text());
        }

        /**
         * Returns the flags with which the page starts its programs; a page that states that there are none has others
         * only as advice.
         */
        List<String> flags() {
            return text().contains("**Flags**: none") || module.equals(ENGINE) ? List.of() : flagsIn(text());
        }
    }

    private static final List<Page> PAGES = List.of(
            new Page("agrona.md", "examples/bridges/agrona"),
            new Page("chronicle-bytes.md", "examples/bridges/chronicle-bytes"),
            new Page("micrometer.md", "examples/bridges/micrometer"),
            new Page("jcache.md", JCACHE),
            new Page("kafka-streams.md", "examples/bridges/kafka-streams"),
            new Page("spring.md", "examples/bridges/spring"),
            new Page("moving.md", ENGINE));

    @TestFactory
    Stream<DynamicTest> pages_everyProgram_runs() {
        return PAGES.stream().flatMap(page -> {
            assertFalse(page.programs().isEmpty(), page.name() + " has no program");
            return page.programs().stream().map(program -> DynamicTest.dynamicTest(
                    page.name() + " " + program.className(), () -> run(page, program)));
        });
    }

    @Test
    void flags_ofAPage_areAllThatItNames() {
        assertEquals(List.of("--add-opens=java.base/java.lang.reflect=ALL-UNNAMED", "-Da.b=true", "--some=allow"),
                flagsIn("`--add-opens=java.base/java.lang.reflect=ALL-UNNAMED` a-Db=c `-Da.b=true`, --some=allow x--y=z"
                        + " again --some=allow"));
    }

    @Test
    void flags_ofChronicle_areThoseThatItsBridgeNames() {
        Page chronicle = PAGES.get(1);
        String source = Repository.read(Path.of(chronicle.module(),
                "src/main/java/io/teff/bridge/chronicle/ChronicleFlags.java"));
        List<String> named = flagsIn(source);
        assertEquals(5, named.size(), named.toString());
        assertTrue(chronicle.flags().containsAll(named), () -> named + " in " + chronicle.flags());
    }

    private static List<String> flagsIn(String text) {
        return FLAG.matcher(text).results().map(MatchResult::group).distinct().toList();
    }

    private void run(Page page, Program program) throws Exception {
        boolean isCache = program.source().contains("import javax.cache.");
        String module = isCache ? JCACHE : page.module();
        TourRun.check(program, folder.resolve(page.name()), classPath(module), page.flags());
    }

    /** Returns the class path of a project that depends on a module, as recorded by the build. */
    private static String classPath(String module) throws Exception {
        Path target = Repository.root().resolve(module).resolve("target");
        String classes = target.resolve("classes").toString();
        Path dependencies = target.resolve("classpath.txt");
        return module.equals(ENGINE) ? classes : classes + File.pathSeparator + Files.readString(dependencies).strip();
    }
}
