package io.teff.test.rules.tour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.Starts;
import io.teff.test.kit.tier.FullTier;
import io.teff.test.rules.Repository;
import io.teff.test.rules.tour.Tour.Program;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a named module can do what the pages show. Method: each whole program of the pages becomes a class of a module
 * that requires what the page says, and nothing else. The module is compiled and run on the module path. A program of a
 * cluster is compiled. A program of RDMA runs as far as the libraries and devices of the machine allow.
 *
 * <p>The module path has the modules as Maven builds them; {@code ./teff test --fast} has no descriptors.
 */
@Tag("processes")
final class ModulePathTest {
    private static final String README = "README.md";
    private static final String NODES = "docs/NODES.md";
    private static final String RDMA = "docs/RDMA.md";
    private static final List<String> PAGES = List.of(README, NODES, RDMA, "docs/CLUSTERS.md", "docs/CLUSTER.md");
    private static final String READS = "io.teff.rdma.reads";
    private static final int PROGRAMS_MIN = 8;
    private static final String ANSWER = "node 1 says ";

    @TempDir
    private Path folder;

    private static List<ModuleProgram> programs(String page) {
        return ModuleProgram.of(page, Repository.read(Path.of(page)));
    }

    @Test
    void readme_firstProgram_runsAsANamedModule() throws Exception {
        runAndCompare(programs(README).getFirst());
    }

    @FullTier("A second of compilation for each program, and three JVMs. readme_firstProgram_runsAsANamedModule has "
        + "the first program in the gate.")
    @TestFactory
    Stream<DynamicTest> pages_everyProgram_compilesAsANamedModule() {
        List<ModuleProgram> all = PAGES.stream().flatMap(page -> programs(page).stream()).toList();
        assertTrue(all.size() >= PROGRAMS_MIN, () -> "only " + all.size() + " programs");
        return all.stream().map(program -> DynamicTest.dynamicTest(program.name(), () ->
            ModuleRun.compile(program, folder)));
    }

    @FullTier("A JVM for each program. readme_firstProgram_runsAsANamedModule has the first program in the gate.")
    @TestFactory
    Stream<DynamicTest> readme_everyTour_runsAsANamedModule() {
        return programs(README).stream().filter(program -> tour(program) != null).map(program ->
            DynamicTest.dynamicTest(program.name(), () -> runAndCompare(program)));
    }

    @FullTier("A JVM for each program. readme_firstProgram_runsAsANamedModule has the first program in the gate.")
    @TestFactory
    Stream<DynamicTest> rdma_everyProgram_runsOrNamesTheMissingLibrary() {
        return programs(RDMA).stream().map(program -> DynamicTest.dynamicTest(program.name(), () -> {
            String natives = program.requires().contains(READS) ? "io.teff.engine,io.teff.rdma" : "io.teff.rdma";
            ChildProcess.Result result = ModuleRun.compile(program, folder).run("--enable-native-access=" + natives);
            assertTrue(result.exitCode() == 0 || result.errors().contains("RdmaUnavailableException"),
                () -> program.name() + " fails as a named module:\n" + result.errors());
        }));
    }

    @FullTier("Two JVMs that talk. readme_firstProgram_runsAsANamedModule has one JVM in the gate.")
    @Test
    void nodes_twoProcesses_talkAsNamedModules() throws Exception {
        ModuleRun run = ModuleRun.compile(programs(NODES).getFirst(), folder);
        List<String> said = new ArrayList<>();
        Process one = start(run, "1");
        try {
            Process two = start(run, "2");
            try (BufferedReader lines = two.inputReader()) {
                String line = lines.readLine();
                while (line != null && !line.startsWith(ANSWER)) {
                    said.add(line);
                    line = lines.readLine();
                }
                assertNotNull(line, () -> run.name() + ": no answer\n" + String.join("\n", said));
            } finally {
                two.destroyForcibly().waitFor();
            }
        } finally {
            one.destroyForcibly().waitFor();
        }
    }

    private static Process start(ModuleRun run, String nid) throws IOException {
        List<String> command = new ArrayList<>(List.of(ChildProcess.java(), "-ea"));
        command.addAll(run.arguments());
        command.add(nid);
        Starts.JVM.count();
        Process process = new ProcessBuilder(command).directory(run.home().toFile()).redirectErrorStream(true).start();
        process.getOutputStream().close();
        return process;
    }

    private static Program tour(ModuleProgram program) {
        return Tour.programs(Repository.read(Path.of(program.page()))).stream()
            .filter(it -> it.source().equals(program.source())).findFirst().orElse(null);
    }

    private void runAndCompare(ModuleProgram program) throws Exception {
        ChildProcess.Result result = ModuleRun.compile(program, folder).run();
        assertEquals(0, result.exitCode(), () -> program.name() + " fails as a named module:\n" + result.errors());
        assertEquals("", result.errors(), () -> program.name() + " prints a warning as a named module");
        Program tour = tour(program);
        if (tour != null && tour.output() != null) {
            assertEquals(tour.output(), result.output(), program.name());
        }
    }

    /** Messages of clusters have codecs only if their packages are open to the engine. */
    @Test
    void clientOfACluster_asANamedModule_hasTheCodecsOfItsMessages() throws Exception {
        String page = """
            A module `requires io.teff.cluster;` and `requires io.teff.nio;`.

            ```java
            import io.teff.cluster.ClientConfig;
            import io.teff.cluster.ClusterStore;

            void main() {
                try {
                    ClusterStore.connect(ClientConfig.builder("tcp:127.0.0.1:1").timeoutNs(500_000_000).build())
                        .close();
                } catch (RuntimeException e) {
                    IO.println("no cluster");
                }
            }
            ```
            """;
        ChildProcess.Result result = ModuleRun.compile(ModuleProgram.of("page", page).getFirst(), folder).run();
        assertEquals("no cluster", result.output().strip(), result.errors());
    }

    @Test
    void programs_ofAPage_haveTheDirectivesInFrontOfThem() {
        String page = """
            A module `requires io.teff.engine;`.

            ```java
            import io.teff.engine.Store;

            void main() {}
            ```

            Other words.

            ```java
            void main() {}
            ```
            ```java
            module app {
                requires io.teff.nio;
                opens app to io.teff.engine;
            }
            ```
            ```java
            void main(String[] args) {}
            ```
            """;
        List<ModuleProgram> programs = ModuleProgram.of("page", page);
        assertEquals(List.of("page:4", "page:12", "page:21"), programs.stream().map(ModuleProgram::name).toList());
        assertEquals(List.of(Set.of("io.teff.engine"), Set.of("io.teff.engine"), Set.of("io.teff.nio")),
            programs.stream().map(ModuleProgram::requires).toList());
        assertEquals("module tour {\n    requires io.teff.nio;\n    opens tour to io.teff.engine;\n}\n",
            programs.getLast().descriptor());
        assertEquals("package tour;\nimport module java.base;\nimport io.teff.engine.Store;\nfinal class Main {\n\n"
            + "void main() {}\n}\n", programs.getFirst().asClass());
    }

    @Test
    void program_ofAPackageThatIsNotExported_isNamedWithItsPage() {
        ModuleProgram program = ModuleProgram.of("page", """
            `requires io.teff.engine;`

            ```java
            import io.teff.engine.chunk.ChunkSpace;

            void main() {}
            ```
            """).getFirst();
        String message = assertThrows(AssertionError.class, () -> ModuleRun.compile(program, folder)).getMessage();
        assertTrue(message.startsWith("page:4 does not compile as a named module"), message);
        assertTrue(message.contains("package io.teff.engine.chunk is not visible"), message);
        assertTrue(message.contains("requires io.teff.engine;"), message);
    }

    @Test
    void program_withoutARequiredModule_isNamedWithItsPage() {
        ModuleProgram program = ModuleProgram.of("page", "```java\nvoid main() {}\n```\n").getFirst();
        String message = assertThrows(AssertionError.class, () -> ModuleRun.compile(program, folder)).getMessage();
        assertTrue(message.startsWith("page:2: the page says no module"), message);
        assertFalse(message.contains("compile"), message);
    }
}
