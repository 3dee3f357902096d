package io.teff.test.rules.tour;

import io.teff.test.rules.Repository;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The Java of a Markdown page that is compiled but not run: each fenced block of Java that is not part of a
 * {@linkplain Tour tour}.
 *
 * <p>A block with a main method is a whole program, a block that begins with {@code module} is the descriptor of a
 * module, and any other one consists of statements, right after the line {@code <!-- snippet: NEEDS -->}, whose needs
 * are declarations that the statements use. A block right after {@code <!-- snippet of another library -->} is left
 * out: its library is not here.
 */
final class Snippets {
    private static final Pattern BLOCK = Pattern.compile(
            "(?ms)^(?:<!-- ((?:tour|snippet)[^\\n]*?) -->\\s*?\\n)?```java\\s*?\\n(.*?)^```\\s*?$");
    private static final Pattern EXPORT = Pattern.compile("(?m)^    exports ([\\w.]+);");
    private static final String MARK = "snippet";
    private static final String FOREIGN = "snippet of another library";
    private static final List<String> MODULES = List.of("engine", "recovery", "cluster/net", "cluster/core");
    private static final List<String> PACKAGES = List.of("java.security", "javax.net.ssl");

    private Snippets() {}

    /** One block; {@code isModule} for the descriptor of a module. */
    record Snippet(String name, String source, boolean isModule) {}

    /** Returns the snippets of a page. */
    static List<Snippet> of(String page, String text) {
        List<Snippet> snippets = new ArrayList<>();
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            String mark = block.group(1) == null ? "" : block.group(1);
            String name = page + ":" + (text.substring(0, block.start(2)).lines().count() + 1);
            if (!mark.startsWith("tour") && !mark.equals(FOREIGN)) {
                snippets.add(snippet(name, mark, block.group(2)));
            }
        }
        return snippets;
    }

    private static Snippet snippet(String name, String mark, String block) {
        boolean isProgram = Pattern.compile("(?m)^void main\\(").matcher(block).find();
        boolean isModule = block.startsWith("module ");
        if (isProgram || isModule) {
            return new Snippet(name, block, isModule);
        }
        if (!mark.startsWith(MARK)) {
            throw new IllegalArgumentException(name + ": a part of a program without <!-- snippet: what it needs -->");
        }
        String needs = mark.substring(MARK.length()).replaceFirst("^: ", "");
        return new Snippet(name, imports() + needs + "\nvoid main() throws Exception {\n"
                + block.replaceFirst("^public ", "") + "}\n", false);
    }

    /** Imports what a user of the products may import. */
    private static String imports() {
        Stream<String> own = MODULES.stream()
                .flatMap(module -> EXPORT.matcher(Repository.read(Path.of(module, "src/main/java/module-info.java")))
                        .results().map(export -> export.group(1)));
        return Stream.concat(own, PACKAGES.stream()).map(it -> "import " + it + ".*;\n").collect(Collectors.joining());
    }
}
