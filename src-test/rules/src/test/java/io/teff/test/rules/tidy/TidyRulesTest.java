package io.teff.test.rules.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Shows that every rule of {@link TidyTest} is able to fail, on small planted texts. */
final class TidyRulesTest {
    private static final String ENGINE = "engine/src/main/java/io/teff/engine/Planted.java";
    private static final String CLEAN = """
            package io.teff.engine;

            /** A thing. */
            final class Planted {}
            """;

    @Test
    void allRules_onACleanFile_findNothing() {
        SourceFile file = engine(CLEAN);
        assertEquals(List.of(), TextRules.layout(file));
        assertEquals(List.of(), TextRules.reminders(file));
        assertEquals(List.of(), TextRules.size(file));
        assertEquals(List.of(), ShapeRules.check(List.of(file)));
        assertEquals(List.of(), Seams.check(file));
    }

    @Test
    void layout_lineTooLong_isFound() {
        assertEquals(List.of(), TextRules.layout(engine("/".repeat(TextRules.LINE_LENGTH_MAX) + "\n")));
        assertFound(1, TextRules.layout(engine("/".repeat(TextRules.LINE_LENGTH_MAX + 1) + "\n")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"int a;\tint b;\n", "int a; \n", "int a;", "int a;\n\n"})
    void layout_brokenText_isFound(String text) {
        assertFound(1, TextRules.layout(engine(text)));
    }

    @Test
    void layout_carriageReturn_isFound() {
        assertFound(1, TextRules.layout(engine("int a;\r\n")));
    }

    @Test
    void reminders_inAComment_areFound() {
        assertFound(1, TextRules.reminders(engine("// TO" + "DO later\n")));
        assertFound(1, TextRules.reminders(engine("// FIX" + "ME\n")));
        assertFound(1, TextRules.reminders(engine("int a; // XX" + "X\n")));
    }

    @Test
    void failures_byTheirMessages_areFound() {
        assertFound(1, TextRules.failures(engine("String text = thrown.getMessage();\n")));
        assertFound(0, TextRules.failures(engine("String text = FailureText.of(thrown);\n")));
    }

    @Test
    void size_beyondTheLimit_isFound() {
        assertFound(0, TextRules.size(engine("\n".repeat(TextRules.FILE_LINES_MAX))));
        assertFound(1, TextRules.size(engine("\n".repeat(TextRules.FILE_LINES_MAX + 1))));
    }

    @Test
    void workshopPaths_inAnyText_areFound() {
        assertFound(1, TextRules.workshopPaths("a.md", "see /wo" + "rk/notes"));
        assertFound(1, TextRules.workshopPaths("a.md", "see .." + "/shared/notes"));
    }

    @Test
    void shape_twoTypes_isFound() {
        assertFound(1, ShapeRules.check(List.of(engine(CLEAN + "\nfinal class Second {}\n"))));
    }

    @Test
    void shape_noClassComment_isFound() {
        assertFound(1, ShapeRules.check(List.of(engine("package a;\n\nfinal class Planted {}\n"))));
        assertFound(1, ShapeRules.check(List.of(engine("package a;\n\n/* Not a doc. */\nfinal class Planted {}\n"))));
        String markdown = "package a;\n\n/// A thing.\n@Deprecated\nclass Planted {}\n";
        assertFound(0, ShapeRules.check(List.of(engine(markdown))));
    }

    @Test
    void shape_longMethod_isFound() {
        String start = "package a;\n\n/** A thing. */\nfinal class Planted {\n    void run() {\n";
        String end = "    }\n}\n";
        int linesMax = ShapeRules.METHOD_LINES_MAX - 2;
        assertFound(0, ShapeRules.check(List.of(engine(start + "        ;\n".repeat(linesMax) + end))));
        assertFound(1, ShapeRules.check(List.of(engine(start + "        ;\n".repeat(linesMax + 1) + end))));
    }

    @Test
    void packagePages_missingPage_isFound() {
        SourceFile page = new SourceFile("engine/src/main/java/io/teff/engine/package-info.java", "package a;\n");
        assertFound(0, ShapeRules.packagePages(List.of(engine(CLEAN), page)));
        assertFound(1, ShapeRules.packagePages(List.of(engine(CLEAN))));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "long a = System.nanoTime();", "long a = System.currentTimeMillis();",
        "import static java.lang.System.nanoTime;",
        "new Thread(task).start();", "Thread.ofVirtual().start(task);", "Thread.ofPlatform();", "Thread.sleep(1);",
        "new Random(1);", "FileChannel.open(path);", "new Socket();", "SocketChannel.open();", "ServerSocket a;",
        "System.out.println();", "System.err.print(1);", "e.printStackTrace();", "MemorySegment.copy(a, b);",
        "segment.asSlice(1);", "LockSupport.park(this);", "LockSupport.parkNanos(1);",
        "Thread.currentThread().interrupt();", "boolean a = Thread.interrupted();", "Thread.onSpinWait();",
        "Thread.yield();",
        "Arena.ofShared();", "Object a = ValueLayout.JAVA_LONG;", "Linker.nativeLinker();"})
    void seams_outsideWorldInAProduct_isFound(String code) {
        assertFound(1, Seams.check(engine(code + "\n")));
        assertFound(1, Seams.check(new SourceFile(
            "cluster/core/src/main/java/io/teff/cluster/Planted.java", code + "\n")));
        assertFound(0, Seams.check(new SourceFile("examples/src/main/java/io/teff/examples/Planted.java", code)));
    }

    @Test
    void seams_wordsInCommentsAndLiterals_areNotFound() {
        String text = "// System.nanoTime()\n/* new Thread( */ String a = \"System.out\""
                + " + \"\"\"\n  Arena \\\"\"\"\n \"\"\";\n";
        assertFound(0, Seams.check(engine(text)));
        assertFound(1, Seams.check(engine(text + "char a = '\"'; Arena b; // \"\n")));
    }

    @Test
    void seams_segmentHandedThrough_isNotFound() {
        assertFound(0, Seams.check(engine("import java.lang.foreign.MemorySegment;\nvoid put(MemorySegment a);\n")));
    }

    @ParameterizedTest
    @CsvSource({"os/Planted.java, 0", "memory/Planted.java, 1", "table/Planted.java, 2"})
    void seams_allowedPlace_isLeftAlone(String place, int count) {
        String code = "Arena a;\nlong b = System.nanoTime();\n";
        assertFound(count, Seams.check(new SourceFile("engine/src/main/java/io/teff/engine/" + place, code)));
    }

    @Test
    void seams_sleepingTest_isFound() {
        assertFound(1, Seams.checkTest(new SourceFile("src-test/unit/engine/PlantedTest.java", "Thread.sleep(5);\n")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Thread.onSpinWait();", "Thread.yield();", "await(Thread::yield);"})
    void seams_spinningTest_isFound(String code) {
        assertFound(1, Seams.checkSpins(new SourceFile("src-test/unit/engine/PlantedTest.java", code + "\n")));
        assertFound(1, Seams.checkSpins(new SourceFile("src-test/shared/net/Planted.java", code + "\n")));
        assertFound(0, Seams.checkSpins(new SourceFile(Seams.SPINNING_TESTS.getFirst().place(), code + "\n")));
        assertFound(0, Seams.checkSpins(new SourceFile("src-test/bench/src/main/java/Planted.java", code + "\n")));
    }

    @Test
    void links_toNowhere_areFound() {
        String page = "[a](there.md) [b](gone.md) [c](../up.md#the-end) [d](#here) [e](#not-here)\n"
                + "`[f](g.md)`\n# Here\n";
        List<Finding> findings = DocumentRules.links("docs/page.md", page, path -> switch (path) {
            case "docs/there.md" -> "";
            case "up.md" -> "## The End!\n";
            default -> null;
        });
        assertEquals(List.of("gone.md: no such file", "#not-here: no such heading"),
                findings.stream().map(Finding::message).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Wh" + "o calls has a lock.", "It ends. Wh" + "at was sent stays.",
        "So ma" + "ny links are open.", "No" + "body waits.", "The owner is to" + "ld.", "It is kept for wh"
            + "o asks.",
        "The sa" + "me, without a lock."})
    void prose_habitInACommentOrPage_isFound(String sentence) {
        assertFound(1, ProseRules.check("a/A.java", "/** " + sentence + " */\nclass A {}\n"));
        assertFound(1, ProseRules.check("docs/A.md", "# A\n\n" + sentence + "\n"));
        assertFound(0, ProseRules.check("docs/A.md", "```\n" + sentence + "\n```\n"));
        assertFound(0, ProseRules.check("a/A.java", "String a = \"" + sentence + "\";\n"));
    }

    @Test
    void prose_rateAboveTheLimit_isTooMuch() {
        List<Finding> two = List.of(new Finding("a", 1, "b"), new Finding("a", 2, "b"));
        assertEquals(true, ProseRules.isTooMuch(two, 2000));
        assertEquals(false, ProseRules.isTooMuch(two, 3000));
        assertEquals(3, ProseRules.words("a/A.java", "/** One two three. */\nint a;\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"`GoneClass`", "`Store.gone()`", "`GONE`", "`io.teff.gone`", "`./teff gone`",
        "`-Dteff.gone=1`", "`docs/GONE.md`"})
    void names_staleName_isFound(String text) {
        NameRules rules = NameRules.of("package io.teff.engine; class Store { int get() } FULL teff.seed "
            + "name = \"heap\"");
        assertFound(1, rules.check("docs/A.md", "# A\n\nSee " + text + ".\n"));
        assertFound(0, rules.check("docs/A.md", "`Store.get()`, `FULL`, `io.teff.engine`, `./teff heap`, "
            + "`-Dteff.seed=1`, `pom.xml`\n"));
    }

    private static SourceFile engine(String text) {
        return new SourceFile(ENGINE, text);
    }

    private static void assertFound(int count, List<Finding> findings) {
        assertEquals(count, findings.size(), () -> Finding.list(findings));
    }
}
