package io.teff.engine.codec.schema;

import io.teff.engine.codec.SchemaException;
import io.teff.engine.codec.type.Description;
import io.teff.engine.codec.type.Scalar;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Parses a {@link Description}. The text may come from a file or a peer and is not trusted: length, nesting and number
 * of structs are limited, and no name in the text is looked up as a class.
 */
final class DescriptionParser {
    private static final int LENGTH_MAX = 1 << 20;
    private static final int NESTING_MAX = 500;
    private static final int STRUCTS_MAX = 1000;
    /** Parameter slots of a generated method; a long or double takes two. The JVM's limit is 255. */
    static final int SLOTS_MAX = 250;

    private final String text;
    private final List<Shape.Struct> structs = new ArrayList<>();
    private int at;
    private int nesting;

    private DescriptionParser(String text) {
        this.text = text;
    }

    /**
     * Parses a description.
     *
     * @throws SchemaException if the text is not a description; the message has the index of the character
     */
    static Shape parse(String text) {
        if (text.length() > LENGTH_MAX) {
            throw new SchemaException("a description of " + text.length() + " characters; at most " + LENGTH_MAX
                + " are accepted", null);
        }
        DescriptionParser parser = new DescriptionParser(text);
        Shape shape = parser.shape();
        if (parser.at != text.length()) {
            throw parser.wrong("the end");
        }
        return shape;
    }

    private Shape shape() {
        String kind = word();
        return switch (kind) {
            case Description.SCALAR, Description.STANDARD, Description.PRIMITIVE_ARRAY, Description.CUSTOM ->
                named(kind);
            case Description.STRUCT -> peek() == ' ' ? known() : struct();
            case Description.ENUM -> constants();
            case Description.SEALED, Description.SEQUENCE, Description.MAP, Description.OPTIONAL -> nested(kind);
            default -> throw wrong("a kind instead of '" + kind + "'");
        };
    }

    private Shape nested(String kind) {
        enterNesting();
        Shape shape = kind.equals(Description.SEALED) ? subclasses() : composed(kind);
        nesting--;
        return shape;
    }

    private void enterNesting() {
        if (++nesting > NESTING_MAX) {
            throw wrong("at most " + NESTING_MAX + " types nested in each other");
        }
    }

    private Shape composed(String kind) {
        take('(');
        Shape first = shape();
        Shape shape = switch (kind) {
            case Description.SEQUENCE -> new Shape.Sequence(first);
            case Description.OPTIONAL -> new Shape.Optional(first);
            default -> new Shape.Entries(first, shape());
        };
        take(')');
        return shape;
    }

    private Shape named(String kind) {
        take(' ');
        String name = word();
        take(';');
        if (kind.equals(Description.SCALAR) || kind.equals(Description.PRIMITIVE_ARRAY)) {
            scalar(name);
        }
        return new Shape.Named(kind, name);
    }

    private Scalar scalar(String name) {
        try {
            return Scalar.valueOf(name);
        } catch (IllegalArgumentException e) {
            throw wrong("a primitive type instead of '" + name + "'");
        }
    }

    private Shape constants() {
        take(' ');
        String type = word();
        Set<String> seen = new HashSet<>();
        List<String> names = new ArrayList<>();
        take('(');
        while (peek() != ')') {
            names.add(unseen(word(), seen));
            take(';');
        }
        take(')');
        return new Shape.Constants(type, List.copyOf(names));
    }

    private Shape subclasses() {
        take(' ');
        String type = word();
        Set<String> seen = new HashSet<>();
        List<String> names = new ArrayList<>();
        List<Shape> shapes = new ArrayList<>();
        take('(');
        while (peek() != ')') {
            names.add(unseen(word(), seen));
            take('=');
            shapes.add(shape());
        }
        take(')');
        return new Shape.Subclasses(type, List.copyOf(names), List.copyOf(shapes));
    }

    /** Parses the number of a struct that began earlier. */
    private Shape known() {
        take(' ');
        String number = word();
        take(';');
        try {
            return structs.get(Integer.parseInt(number));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw wrong("the number of a struct instead of '" + number + "'");
        }
    }

    private Shape struct() {
        if (structs.size() == STRUCTS_MAX) {
            throw wrong("at most " + STRUCTS_MAX + " structs");
        }
        enterNesting();
        Shape.Struct struct = new Shape.Struct();
        structs.add(struct);
        Set<String> seen = new HashSet<>();
        int slots = 0;
        take('(');
        while (peek() != ')') {
            Shape.Member member = member(unseen(word(), seen));
            slots += member.scalar() == Scalar.LONG || member.scalar() == Scalar.DOUBLE ? 2 : 1;
            if (slots > SLOTS_MAX) {
                throw wrong("at most " + SLOTS_MAX + " fields, of which a long or double counts twice,");
            }
            struct.members().add(member);
        }
        take(')');
        nesting--;
        return struct;
    }

    private Shape.Member member(String name) {
        take('=');
        int before = at;
        String kind = word();
        if (kind.equals(Description.PRIMITIVE) || kind.equals(Description.ZIGZAG)) {
            take(' ');
            Scalar scalar = scalar(word());
            take(';');
            boolean zigzag = kind.equals(Description.ZIGZAG);
            if (zigzag && scalar != Scalar.INT && scalar != Scalar.LONG) {
                throw wrong("an int or long");
            }
            return new Shape.Member(name, scalar, zigzag, null);
        }
        at = before;
        return new Shape.Member(name, null, false, shape());
    }

    // ---- characters ----

    /** Returns a name that has not occurred in the same list before. */
    private String unseen(String name, Set<String> seen) {
        if (!seen.add(name)) {
            throw wrong("a name other than '" + name + "', which occurs twice,");
        }
        return name;
    }

    private String word() {
        int start = at;
        while (at < text.length() && Description.DELIMITERS.indexOf(text.charAt(at)) < 0) {
            at++;
        }
        if (at == start) {
            throw wrong("a name");
        }
        return text.substring(start, at);
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private void take(char expected) {
        if (peek() != expected || at == text.length()) {
            throw wrong("'" + expected + "'");
        }
        at++;
    }

    private SchemaException wrong(String expected) {
        return new SchemaException("not a description of a schema: " + expected + " is expected at character "
            + at, null);
    }
}
