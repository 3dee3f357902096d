package io.teff.engine.compute;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON as far as scripts need it: objects, arrays, texts, whole numbers, true, false and null. For one text.
 */
final class JsonText {
    private static final int DEPTH_MAX = 64;
    private static final int HEX = 16;
    private static final int HEX_DIGITS = 4;

    private final String text;
    private int at;
    private int depth;

    private JsonText(String text) {
        this.text = text;
    }

    /**
     * Reads a text.
     *
     * @throws IllegalArgumentException naming the place of the first mistake
     */
    static @Nullable Object parse(String text) {
        final JsonText json = new JsonText(text);
        final Object value = json.value();
        json.skipSpace();
        if (json.at < text.length()) {
            throw json.wrong("text behind the end");
        }
        return value;
    }

    private @Nullable Object value() {
        skipSpace();
        if (++depth > DEPTH_MAX) {
            throw wrong("nested deeper than " + DEPTH_MAX);
        }
        final Object value = switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", Boolean.TRUE);
            case 'f' -> word("false", Boolean.FALSE);
            case 'n' -> word("null", null);
            default -> number();
        };
        depth--;
        return value;
    }

    private Map<String, @Nullable Object> object() {
        final Map<String, @Nullable Object> map = new LinkedHashMap<>();
        at++;
        skipSpace();
        while (peek() != '}') {
            skipSpace();
            if (peek() != '"') {
                throw wrong("no key");
            }
            final String key = string();
            skipSpace();
            expect(':');
            if (map.containsKey(key)) {
                throw wrong("the key " + key + " twice");
            }
            map.put(key, value());
            next('}');
        }
        at++;
        return map;
    }

    private List<@Nullable Object> array() {
        final List<@Nullable Object> list = new ArrayList<>();
        at++;
        skipSpace();
        while (peek() != ']') {
            list.add(value());
            next(']');
        }
        at++;
        return list;
    }

    /** Goes behind a comma; stays at the end of an object or array. */
    private void next(char end) {
        skipSpace();
        if (peek() != end) {
            expect(',');
            skipSpace();
            if (peek() == end) {
                throw wrong("a comma in front of " + end);
            }
        }
    }

    private String string() {
        final StringBuilder into = new StringBuilder();
        at++;
        for (char next = take(); next != '"'; next = take()) {
            into.append(next == '\\' ? escaped() : next);
        }
        return into.toString();
    }

    private char escaped() {
        final char next = take();
        return switch (next) {
            case '"', '\\', '/' -> next;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw wrong("an unknown escape");
        };
    }

    private char unicode() {
        if (at + HEX_DIGITS > text.length()) {
            throw wrong("the end in an escape");
        }
        try {
            final char found = (char) Integer.parseInt(text, at, at + HEX_DIGITS, HEX);
            at += HEX_DIGITS;
            return found;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("script: a wrong escape at character " + at, e);
        }
    }

    private Long number() {
        final int from = at;
        while (at < text.length() && (text.charAt(at) == '-' || Character.isDigit(text.charAt(at)))) {
            at++;
        }
        try {
            return Long.valueOf(text.substring(from, at));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("script: no value at character " + from, e);
        }
    }

    private @Nullable Object word(String word, @Nullable Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong("no value");
        }
        at += word.length();
        return value;
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong("the end too early");
        }
        return text.charAt(at);
    }

    private char take() {
        final char next = peek();
        at++;
        return next;
    }

    private void expect(char wanted) {
        if (take() != wanted) {
            throw wrong("no " + wanted);
        }
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("script: " + what + " at character " + at);
    }
}
