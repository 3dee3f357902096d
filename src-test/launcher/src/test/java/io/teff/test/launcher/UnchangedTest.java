package io.teff.test.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: the gate leaves out a module only if nothing has changed on which its tests depend. Method: a repository of
 * four modules, {@code top} on {@code base}, {@code apart} alone, and the kit of all tests; each input is changed.
 */
final class UnchangedTest {
    private static final String MACHINE = "a machine";

    @TempDir
    private Path root;
    @TempDir
    private Path cache;

    @BeforeEach
    void makeARepository() throws IOException {
        write("pom.xml", "<project><modules><module>src-test/kit</module><module>base</module><module>top</module>"
            + "<module>apart</module></modules></project>");
        module("src-test/kit", "");
        module("base", need("kit"));
        module("top", need("base") + need("kit"));
        module("apart", need("kit"));
        write(Inputs.FILE, "# comment\n* shared.txt\ntop docs/PAGE.md\n");
        write("shared.txt", "1");
        write("docs/PAGE.md", "1");
        write("src-test/data/golden.bin", "1");
    }

    private static String need(String artifact) {
        return "<dependency><groupId>io.teff</groupId><artifactId>" + artifact + "-a</artifactId></dependency>";
    }

    private void module(String folder, String needs) throws IOException {
        String name = folder.substring(folder.lastIndexOf('/') + 1);
        write(folder + "/pom.xml", "<project><parent><artifactId>p</artifactId></parent><artifactId>" + name
            + "-a</artifactId><name>" + name + "</name><dependencies>" + needs + "</dependencies><build>"
            + "<testSourceDirectory>${project.basedir}/../src-test/unit/" + name + "</testSourceDirectory></build>"
            + "</project>");
        write(folder + "/src/main/java/" + name + ".java", "1");
        write(folder + "/src/main/resources/" + name + ".txt", "1");
        write("src-test/unit/" + name + "/" + name + "Test.java", "1");
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private Unchanged look(String machine) throws IOException {
        Modules modules = Modules.read(root);
        return Unchanged.of(modules, new Inputs(root, modules, machine), new GreenMemory(cache), _ -> false, true);
    }

    /** Returns the folders of the modules that a run leaves out. */
    private Set<String> leftOut(String machine) throws IOException {
        Unchanged unchanged = look(machine);
        return Modules.read(root).all().stream().filter(unchanged::contains).map(Module::folder)
            .collect(Collectors.toSet());
    }

    private void rememberAll() throws IOException {
        Unchanged run = look(MACHINE);
        for (Module module : Modules.read(root).all()) {
            run.remember(module);
        }
    }

    @Test
    void modules_thatWereGreen_areLeftOut_andNoneBefore() throws IOException {
        assertEquals(Set.of(), leftOut(MACHINE));
        rememberAll();
        assertEquals(Set.of("src-test/kit", "base", "top", "apart"), leftOut(MACHINE));
        assertTrue(look(MACHINE).isAll());
    }

    /** Each input of the module top is changed; the module runs. */
    @ParameterizedTest
    @ValueSource(strings = {"top/src/main/java/top.java", "top/src/main/java/New.java",
        "top/src/main/resources/top.txt", "src-test/unit/top/topTest.java", "src-test/unit/top/golden/new.bin",
        "top/pom.xml", "pom.xml", "base/src/main/java/base.java", "base/src/main/resources/base.txt", "base/pom.xml",
        "src-test/kit/src/main/java/kit.java", "shared.txt", "docs/PAGE.md"})
    void module_runs_afterAChangeOfAnInput(String file) throws IOException {
        rememberAll();
        Path path = root.resolve(file);
        String text = Files.exists(path) ? Files.readString(path) : "";
        write(file, text + " ");
        assertFalse(leftOut(MACHINE).contains("top"), file);
        write(file, text);
        if (!text.isEmpty()) {
            assertTrue(leftOut(MACHINE).contains("top"), "as before");
        }
    }

    @Test
    void module_runs_onAnotherJdk_andAfterAFileIsDeleted() throws IOException {
        rememberAll();
        assertEquals(Set.of(), leftOut("another machine"));
        Files.delete(root.resolve("src-test/unit/top/topTest.java"));
        assertEquals(Set.of("src-test/kit", "base", "apart"), leftOut(MACHINE));
    }

    @Test
    void changeOfOneModule_leavesOutWhatDoesNotNeedIt() throws IOException {
        rememberAll();
        write("top/src/main/java/top.java", "2");
        Unchanged unchanged = look(MACHINE);
        assertEquals(List.of("-Dteff.gate=true", "-pl", "!apart"), unchanged.flags(), "base is built for top");
        write("base/src/main/java/base.java", "2");
        assertEquals(Set.of("src-test/kit", "apart"), leftOut(MACHINE));
        write("src-test/unit/base/baseTest.java", "2");
        write("base/src/main/java/base.java", "1");
        write("top/src/main/java/top.java", "1");
        assertEquals(Set.of("src-test/kit", "top", "apart"), leftOut(MACHINE), "tests of base are no input of top");
    }

    @Test
    void moduleThatIsNoPartOfTheRun_isNotBuilt_andNotRemembered() throws IOException {
        Modules modules = Modules.read(root);
        Unchanged run = Unchanged.of(modules, new Inputs(root, modules, MACHINE), new GreenMemory(cache),
            module -> module.folder().equals("apart"), true);
        assertEquals(List.of("-pl", "!apart"), run.flags());
        modules.all().forEach(module -> assertEquals(!module.folder().equals("apart"), run.modules().contains(module)));
        run.remember(modules.in("apart"));
        assertFalse(leftOut(MACHINE).contains("apart"));
    }

    @Test
    void marks_areWritten_andThoseOfEarlierRunsDeleted() throws IOException {
        rememberAll();
        look(MACHINE).mark();
        assertTrue(Files.exists(root.resolve("base/target/unchanged")));
        write("base/src/main/java/base.java", "2");
        look(MACHINE).mark();
        assertFalse(Files.exists(root.resolve("base/target/unchanged")));
        assertTrue(Files.exists(root.resolve("apart/target/unchanged")), "a build's folder is no input");
    }

    @Test
    void memory_forgetsAfterTwoWeeks() throws IOException {
        rememberAll();
        FileTime old = FileTime.from(Instant.now().minus(Duration.ofDays(15)));
        try (var files = Files.list(cache)) {
            for (Path file : files.toList()) {
                Files.setLastModifiedTime(file, old);
            }
        }
        assertEquals(Set.of(), leftOut(MACHINE));
    }

    @Test
    void memory_isWhereTheEnvironmentSays() throws IOException {
        GreenMemory.of(Map.of("TEFF_GATE_MEMORY", cache.resolve("given").toString())).remember("a");
        assertTrue(Files.exists(cache.resolve("given/a")));
        GreenMemory.of(Map.of("XDG_CACHE_HOME", cache.toString(), "HOME", "/nowhere")).remember("b");
        assertTrue(Files.exists(cache.resolve("teff/green/b")));
        GreenMemory.of(Map.of("HOME", cache.toString())).remember("c");
        assertTrue(Files.exists(cache.resolve(".cache/teff/green/c")));
        GreenMemory off = GreenMemory.of(Map.of("TEFF_GATE_MEMORY", "off", "HOME", cache.toString()));
        off.remember("d");
        assertFalse(off.knows("c") || off.knows("d"));
        assertFalse(GreenMemory.of(Map.of()).knows("c"));
    }
}
