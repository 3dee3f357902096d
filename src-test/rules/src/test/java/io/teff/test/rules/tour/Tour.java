package io.teff.test.rules.tour;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The programs of a Markdown page, and what the page says they print.
 *
 * <p>A program is a fenced block of Java right after the line {@code <!-- tour -->}: a whole file, either with a class
 * or in the compact form that starts with {@code void main()}. A fenced block right after {@code <!-- tour output -->}
 * is what the program before it prints, word for word.
 */
final class Tour {
    private static final Pattern BLOCK = Pattern.compile(
            "(?ms)^<!-- tour( output)? -->\\s*?\\n```(\\w*)\\n(.*?)^```\\s*?$");
    private static final Pattern TYPE = Pattern.compile("(?m)^(?:public |final )*(?:class|record|enum) (\\w+)");

    private Tour() {}

    /** One program; {@code output} is null when the page does not show any. */
    record Program(String className, String source, String output) {}

    static List<Program> programs(String page) {
        List<Program> programs = new ArrayList<>();
        Matcher block = BLOCK.matcher(page);
        while (block.find()) {
            if (block.group(1) == null) {
                String source = block.group(3);
                programs.add(new Program(className(source, programs.size() + 1), source, null));
            } else if (programs.isEmpty()) {
                throw new IllegalArgumentException("output without a program before it");
            } else {
                Program last = programs.removeLast();
                programs.add(new Program(last.className(), last.source(), block.group(3)));
            }
        }
        return programs;
    }

    private static String className(String source, int number) {
        Matcher type = TYPE.matcher(source);
        boolean compact = Pattern.compile("(?m)^void main\\(").matcher(source).find();
        return !compact && type.find() ? type.group(1) : "Tour" + number;
    }
}
