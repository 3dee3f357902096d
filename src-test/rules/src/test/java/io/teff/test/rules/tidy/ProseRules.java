package io.teff.test.rules.tidy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Sentences that make a reader guess the noun: the actor is a pronoun, the thing is a clause, the amount has no unit.
 *
 * <p>The rules look at comments of product code and at Markdown outside of fences. A match is a place to look at, not
 * always a fault, so the tidy test allows a few of them per thousand words and no more.
 */
final class ProseRules {
    /** Matches per thousand words that are allowed, over all product code and documents. */
    static final double RATE_MAX = 0.7;

    private static final int THOUSAND = 1000;
    // Put together here, so that these rules do not find themselves.
    private static final Map<String, Pattern> RULES = rules();

    private ProseRules() {}

    private static Map<String, Pattern> rules() {
        Map<String, Pattern> rules = new LinkedHashMap<>();
        rules.put("the sentence begins with a pronoun instead of a noun", Pattern.compile("(?:^|[.:;!?] )"
            + "(?:Wh" + "o|Wh" + "ose|Wh" + "oever|Wh" + "atever|Wh" + "at) "
            + "(?!if\\b|happens\\b|follows\\b|it\\b)[a-z]+"));
        rules.put("an amount without a noun", Pattern.compile("\\b[Ss]" + "o (?:many|much|far) (?:[a-z]+ ){0,3}"
            + "(?:was|were|is|are|had|has|there|this|that|come|came)"));
        rules.put("no noun for the actor", Pattern.compile("\\b(?:[Nn]o" + "body|[Ss]ome" + "body)\\b"));
        rules.put("say which call or event reports it", Pattern.compile("\\b(?:is|are|was|were|be|been) to" + "ld\\b"
            + "|\\bto" + "ld of\\b|\\bunto" + "ld\\b"));
        rules.put("a clause instead of a noun", Pattern.compile("\\b(?:of|to|for|by|from|with|tells|asks|lets|makes) "
            + "wh" + "o(?:ever)? [a-z]+"));
        rules.put("name or link what is repeated", Pattern.compile("(?:^|\\* )The sa" + "me(?:[,.;]| but| without| from"
            + "| of| with)"));
        rules.put("say which", Pattern.compile("as it mu" + "st be|all of i" + "t\\b|what there i" + "s|what is the"
            + "re"));
        return rules;
    }

    /** Every match in one file. */
    static List<Finding> check(String path, String text) {
        List<Finding> findings = new ArrayList<>();
        List<String> lines = prose(path, text);
        for (int index = 0; index < lines.size(); index++) {
            for (Map.Entry<String, Pattern> rule : RULES.entrySet()) {
                String line = lines.get(index);
                int number = index + 1;
                rule.getValue().matcher(line).results().forEach(match -> findings.add(
                    new Finding(path, number, "\"" + match.group().strip() + "\": " + rule.getKey())));
            }
        }
        return findings;
    }

    /** {@return how many words of prose a file has} */
    static long words(String path, String text) {
        return prose(path, text).stream().filter(line -> !line.isBlank()).mapToLong(line -> line.split("\\s+").length)
            .sum();
    }

    /** {@return whether the number of findings exceeds {@link #RATE_MAX}} */
    static boolean isTooMuch(Collection<Finding> findings, long words) {
        return findings.size() * (double) THOUSAND > RATE_MAX * words;
    }

    /** The lines of a file with everything but prose replaced by empty lines. */
    private static List<String> prose(String path, String text) {
        return path.endsWith(".md") ? ofPage(text) : ofComments(text);
    }

    private static List<String> ofPage(String text) {
        List<String> prose = new ArrayList<>();
        boolean isFenced = false;
        for (String line : text.lines().toList()) {
            boolean isFence = line.stripLeading().startsWith("```");
            isFenced ^= isFence;
            prose.add(isFenced || isFence ? "" : line.strip());
        }
        return prose;
    }

    private static List<String> ofComments(String text) {
        List<String> prose = new ArrayList<>();
        boolean isInside = false;
        for (String line : text.lines().toList()) {
            String stripped = line.strip();
            int comment = stripped.indexOf("// ");
            if (isInside || stripped.startsWith("/*")) {
                isInside = !stripped.contains("*/");
                prose.add(stripped.replaceFirst("^(/\\*\\*?|\\*/|\\*) ?", "").replaceFirst("\\*/$", "").strip());
            } else {
                prose.add(comment >= 0 ? stripped.substring(comment + 3) : "");
            }
        }
        return prose;
    }
}
