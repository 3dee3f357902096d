package io.teff.test.rules.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * One sentence of a comment or of a Markdown page, with its number of pronouns and relatives.
 *
 * <p>A block is a paragraph, a list item, a table cell, a Javadoc tag or a line comment. A sentence never reaches
 * beyond its block. Markdown fences are left out. A piece of code counts as one word. Pieces of fewer than
 * {@link #WORDS_MIN} words are no sentences. The words of a {@code return} tag in braces count as code.
 *
 * @param path of the file, from the root of the repository
 * @param line where the sentence begins, from 1
 * @param text with each piece of code replaced by {@code X}
 */
record Sentence(String path, int line, String text) {
    /** Pronouns and relatives of a chain: the reader has to resolve them all at once. */
    static final int CHAIN_MIN = 4;
    static final int WORDS_MIN = 4;

    private static final Pattern PRONOUN = Pattern.compile("\\b(?:it|its|they|them|their|those|which|who|whose|whom"
        + "|whoever|what|whatever|ones?|none|others?|another|(?<!so\\s)that)\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern CODE = Pattern.compile("`[^`]*`|\\{@[a-z]+\\s[^}]*\\}|<[^>]+>");
    private static final Pattern BOUNDARY = Pattern.compile("(?<=[.;:!?])\\s+");
    private static final Pattern SPACE = Pattern.compile("\\s+");
    private static final Pattern NUMBERED = Pattern.compile("\\d+\\.");

    /** Every sentence of a file's comments; of a file that ends with {@code .md}, every sentence outside of fences. */
    static List<Sentence> all(String path, String text) {
        List<Sentence> sentences = new ArrayList<>();
        for (Block block : path.endsWith(".md") ? blocksOfPage(text) : blocksOfComments(text)) {
            addSentences(path, block, sentences);
        }
        return sentences;
    }

    private static void addSentences(String path, Block block, List<Sentence> sentences) {
        String plain = CODE.matcher(block.text().replaceFirst("^@\\w+ (?:\\S+ )?", ""))
            .replaceAll(code -> " X " + "\n".repeat(lineEnds(code.group())));
        int line = block.line();
        int from = 0;
        for (String part : BOUNDARY.split(plain)) {
            int at = plain.indexOf(part, from);
            int start = at + part.length() - part.stripLeading().length();
            line += lineEnds(plain.substring(from, start));
            Sentence sentence = new Sentence(path, line, SPACE.matcher(part.strip()).replaceAll(" "));
            if (sentence.words() >= WORDS_MIN) {
                sentences.add(sentence);
            }
            line += lineEnds(plain.substring(start, at + part.length()));
            from = at + part.length();
        }
    }

    private static int lineEnds(String text) {
        return (int) text.chars().filter(c -> c == '\n').count();
    }

    int words() {
        return text.isEmpty() ? 0 : SPACE.split(text).length;
    }

    int pronouns() {
        return (int) PRONOUN.matcher(text).results().count();
    }

    boolean isChain() {
        return pronouns() >= CHAIN_MIN;
    }

    Finding asFinding() {
        return new Finding(path, line, pronouns() + " pronouns: " + text);
    }

    /**
     * Lines of prose that belong together.
     *
     * @param line where the block begins, from 1
     * @param text with one line end between two lines; a Javadoc tag still has its name
     */
    record Block(int line, String text) {}

    /** The blocks of all comments of a Java file. */
    static List<Block> blocksOfComments(String text) {
        Blocks blocks = new Blocks();
        boolean isInside = false;
        int number = 0;
        for (String untrimmed : text.lines().toList()) {
            String line = untrimmed.strip();
            number++;
            if (isInside || line.startsWith("/*")) {
                isInside = !line.contains("*/");
                String body = line.replaceAll("^(?:/\\*\\*?|\\*/|\\*) ?|\\*/$", "").strip();
                if (body.isEmpty() || body.startsWith("@") || body.startsWith("<p>") || body.startsWith("<li>")) {
                    blocks.end();
                }
                blocks.add(number, body);
                if (!isInside) {
                    blocks.end();
                }
            } else if (line.contains("// ")) {
                blocks.end();
                blocks.add(number, line.substring(line.indexOf("// ") + 3));
                blocks.end();
            }
        }
        return blocks.all();
    }

    private static List<Block> blocksOfPage(String text) {
        Blocks blocks = new Blocks();
        boolean isFenced = false;
        int number = 0;
        for (String untrimmed : text.lines().toList()) {
            String line = untrimmed.strip();
            number++;
            if (line.startsWith("```")) {
                isFenced = !isFenced;
                blocks.end();
            } else if (line.startsWith("|") && !isFenced && !line.startsWith("|--") && !line.startsWith("| --")) {
                blocks.end();
                for (String cell : line.split("\\|")) {
                    blocks.add(number, cell.strip());
                    blocks.end();
                }
            } else if (!isFenced && !line.startsWith("|")) {
                if (line.isEmpty() || "#-*".indexOf(line.charAt(0)) >= 0 || NUMBERED.matcher(line).lookingAt()) {
                    blocks.end();
                }
                blocks.add(number, line.replaceFirst("^[-*#\\d.]+ ", ""));
            }
        }
        return blocks.all();
    }

    /** Collects the lines of one block after the other. */
    private static final class Blocks {
        private final List<Block> ended = new ArrayList<>();
        private final StringBuilder open = new StringBuilder();
        private int openLine;

        void add(int line, String text) {
            if (open.isEmpty()) {
                openLine = line;
            } else {
                open.append('\n');
            }
            open.append(text);
        }

        void end() {
            if (!open.isEmpty()) {
                ended.add(new Block(openLine, open.toString()));
                open.setLength(0);
            }
        }

        List<Block> all() {
            end();
            return ended;
        }
    }
}
