package io.teff.test.bench.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of docs/FIGURES.md against its result files, and the reader of result files against small ones. */
final class FigurePageTest {
    private static final String TEXT = """
        machine: some
        date: 2026-01-02T03:04:05Z
        commit: 0123456789abcdef-dirty

        rates, M/s
                        get    max idle max
        Teff           2.50    320     4067
        Teff, plain    1.25      1        2

        other rates
                        get
        Teff           9.00

        Teff / a loop          0.50   at least 1.0: MISSED
        """;
    private static final String MARKS =
        "before\n<!-- generated: ./teff bench figures -->\nold\n<!-- end of the generated table -->\nbehind\n";

    @TempDir
    private Path folder;

    @Test
    void page_ofThisRepository_isWhatItsResultFilesSay() throws IOException {
        Path docs = docs();
        String page = Files.readString(docs.resolve("FIGURES.md"));
        assertEquals(FiguresCommand.fresh(docs, page), page, "run: ./teff bench figures");
    }

    @Test
    void storiesAndFiles_ofTheCatalog_exist() throws IOException {
        List<Figure> figures = Catalog.read(docs().resolve("figures/catalog.tsv"));
        assertTrue(figures.size() > 50, () -> figures.size() + " figures");
        for (Figure figure : figures) {
            assertTrue(figure.story().isEmpty() || Files.exists(docs().resolve(figure.story())), figure::toString);
            assertTrue(figure.file().isEmpty() || Files.exists(docs().resolve("figures").resolve(figure.file())),
                figure::toString);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "cell: rates; Teff; get | 2.5", "cell: rates; Teff; max | 320", "cell: rates; Teff; idle max | 4067",
        "cell: rates; Teff, plain; get | 1.25", "cell: other; Teff; get | 9", "bar: Teff / a loop | 0.5",
        "{cell: rates; Teff; get} / {cell: rates; Teff, plain; get} | 2"})
    void select_ofAText_findsTheNumber(String selector, double number) throws IOException {
        assertEquals(number, text().select(selector));
    }

    @ParameterizedTest
    @CsvSource({"cell: rates; Teff; put", "cell: rates; Heap; get", "cell: none; Teff; get", "bar: Teff / a list",
        "json: a; b", "row: 7", "nothing"})
    void select_ofWhatIsNotThere_namesTheSelector(String selector) throws IOException {
        ResultFile file = text();
        assertTrue(assertThrows(IllegalArgumentException.class, () -> file.select(selector)).getMessage()
            .contains(selector));
    }

    @Test
    void select_ofADocument_followsKeysAndTakesMedians() throws IOException {
        Files.writeString(folder.resolve("some.json"),
            "{\"machine\": {\"date\": \"2026-01-02T03:04:05Z\", \"commit\": \"abcdef0123\"}, "
                + "\"list\": [{\"a\": 1}, {\"a\": [5, 1, 3]}]}");
        ResultFile file = ResultFile.read(folder, "some.json");
        assertEquals(1, file.select("json: list; 0; a"));
        assertEquals(3, file.select("json: list; 1; a"));
        assertEquals(1, file.select("min: list; 1; a"));
        assertEquals(5, file.select("max: list; 1; a"));
        assertEquals("abcdef0", file.commit());
    }

    @Test
    void replace_missedAndMetBars_areWhatTheNumbersSay() throws IOException {
        text();
        String page = new FigurePage(folder).replace(MARKS, List.of(
            figure(">= 3", "{cell: rates; Teff; get} M/s"), figure("<= 3", "{cell: rates; Teff; get} M/s"),
            figure("", "{cell: rates; Teff; get} M/s")));
        assertTrue(page.startsWith("before\n") && page.endsWith("behind\n") && !page.contains("old"), page);
        assertTrue(page.contains("| >= 3 | 2.50 M/s | **missed** |"), page);
        assertTrue(page.contains("| <= 3 | 2.50 M/s | met |"), page);
        assertTrue(page.contains("|  | 2.50 M/s |  |"), page);
        assertTrue(page.contains("| 2026-01-02, 0123456 and changes |"), page);
    }

    @Test
    void replace_barOfAnotherForm_isRefused() throws IOException {
        text();
        List<Figure> figures = List.of(figure("about 3", "{cell: rates; Teff; get}"));
        FigurePage page = new FigurePage(folder);
        assertThrows(IllegalArgumentException.class, () -> page.replace(MARKS, figures));
    }

    @Test
    void read_rowWithAnotherNumberOfColumns_isRefusedWithItsLine() throws IOException {
        Path catalog = Files.writeString(folder.resolve("catalog.tsv"), "# head\n\na\tb\tc\n");
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Catalog.read(catalog)).getMessage()
            .contains("line 3"));
    }

    private static Figure figure(String bar, String measured) {
        return new Figure("area", "what", bar, measured, "", "some.txt", "", 1);
    }

    private ResultFile text() throws IOException {
        Files.writeString(folder.resolve("some.txt"), TEXT);
        return ResultFile.read(folder, "some.txt");
    }

    private static Path docs() {
        Path path = Path.of("").toAbsolutePath();
        while (!Files.exists(path.resolve("docs/FIGURES.md"))) {
            path = path.getParent();
        }
        return path.resolve("docs");
    }
}
