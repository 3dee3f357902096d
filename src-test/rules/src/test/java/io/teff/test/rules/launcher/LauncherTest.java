package io.teff.test.rules.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.ChildProcess.Result;
import io.teff.test.kit.tier.FullTier;
import io.teff.test.rules.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher as seen by a user, on machines that lack some tools.
 *
 * <p>Each test gives it a PATH of its own that holds only the usual tools, and an empty list of places in which to look
 * for JDKs. It never builds here: the build that runs these tests owns the folders.
 */
@Tag("processes")
final class LauncherTest {
    private static final List<String> TOOLS = List.of(
            "sh", "env", "sed", "find", "head", "cat", "dirname", "readlink", "mkdir", "mv", "rm");
    /** A command as users of a checkout cannot type it. */
    private static final Pattern BARE_COMMAND = Pattern.compile("(?<![./])\\bteff [a-z]");
    private static final int WRONG_USE = 2;
    private static final int MISSING_TOOL = 3;

    @TempDir
    private Path folder;

    private Path tools;
    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void makeABareMachine() throws Exception {
        tools = Files.createDirectory(folder.resolve("bin"));
        for (String tool : TOOLS) {
            for (String place : List.of("/usr/bin", "/bin")) {
                Path real = Path.of(place, tool);
                if (Files.exists(real) && !Files.exists(tools.resolve(tool))) {
                    Files.createSymbolicLink(tools.resolve(tool), real);
                }
            }
        }
        environment.put("PATH", tools.toString());
        environment.put("TEFF_JDK_PLACES", Files.createDirectory(folder.resolve("no-jdks")).toString());
        environment.put("TEFF_MAVEN_PLACES", "");
        environment.put("TEFF_NO_BUILD", "yes");
    }

    @Test
    void anyCommand_withoutAnyJdk_saysWhatToInstallAndWhereItLooked() throws Exception {
        Result result = teff("demo");
        assertEquals(MISSING_TOOL, result.exitCode(), result.errors());
        assertTrue(result.errors().contains("needs JDK 25 or newer"), result.errors());
        assertTrue(result.errors().contains("JAVA25_HOME"), result.errors());
        assertTrue(result.errors().contains(folder.resolve("no-jdks").toString()), result.errors());
        assertTrue(result.errors().contains("no JDK at all"), result.errors());
    }

    @Test
    void anyCommand_withAnOldJdkOnly_namesTheOneItFound() throws Exception {
        Path old = jdk("17.0.15");
        Files.createSymbolicLink(tools.resolve("java"), old.resolve("bin/java"));
        environment.put("JAVA_HOME", old.toString());
        Result result = teff("test");
        assertEquals(MISSING_TOOL, result.exitCode(), result.errors());
        assertTrue(result.errors().contains("17 in " + old), result.errors());
    }

    @Test
    void test_withoutMaven_saysWhatToInstall() throws Exception {
        environment.put("JAVA25_HOME", System.getProperty("java.home"));
        Result result = teff("test");
        assertEquals(MISSING_TOOL, result.exitCode(), result.errors());
        assertTrue(result.errors().contains("Maven is needed"), result.errors());
        assertTrue(result.errors().contains("MAVEN_HOME"), result.errors());
    }

    @Test
    void version_withAJdkInAListedPlace_findsItAndRuns() throws Exception {
        Path home = Path.of(System.getProperty("java.home"));
        Files.createSymbolicLink(folder.resolve("no-jdks").resolve("jdk"), home);
        Result result = teff("--version");
        assertEquals(0, result.exitCode(), result.errors());
        assertTrue(result.output().startsWith("teff "), result.output());
        assertTrue(result.output().contains(Runtime.version().toString()), result.output());
        assertEquals("", result.errors());
    }

    @Test
    void version_inPlainMode_runsToo() throws Exception {
        environment.put("JAVA25_HOME", System.getProperty("java.home"));
        Result result = teff("--plain", "--version");
        assertEquals(0, result.exitCode(), result.errors());
        assertEquals("", result.errors());
    }

    @Test
    void version_throughASymbolicLink_findsTheRepository() throws Exception {
        environment.put("JAVA25_HOME", System.getProperty("java.home"));
        Path link = Files.createSymbolicLink(folder.resolve("teff"), Repository.root().resolve("teff"));
        Result result = ChildProcess.run(folder, environment, List.of(link.toString(), "--version"));
        assertEquals(0, result.exitCode(), result.errors());
    }

    /** Without this flag nodes cannot communicate over Aeron. */
    @Test
    void run_givesTheFlagThatAeronNeeds() throws Exception {
        environment.put("JAVA25_HOME", System.getProperty("java.home"));
        Path program = Files.writeString(folder.resolve("Flag.java"), "void main() { IO.println("
            + "Object.class.getModule().isExported(\"jdk.internal.misc\", getClass().getModule())); }");
        Result result = teff("run", program.toString());
        assertEquals(0, result.exitCode(), result.errors());
        assertEquals("true", result.output().strip());
    }

    /** Without a JDK, so nothing is built before. */
    @Test
    void unknownCommand_isWrongUse_andTheNearestCommandIsNamed() throws Exception {
        assertUnknown("there is no command no-such-command.\nteff: ./teff --help", "no-such-command");
        assertUnknown("there is no command clustr. Do you mean ./teff cluster?", "clustr");
        assertUnknown("there is no command shel. Do you mean ./teff shell?", "shel");
        assertUnknown("there is no command dmeo. Do you mean ./teff demo?", "dmeo", "--count=7");
        assertUnknown("there is no command cluster-up.", "cluster-up");
        assertUnknown("there is no command cluster stats. Do you mean ./teff cluster status?\nteff: ./teff cluster "
            + "--help", "cluster", "stats");
        assertUnknown("there is no command cluster exce. Do you mean ./teff cluster exec?", "cluster", "exce", "nodes");
        assertUnknown("there is no command cluster accept_loss. Do you mean ./teff cluster accept-loss?", "cluster",
            "accept_loss", "7");
    }

    private void assertUnknown(String expected, String... words) throws Exception {
        Result result = teff(words);
        assertEquals(WRONG_USE, result.exitCode(), result.errors());
        assertTrue(result.errors().contains(expected), result.errors());
    }

    @Test
    void run_ofASourceFile_seesTheEngine() throws Exception {
        environment.put("JAVA25_HOME", System.getProperty("java.home"));
        Path file = Files.writeString(folder.resolve("Main.java"), "import io.teff.engine.Store;\n"
                + "void main(String[] words) { try (var store = Store.open()) {"
                + " IO.println(words[0] + store.stats().chunks()); } }\n");
        Result result = teff("run", file.toString(), "chunks=");
        assertEquals(0, result.exitCode(), result.errors());
        assertEquals("chunks=0", result.output().strip());
        Result missing = teff("run", "NoSuchFile.java");
        assertEquals(WRONG_USE, missing.exitCode(), missing.errors());
        assertTrue(missing.errors().contains("NoSuchFile.java"), missing.errors());
        assertTrue(teff("run", "--help").output().contains("FILE.java"));
    }

    @Test
    @FullTier("11 JVMs, one after the other. run_ofASourceFile_seesTheEngine runs a program of the same kind, and "
        + "ExamplesTest has what each example prints.")
    void run_ofEachExample_printsItsResult() throws Exception {
        environment.put("JAVA25_HOME", System.getProperty("java.home"));
        try (Stream<Path> files = Files.walk(Repository.root().resolve("examples/src/main/java/io"))) {
            List<Path> examples = files.filter(LauncherTest::hasMain).toList();
            assertEquals(11, examples.size(), examples::toString);
            for (Path example : examples) {
                Result result = teff("run", example.toString());
                assertEquals(0, result.exitCode(), () -> example + ": " + result.errors());
                assertFalse(result.output().isBlank(), example::toString);
            }
        }
    }

    @Test
    void heapPlan_printsTheAnswerAndNothingElse() throws Exception {
        environment.put("JAVA25_HOME", System.getProperty("java.home"));
        Result result = teff("heap", "plan", "1Mx32");
        assertEquals(0, result.exitCode(), result.errors());
        assertTrue(result.output().startsWith("PLAN  1,000,000 chunks"), result.output());
        Result missing = teff("heap", folder.resolve("none.teff").toString());
        assertEquals(1, missing.exitCode(), missing.errors());
        assertTrue(missing.errors().contains("none.teff"), missing.errors());
    }

    @Test
    void help_always_listsTheCommands() throws Exception {
        environment.put("JAVA25_HOME", System.getProperty("java.home"));
        Result result = teff("--help");
        assertEquals(0, result.exitCode(), result.errors());
        for (String word : List.of("test", "bench", "demo", "heap", "log", "soak", "run", "crash", "cluster", "node",
            "shell", "--fast", "--long", "--plain")) {
            assertTrue(result.output().contains(word), result.output());
        }
        assertFalse(result.output().contains("\t"), "aligned by blanks");
    }

    /**
     * Without a JDK, Maven or a build; the texts are compared with those of the programs where these are tested. One
     * shell asks for all texts, because a process for each one costs more than the text.
     */
    @Test
    void helpOfEachCommand_needsNothing() throws Exception {
        Path root = Repository.root();
        Path answers = Files.createDirectory(folder.resolve("answers"));
        Path script = Files.writeString(folder.resolve("ask-all.sh"), """
            for text in "$1"/src-test/launcher/help/*.txt; do
                name=${text##*/}
                IFS=-
                set -- "$1" "$2" ${name%.txt}
                IFS=' '
                at=$1 to=$2
                shift 2
                "$at/teff" "$@" --help >"$to/$name" 2>"$to/$name.errors" || echo "exit code $?" >>"$to/$name.errors"
                set -- "$at" "$to"
            done
            """);
        Result all = ChildProcess.run(folder, environment, List.of("/bin/sh", script.toString(), root.toString(),
            answers.toString()));
        assertEquals(0, all.exitCode(), all.errors());
        try (Stream<Path> files = Files.list(root.resolve("src-test/launcher/help"))) {
            for (Path text : files.toList()) {
                Path answer = answers.resolve(text.getFileName().toString());
                assertEquals("", Files.readString(Path.of(answer + ".errors")));
                assertEquals(Files.readString(text), Files.readString(answer));
                assertFalse(BARE_COMMAND.matcher(Files.readString(text)).find(), text + " has a command without ./");
            }
        }
        assertTrue(teff("heap", "file.teff", "--largest=3", "-h").output().startsWith("Usage: ./teff heap"));
        assertEquals(WRONG_USE, teff("nonsense", "--help").exitCode());
    }

    @Test
    void folderWithSpaces_isAsGoodAsAnyOther() throws Exception {
        environment.put("JAVA25_HOME", System.getProperty("java.home"));
        Path copy = copyOfTheLauncher("a folder with spaces");
        Result result = ChildProcess.run(folder, environment, List.of(copy.resolve("teff").toString(), "demo"));
        assertTrue(result.errors().contains("nothing is built, and TEFF_NO_BUILD forbids"), result.errors());
    }

    /** The place of the launcher's classes is a file here, which no user can change into a folder. */
    @Test
    void folderThatCannotBeWritten_saysWhy() throws Exception {
        environment.put("JAVA25_HOME", System.getProperty("java.home"));
        Path copy = copyOfTheLauncher("copy");
        Files.createFile(copy.resolve("target"));
        Result result = ChildProcess.run(folder, environment, List.of(copy.resolve("teff").toString(), "demo"));
        assertEquals(1, result.exitCode());
        assertTrue(result.errors().contains("this user cannot write to " + copy.toRealPath().resolve("target")),
                result.errors());
        assertTrue(result.errors().contains("copy the folder"), result.errors());
    }

    /** Copies what the launcher needs of the project, without anything that is built. */
    private Path copyOfTheLauncher(String name) throws IOException {
        Path copy = Files.createDirectory(folder.resolve(name));
        for (Path file : Repository.files("pom.xml", ".java", ".txt", "teff")) {
            boolean isNeeded = file.endsWith("pom.xml") || file.equals(Path.of("teff"))
                    || file.startsWith("src-test/launcher");
            if (isNeeded) {
                Path target = copy.resolve(file);
                Files.createDirectories(target.getParent());
                Files.copy(Repository.root().resolve(file), target, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        return copy;
    }

    @Test
    void noCommand_printsTheHelp_andIsWrongUse() throws Exception {
        environment.put("JAVA25_HOME", System.getProperty("java.home"));
        Result result = teff();
        assertEquals(WRONG_USE, result.exitCode(), result.errors());
        assertTrue(result.output().contains("Usage:"), result.output());
    }

    /** Links are removed here, because JUnit warns about each link that it finds. */
    @AfterEach
    void removeTheLinks() throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path link : files.filter(Files::isSymbolicLink).toList()) {
                Files.delete(link);
            }
        }
    }

    private static boolean hasMain(Path file) {
        try {
            return file.toString().endsWith(".java") && Files.readString(file).contains("static void main(");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Result teff(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(Repository.root().resolve("teff").toString()));
        command.addAll(List.of(arguments));
        return ChildProcess.run(folder, environment, command);
    }

    /** Returns a folder that looks like a JDK of a version unless it is started. */
    private Path jdk(String version) throws Exception {
        Path home = Files.createDirectories(folder.resolve("jdk-" + version));
        Path bin = Files.createDirectory(home.resolve("bin"));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        for (String name : List.of("java", "javac")) {
            Path file = Files.writeString(bin.resolve(name), "#!/bin/sh\nexit 1\n");
            assertTrue(file.toFile().setExecutable(true));
        }
        return home;
    }
}
