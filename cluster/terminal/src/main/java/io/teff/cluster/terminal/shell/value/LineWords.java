package io.teff.cluster.terminal.shell.value;

import java.util.ArrayList;
import java.util.List;

/**
 * Divides a line into commands, and commands into words. A semicolon ends a command. Quotes {@code '} keep all
 * characters; quotes {@code "} keep all but a backslash; a backslash keeps the next character. A word that begins with
 * {@code #} begins a comment.
 */
public final class LineWords {
    private static final String PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:,=@";

    private final String line;
    private final List<List<String>> commands = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private List<String> command = new ArrayList<>();
    private boolean isInWord;
    private int at;

    private LineWords(String line) {
        this.line = line;
    }

    /**
     * Divides a line.
     *
     * @param line any text
     * @return the commands, none of them empty
     * @throws IllegalArgumentException if a quote is not closed
     */
    public static List<List<String>> commands(String line) {
        LineWords words = new LineWords(line);
        words.divide();
        return words.commands;
    }

    private void divide() {
        while (at < line.length()) {
            char next = line.charAt(at++);
            if (next == '#' && !isInWord) {
                break;
            } else if (Character.isWhitespace(next)) {
                endWord();
            } else if (next == ';') {
                endCommand();
            } else if (next == '\'' || next == '"') {
                quoted(next);
            } else {
                isInWord = true;
                word.append(next == '\\' && at < line.length() ? line.charAt(at++) : next);
            }
        }
        endCommand();
    }

    private void quoted(char quote) {
        int from = at;
        isInWord = true;
        while (at < line.length() && line.charAt(at) != quote) {
            char next = line.charAt(at++);
            word.append(next == '\\' && quote == '"' && at < line.length() ? line.charAt(at++) : next);
        }
        if (at == line.length()) {
            throw new IllegalArgumentException("the quote at character " + from + " is not closed");
        }
        at++;
    }

    private void endWord() {
        if (isInWord) {
            command.add(word.toString());
            word.setLength(0);
            isInWord = false;
        }
    }

    private void endCommand() {
        endWord();
        if (!command.isEmpty()) {
            commands.add(command);
            command = new ArrayList<>();
        }
    }

    /**
     * {@return a word as it is written in a line}
     *
     * @param word any text
     */
    public static String quote(String word) {
        boolean isPlain = !word.isEmpty() && word.chars().allMatch(each -> PLAIN.indexOf(each) >= 0);
        return isPlain ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
