package io.teff.test.rules.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A parameter's text has to say more than the parameter's name: its meaning, its unit or its range. */
final class ParamRules {
    private static final Pattern PARAM = Pattern.compile("@param\\s+(\\w+)\\s+(?:(?:the|an?)\\s+)?([^.]*)\\.?",
        Pattern.CASE_INSENSITIVE);

    private ParamRules() {}

    /** Every {@code param} tag of a Java file with the name of the parameter as its whole text. */
    static List<Finding> check(String path, String text) {
        List<Finding> findings = new ArrayList<>();
        for (Sentence.Block block : Sentence.blocksOfComments(text)) {
            Matcher param = PARAM.matcher(block.text());
            if (param.matches() && words(param.group(1)).equals(words(param.group(2)))) {
                findings.add(new Finding(path, block.line(), block.text().replace('\n', ' ') + ": repeats the name"));
            }
        }
        return findings;
    }

    /** The words of a name or of a phrase: {@code firstRow} and {@code first row} are equal. */
    private static String words(String text) {
        return text.strip().replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ").replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
    }
}
