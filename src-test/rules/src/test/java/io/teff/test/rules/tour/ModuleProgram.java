package io.teff.test.rules.tour;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A whole program of a Markdown page, and the directives of a module that contains the program.
 *
 * <p>The page says the directives in front of the program: the nearest paragraph or fenced block with the word
 * {@code requires} and the name of a module. The directives are in backticks or in the block, such as
 * {@code requires io.teff.nio;} and {@code opens app to io.teff.engine;}.
 *
 * @param page path of the page from the root of the repository
 * @param line the first line of the program in the page, from 1
 * @param source as in the page
 * @param requires names of modules
 * @param opensTo names of the modules to which the package of the program is opened
 */
record ModuleProgram(String page, int line, String source, Set<String> requires, Set<String> opensTo) {
    static final String MODULE = "tour";
    static final String CLASS = "Main";

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\\s*?\\n(.*?)^```\\s*?$");
    private static final Pattern MAIN = Pattern.compile("(?m)^void main\\(");
    private static final Pattern PARAGRAPH = Pattern.compile("\\n\\s*\\n");
    private static final Pattern REQUIRES = Pattern.compile("(?:`|^ +)requires (io\\.teff[\\w.]*);?`?",
        Pattern.MULTILINE);
    private static final Pattern OPENS = Pattern.compile("(?:`|^ +)opens [\\w.]+ to (io\\.teff[\\w.]*);?`?",
        Pattern.MULTILINE);

    /** Returns the programs of a page in the compact form, which begins with {@code void main}. */
    static List<ModuleProgram> of(String page, String text) {
        List<ModuleProgram> programs = new ArrayList<>();
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            if (MAIN.matcher(block.group(1)).find()) {
                String before = text.substring(0, block.start(1));
                int line = (int) before.lines().count() + 1;
                String said = said(before);
                programs.add(new ModuleProgram(page, line, block.group(1), names(REQUIRES, said), names(OPENS, said)));
            }
        }
        return programs;
    }

    private static String said(String before) {
        return PARAGRAPH.splitAsStream(before).filter(it -> REQUIRES.matcher(it).find())
            .reduce("", (_, later) -> later);
    }

    private static Set<String> names(Pattern directive, String text) {
        return directive.matcher(text).results().map(match -> match.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    }

    /** {@return page and line, for messages} */
    String name() {
        return page + ":" + line;
    }

    /** {@return the descriptor of the module} */
    String descriptor() {
        return requires.stream().map(it -> "    requires " + it + ";\n")
            .collect(Collectors.joining("", "module " + MODULE + " {\n", ""))
            + opensTo.stream().map(it -> "    opens " + MODULE + " to " + it + ";\n").collect(Collectors.joining())
            + "}\n";
    }

    /** {@return the program as a class of a package, because a module has no class without a package} */
    String asClass() {
        String imports = lines(true);
        return "package " + MODULE + ";\nimport module java.base;\n" + imports + "final class " + CLASS + " {\n"
            + lines(false) + "}\n";
    }

    private String lines(boolean isImport) {
        return source.lines().filter(it -> it.startsWith("import ") == isImport).map(it -> it + "\n")
            .collect(Collectors.joining());
    }
}
