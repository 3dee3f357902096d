package io.teff.cluster.terminal.shell.value;

import io.teff.engine.codec.schema.Codecs;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the description of a codec that a collection keeps. Length and nesting are limited. */
final class ShapeParser {
    private static final int LENGTH_MAX = 1 << 20;
    private static final int NESTING_MAX = 200;
    /** The only classes that a description may name. */
    private static final Map<String, Class<?>> CLASSES = Stream.of(UUID.class, Instant.class, Duration.class,
        LocalDate.class, LocalTime.class, LocalDateTime.class, ZoneOffset.class, OffsetDateTime.class, OffsetTime.class,
        Year.class, YearMonth.class, MonthDay.class, Period.class, BigInteger.class, BigDecimal.class, BitSet.class,
        ZoneId.class, ZonedDateTime.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class)
        .collect(Collectors.toMap(Class::getName, Function.identity()));

    private final String text;
    private final List<ValueShape.Struct> structs = new ArrayList<>();
    /** Structs whose end was not read yet. */
    private final Set<ValueShape.Struct> open = new HashSet<>();
    private int at;
    private int nesting;

    private ShapeParser(String text) {
        this.text = text;
    }

    /**
     * Reads a description.
     *
     * @throws IllegalArgumentException if the description is of a codec that the shell does not know
     */
    static ValueShape parse(String text) {
        switch (text) {
            case "long":
                return new ValueShape.Scalar(ScalarKind.LONG);
            case "int":
                return new ValueShape.Scalar(ScalarKind.INT);
            case "string":
                return new ValueShape.Text();
            case "bytes":
                return new ValueShape.Rest();
            default:
                ShapeParser parser = new ShapeParser(text);
                if (text.length() > LENGTH_MAX) {
                    throw parser.wrong();
                }
                ValueShape shape = parser.shape();
                if (parser.at != text.length()) {
                    throw parser.wrong();
                }
                return shape;
        }
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("the description has no known codec at character " + at);
    }

    private ValueShape shape() {
        if (++nesting > NESTING_MAX) {
            throw wrong();
        }
        String kind = word();
        ValueShape shape = switch (kind) {
            case "scalar" -> new ValueShape.Scalar(scalar(named()));
            case "primitives" -> new ValueShape.Numbers(scalar(named()));
            case "standard" -> standard(named());
            case "custom" -> {
                named();
                yield new ValueShape.Custom();
            }
            case "sequence", "optional", "map" -> composed(kind);
            case "enum" -> constants();
            case "sealed" -> choice();
            case "struct" -> peek() == ' ' ? known() : struct();
            default -> throw wrong();
        };
        nesting--;
        return shape;
    }

    private ValueShape composed(String kind) {
        take('(');
        ValueShape first = shape();
        ValueShape shape = switch (kind) {
            case "sequence" -> new ValueShape.Sequence(first);
            case "optional" -> new ValueShape.Maybe(first);
            default -> new ValueShape.Entries(first, shape());
        };
        take(')');
        return shape;
    }

    private ValueShape standard(String name) {
        if (name.equals(String.class.getName())) {
            return new ValueShape.Text();
        }
        Class<?> type = CLASSES.get(name);
        if (type == null) {
            throw wrong();
        }
        return new ValueShape.Standard(type, Codecs.of(type).fixedBytes());
    }

    private ScalarKind scalar(String name) {
        try {
            return ScalarKind.valueOf(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("there is no primitive type " + name, e);
        }
    }

    private ValueShape constants() {
        take(' ');
        word();
        take('(');
        List<String> names = new ArrayList<>();
        while (peek() != ')') {
            names.add(word());
            take(';');
        }
        take(')');
        return new ValueShape.Constants(List.copyOf(names));
    }

    private ValueShape choice() {
        take(' ');
        word();
        take('(');
        List<String> names = new ArrayList<>();
        List<ValueShape> shapes = new ArrayList<>();
        while (peek() != ')') {
            names.add(word());
            take('=');
            shapes.add(shape());
        }
        take(')');
        return new ValueShape.Choice(List.copyOf(names), List.copyOf(shapes));
    }

    private ValueShape known() {
        try {
            ValueShape.Struct struct = structs.get(Integer.parseInt(named()));
            return open.contains(struct) ? new ValueShape.Again(struct) : struct;
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("the description names a struct that has not begun", e);
        }
    }

    private ValueShape struct() {
        take('(');
        ValueShape.Struct struct = new ValueShape.Struct();
        structs.add(struct);
        open.add(struct);
        while (peek() != ')') {
            String name = word();
            take('=');
            struct.add(field(name));
        }
        take(')');
        struct.end();
        open.remove(struct);
        return struct;
    }

    private ValueShape.Field field(String name) {
        int before = at;
        String kind = word();
        if (kind.equals("primitive")) {
            return new ValueShape.Field(name, new ValueShape.Scalar(scalar(named())), false);
        }
        if (kind.equals("zigzag")) {
            named();
            return new ValueShape.Field(name, new ValueShape.Zigzag(), false);
        }
        at = before;
        return new ValueShape.Field(name, shape(), true);
    }

    // ---- characters ----

    /** Reads the name behind a kind, and the semicolon. */
    private String named() {
        take(' ');
        String name = word();
        take(';');
        return name;
    }

    private String word() {
        int from = at;
        while (at < text.length() && " ;=()".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        if (at == from) {
            throw wrong();
        }
        return text.substring(from, at);
    }

    private char peek() {
        if (at == text.length()) {
            throw wrong();
        }
        return text.charAt(at);
    }

    private void take(char wanted) {
        if (peek() != wanted) {
            throw wrong();
        }
        at++;
    }
}
