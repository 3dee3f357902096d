package io.teff.test.rules.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.rules.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The style sheet as a test: goes through every file of the repository. {@link TidyRulesTest} shows it can fail. */
final class TidyTest {
    private static final List<SourceFile> SOURCES = SourceFile.all();
    private static final Path CEILINGS = Path.of("src-test/rules/prose-ceilings.txt");

    @Test
    void sources_ofThisRepository_areFound() {
        assertFalse(SOURCES.isEmpty());
        assertTrue(SOURCES.stream().anyMatch(SourceFile::isProduct), "no product source was found");
    }

    @Test
    void layout_ofAllSources_isTidy() {
        checkEach(TextRules::layout);
    }

    @Test
    void reminders_inAnySource_areNone() {
        checkEach(TextRules::reminders);
    }

    @Test
    void failures_inAnySource_areToldWithAReason() {
        checkEach(TextRules::failures);
    }

    @Test
    void size_ofAllSources_isWithinTheLimit() {
        for (SourceFile file : SOURCES) {
            int count = file.lines().size();
            if (count > TextRules.FILE_LINES_ASK) {
                System.out.println("tidy: a reviewer should ask about " + file.path() + ", " + count + " lines");
            }
        }
        checkEach(TextRules::size);
    }

    @Test
    void shape_ofAllSources_isTidy() {
        check(ShapeRules.check(SOURCES));
    }

    @Test
    void packages_ofMainCode_haveTheirPage() {
        check(ShapeRules.packagePages(SOURCES));
    }

    @Test
    void products_reachTheOutsideWorld_onlyThroughSeams() {
        checkEach(Seams::check);
    }

    @Test
    void tests_neverSleep() {
        checkEach(Seams::checkTest);
    }

    @Test
    void tests_spinOnlyWhereTheListSaysWhy() {
        checkEach(Seams::checkSpins);
    }

    @Test
    void allowances_nameFilesThatExist() {
        for (Seams.Allowance allowance : Stream.concat(Seams.ALLOWED.stream(), Seams.SPINNING_TESTS.stream())
                .toList()) {
            assertTrue(Files.exists(Repository.root().resolve(allowance.place())), allowance.place());
            assertFalse(allowance.reason().isBlank(), allowance.place());
        }
    }

    @Test
    void texts_nameNoPathOutsideTheProject() {
        List<Finding> findings = new ArrayList<>();
        for (Path path : Repository.files(".java", ".md", ".xml", ".sh", "teff", "run", ".gitignore", ".txt")) {
            findings.addAll(TextRules.workshopPaths(SourceFile.slashes(path), Repository.read(path)));
        }
        check(findings);
    }

    @Test
    void links_ofAllPages_leadSomewhere() {
        List<Finding> findings = new ArrayList<>();
        for (Path path : Repository.files(".md")) {
            findings.addAll(DocumentRules.links(SourceFile.slashes(path), Repository.read(path), TidyTest::target));
        }
        check(findings);
    }

    @Test
    void names_inAllPages_exist() {
        NameRules rules = NameRules.ofRepository();
        List<Finding> findings = new ArrayList<>();
        for (Path path : Repository.files(".md")) {
            String page = SourceFile.slashes(path);
            if (!page.startsWith("docs/decisions/") && !page.equals("CHANGELOG.md")) { // history is exempt
                findings.addAll(rules.check(page, Repository.read(path)));
            }
        }
        check(findings);
    }

    @Test
    void prose_ofProductsAndPages_isPlain() {
        List<Finding> findings = new ArrayList<>();
        long words = 0;
        for (Path path : Repository.files(".java", ".md")) {
            String name = SourceFile.slashes(path);
            if (!name.startsWith("src-test/") && !name.equals("CHANGELOG.md")) {
                String text = Repository.read(path);
                findings.addAll(ProseRules.check(name, text));
                words += ProseRules.words(name, text);
            }
        }
        System.out.println("tidy: " + findings.size() + " findings in " + words + " words of prose");
        assertFalse(ProseRules.isTooMuch(findings, words), () -> Finding.list(findings));
    }

    @Test
    void chainsOfPronouns_inProductsAndPages_areWithinTheBars() {
        Map<String, ChainRules.Place> places = places();
        Map<String, ChainRules.Ceiling> ceilings = ChainRules.ceilings(Repository.read(CEILINGS));
        for (String name : ceilings.keySet()) {
            assertTrue(places.containsKey(name), CEILINGS + ": no such module or page: " + name);
            if (places.get(name).meetsBars()) {
                System.out.println("tidy: " + name + " needs no line in " + CEILINGS + " any longer");
            }
        }
        List<String> faults = ChainRules.check(places.values(), ceilings);
        assertEquals(List.of(), faults, () -> String.join("\n", faults));
    }

    /** The modules of product code, and the pages that are kept up to date. */
    private static Map<String, ChainRules.Place> places() {
        Map<String, ChainRules.Place> places = new TreeMap<>();
        for (SourceFile file : SOURCES) {
            if (file.isProduct()) {
                places.computeIfAbsent(file.module(), ChainRules.Place::new).add(file.path(), file.text());
            }
        }
        for (Path path : Repository.files(".md")) {
            String page = SourceFile.slashes(path);
            if (page.equals("README.md") || page.matches("docs/[^/]*")) {
                places.computeIfAbsent(page, ChainRules.Place::new).add(page, Repository.read(path));
            }
        }
        return places;
    }

    /** The text of a linked file; empty for a folder or a picture; null when there is none. */
    private static String target(String path) {
        Path file = Repository.root().resolve(path);
        if (Files.isDirectory(file) || Files.exists(file) && path.endsWith(".png")) {
            return "";
        }
        return Files.exists(file) ? Repository.read(Path.of(path)) : null;
    }

    private static void checkEach(Function<SourceFile, List<Finding>> rule) {
        check(SOURCES.stream().flatMap(file -> rule.apply(file).stream()).toList());
    }

    private static void check(Collection<Finding> findings) {
        assertEquals(List.of(), List.copyOf(findings), () -> Finding.list(findings));
    }
}
