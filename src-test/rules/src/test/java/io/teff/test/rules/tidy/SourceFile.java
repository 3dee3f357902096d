package io.teff.test.rules.tidy;

import io.teff.test.rules.Repository;
import java.nio.file.Path;
import java.util.List;

/**
 * One Java file: its path in the repository with forward slashes, its text, and its text with the contents of comments
 * and literals blanked out, so that rules about code do not stumble over prose.
 */
record SourceFile(String path, String text, String code) {
    /** The modules that users embed; the rules about seams hold for them. */
    private static final List<String> PRODUCTS = List.of("engine", "recovery", "cluster", "nio", "rdma");

    SourceFile(String path, String text) {
        this(path, text, blanked(text));
    }

    static List<SourceFile> all() {
        return Repository.files(".java").stream()
                .map(file -> new SourceFile(slashes(file), Repository.read(file)))
                .toList();
    }

    static String slashes(Path path) {
        return path.toString().replace('\\', '/');
    }

    String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    String folder() {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    boolean isMain() {
        return path.contains("/src/main/java/");
    }

    /** {@return the folder of the module that has this file as main code} */
    String module() {
        return path.substring(0, path.indexOf("/src/main/java/"));
    }

    boolean isProduct() {
        return isMain() && PRODUCTS.contains(path.substring(0, path.indexOf('/')));
    }

    boolean isTest() {
        return path.startsWith("src-test/");
    }

    /** True for tests that share their JVM with others, and for what they share. */
    boolean isUnitTest() {
        return List.of("unit", "system", "shared").stream().anyMatch(it -> path.startsWith("src-test/" + it + "/"));
    }

    /** True for files that declare no type: a package page or a module descriptor. */
    boolean isPage() {
        return name().equals("package-info.java") || name().equals("module-info.java");
    }

    List<String> lines() {
        return text.lines().toList();
    }

    /** The text with every character of comments and literals replaced by a blank; line ends stay. */
    static String blanked(String text) {
        StringBuilder out = new StringBuilder(text.length());
        int at = 0;
        while (at < text.length()) {
            int end = endOfQuiet(text, at);
            if (end == at) {
                out.append(text.charAt(at));
                at++;
            } else {
                for (int index = at; index < end; index++) {
                    char c = text.charAt(index);
                    out.append(c == '\n' ? c : ' ');
                }
                at = end;
            }
        }
        return out.toString();
    }

    /** Where the comment or literal that starts at {@code at} ends; {@code at} itself when none starts there. */
    private static int endOfQuiet(String text, int at) {
        if (text.startsWith("//", at)) {
            return orEnd(text, text.indexOf('\n', at));
        }
        if (text.startsWith("/*", at)) {
            int close = text.indexOf("*/", at + 2);
            return close < 0 ? text.length() : close + 2;
        }
        if (text.startsWith("\"\"\"", at)) {
            return endOfLiteral(text, at + 3, "\"\"\"");
        }
        char c = text.charAt(at);
        if (c == '"' || c == '\'') {
            return endOfLiteral(text, at + 1, String.valueOf(c));
        }
        return at;
    }

    private static int endOfLiteral(String text, int from, String delimiter) {
        int at = from;
        while (at < text.length()) {
            if (text.charAt(at) == '\\') {
                at += 2;
            } else if (text.startsWith(delimiter, at)) {
                return at + delimiter.length();
            } else {
                at++;
            }
        }
        return text.length();
    }

    private static int orEnd(String text, int index) {
        return index < 0 ? text.length() : index;
    }
}
