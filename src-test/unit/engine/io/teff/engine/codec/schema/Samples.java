package io.teff.engine.codec.schema;

import io.teff.engine.codec.Creator;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;

/** Types of every kind, and random values of them. */
final class Samples {
    private static final int DEPTH_MAX = 4;

    private final SplittableRandom random;

    Samples(SplittableRandom random) {
        this.random = random;
    }

    enum Color { RED, GREEN, BLUE }

    record Primitives(boolean flag, byte tiny, short small, char letter, int number, long big, float single,
                      double twice) {}

    record Boxes(Boolean flag, Byte tiny, Short small, Character letter, Integer number, Long big, Float single,
                 Double twice, Color color) {}

    record Point(int x, int y) {}

    record Line(Point from, Point to, boolean dashed, Color color) {}

    record Times(Instant instant, Duration duration, LocalDate date, LocalTime time, LocalDateTime dateTime,
                 OffsetDateTime offsetDateTime, OffsetTime offsetTime, ZonedDateTime zoned, ZoneOffset offset,
                 ZoneId zone, Year year, YearMonth month, MonthDay day, Period period) {}

    record Numbers(BigInteger integer, BigDecimal decimal, UUID uuid, OptionalInt anInt, OptionalLong aLong,
                   OptionalDouble aDouble) {}

    record Texts(String first, String second, List<String> list, Optional<String> optional) {}

    record Lists(List<Point> points, Set<Integer> set, SortedSet<String> sorted, Deque<Line> lines,
                 Map<String, List<Color>> map, NavigableMap<Integer, Optional<Point>> tree) {}

    record Pair<A, B>(A left, B right) {}

    record Generic(Pair<String, Integer> plain, List<Pair<Point, List<Long>>> deep) {}

    record Node(String name, List<Node> children) {}

    sealed interface Shape permits Circle, Square, Group {}

    record Circle(Point center, double radius) implements Shape {}

    record Square(Point corner, float side) implements Shape {}

    record Group(List<Shape> shapes, Shape background) implements Shape {}

    record Empty() {}

    record Empties(List<Empty> list, Empty one) {}

    /** Arrays of all kinds; equals compares their content. */
    record Arrays2(boolean[] flags, byte[] bytes, short[] shorts, char[] chars, int[] ints, long[] longs,
                   float[] floats, double[] doubles, int[][] grid, Point[] points, String[] texts) {
        private Object[] all() {
            return new Object[] {flags, bytes, shorts, chars, ints, longs, floats, doubles, grid, points, texts};
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Arrays2 that && Arrays.deepEquals(all(), that.all());
        }

        @Override
        public int hashCode() {
            return Arrays.deepHashCode(all());
        }

        @Override
        public String toString() {
            return Arrays.deepToString(all());
        }
    }

    /** A class with a factory method, final fields, and a field that is not stored. */
    static final class Account {
        private final String owner;
        private final long cents;
        private final transient int cached;

        private Account(String owner, long cents) {
            this.owner = owner;
            this.cents = cents;
            this.cached = 7;
        }

        @Creator({"cents", "owner"})
        static Account open(long cents, String owner) {
            if (cents < 0) {
                throw new IllegalArgumentException("cents=" + cents);
            }
            return new Account(owner, cents);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Account that && Objects.equals(owner, that.owner) && cents == that.cents
                && cached == that.cached;
        }

        @Override
        public int hashCode() {
            return Objects.hash(owner, cents);
        }
    }

    record Accounts(List<Account> accounts) {}

    static final List<Class<?>> TYPES = List.of(Primitives.class, Boxes.class, Line.class, Times.class, Numbers.class,
        Texts.class, Lists.class, Generic.class, Node.class, Shape.class, Empties.class, Arrays2.class, Accounts.class,
        String.class, Color.class, long[].class, Point[][].class, Instant.class, Integer.class);

    // ---- random values ----

    @SuppressWarnings("unchecked")
    <T> T any(Class<T> type) {
        return (T) switch (TYPES.indexOf(type)) {
            case 0 -> new Primitives(random.nextBoolean(), (byte) bits(), (short) bits(), (char) bits(), (int) bits(),
                bits(), Float.intBitsToFloat((int) bits() & 0x7F7F_FFFF), random.nextDouble());
            case 1 -> new Boxes(maybe(random::nextBoolean), maybe(() -> (byte) bits()), maybe(() -> (short) bits()),
                maybe(() -> (char) bits()), maybe(() -> (int) bits()), maybe(this::bits), maybe(() -> 1.5f * bits()),
                maybe(random::nextDouble), maybe(this::color));
            case 2 -> line();
            case 3 -> times();
            case 4 -> new Numbers(maybe(() -> BigInteger.valueOf(bits()).pow(random.nextInt(5))),
                maybe(() -> BigDecimal.valueOf(bits(), random.nextInt(-5, 9))), maybe(() -> new UUID(bits(), bits())),
                random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of((int) bits()),
                random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(bits()),
                random.nextBoolean() ? OptionalDouble.empty() : OptionalDouble.of(random.nextDouble()));
            case 5 -> new Texts(maybe(this::text), text(), maybe(() -> list(() -> maybe(this::text))),
                Optional.ofNullable(maybe(this::text)));
            case 6 -> lists();
            case 7 -> new Generic(new Pair<>(maybe(this::text), maybe(() -> (int) bits())), maybe(() -> list(() ->
                maybe(() -> new Pair<>(maybe(this::point), maybe(() -> list(this::bits)))))));
            case 8 -> node(0);
            case 9 -> shape(0);
            case 10 -> new Empties(maybe(() -> list(() -> maybe(Empty::new))), maybe(Empty::new));
            case 11 -> arrays();
            case 12 -> new Accounts(list(() -> Account.open(bits() >>> 1, maybe(this::text))));
            case 13 -> text();
            case 14 -> color();
            case 15 -> random.longs(random.nextInt(9)).toArray();
            case 16 -> list(() -> maybe(() -> list(() -> maybe(this::point)).toArray(Point[]::new)))
                .toArray(Point[][]::new);
            case 17 -> Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));
            case 18 -> (int) bits();
            default -> throw new AssertionError(type);
        };
    }

    /** Returns a number that is often small. */
    private long bits() {
        return random.nextLong() >> random.nextInt(64);
    }

    private <T> T maybe(Supplier<T> value) {
        return random.nextInt(5) == 0 ? null : value.get();
    }

    private <T> List<T> list(Supplier<T> element) {
        List<T> list = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            list.add(element.get());
        }
        return list;
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        int limit = random.nextInt(3) == 0 ? 0x1_0000 : 0x100;
        for (int i = random.nextInt(20); i > 0; i--) {
            text.append((char) random.nextInt(limit));
        }
        return text.toString();
    }

    private Color color() {
        return Color.values()[random.nextInt(3)];
    }

    private Point point() {
        return new Point((int) bits(), (int) bits());
    }

    private Line line() {
        return new Line(maybe(this::point), maybe(this::point), random.nextBoolean(), maybe(this::color));
    }

    private Lists lists() {
        Map<String, List<Color>> map = new LinkedHashMap<>();
        list(this::text).forEach(key -> map.put(key, maybe(() -> list(this::color))));
        NavigableMap<Integer, Optional<Point>> tree = new TreeMap<>();
        list(() -> (int) bits()).forEach(key -> tree.put(key, Optional.ofNullable(maybe(this::point))));
        return new Lists(maybe(() -> list(() -> maybe(this::point))), maybe(() -> new LinkedHashSet<>(list(() ->
            (int) bits()))), maybe(() -> new TreeSet<>(list(this::text))), new ComparableDeque(list(this::line)),
            maybe(() -> map), maybe(() -> tree));
    }

    /** A deque whose equals compares the content. */
    private static final class ComparableDeque extends ArrayDeque<Line> {
        private static final long serialVersionUID = 1L;

        ComparableDeque(List<Line> lines) {
            super(lines);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Deque<?> that && new ArrayList<>(this).equals(new ArrayList<>(that));
        }

        @Override
        public int hashCode() {
            return new ArrayList<>(this).hashCode();
        }
    }

    private Node node(int depth) {
        return new Node(maybe(this::text), maybe(() -> depth == DEPTH_MAX ? List.of() : list(() ->
            maybe(() -> node(depth + 1)))));
    }

    private Shape shape(int depth) {
        return switch (random.nextInt(depth == DEPTH_MAX ? 2 : 3)) {
            case 0 -> new Circle(maybe(this::point), random.nextDouble());
            case 1 -> new Square(maybe(this::point), random.nextFloat());
            default -> new Group(maybe(() -> list(() -> maybe(() -> shape(depth + 1)))), maybe(() -> shape(depth + 1)));
        };
    }

    private Times times() {
        LocalDateTime dateTime = LocalDateTime.of(random.nextInt(-9999, 9999), random.nextInt(1, 13),
            random.nextInt(1, 28), random.nextInt(24), random.nextInt(60), random.nextInt(60),
            random.nextInt(1_000_000_000));
        ZoneOffset offset = ZoneOffset.ofTotalSeconds(random.nextInt(-18 * 3600, 18 * 3600 + 1));
        ZoneId zone = ZoneId.of(List.of("Europe/Berlin", "UTC", "Asia/Tokyo").get(random.nextInt(3)));
        return new Times(maybe(() -> Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000))),
            maybe(() -> Duration.ofSeconds(bits() >> 8, random.nextInt(1_000_000_000))), maybe(dateTime::toLocalDate),
            maybe(dateTime::toLocalTime), maybe(() -> dateTime), maybe(() -> OffsetDateTime.of(dateTime, offset)),
            maybe(() -> OffsetTime.of(dateTime.toLocalTime(), offset)), maybe(() -> ZonedDateTime.of(dateTime, zone)),
            maybe(() -> offset), maybe(() -> zone), maybe(() -> Year.of(dateTime.getYear())),
            maybe(() -> YearMonth.from(dateTime)), maybe(() -> MonthDay.from(dateTime)),
            maybe(() -> Period.of((int) bits(), (int) bits(), (int) bits())));
    }

    private Arrays2 arrays() {
        int n = random.nextInt(12);
        boolean[] flags = new boolean[n];
        byte[] bytes = new byte[n];
        short[] shorts = new short[n];
        char[] chars = new char[n];
        float[] floats = new float[n];
        for (int i = 0; i < n; i++) {
            flags[i] = random.nextBoolean();
            bytes[i] = (byte) bits();
            shorts[i] = (short) bits();
            chars[i] = (char) bits();
            floats[i] = random.nextFloat();
        }
        return new Arrays2(flags, bytes, maybe(() -> shorts), chars, maybe(() -> random.ints(n).toArray()),
            random.longs(n).toArray(), floats, random.doubles(n).toArray(),
            maybe(() -> list(() -> maybe(() -> random.ints(3).toArray())).toArray(int[][]::new)),
            maybe(() -> list(() -> maybe(this::point)).toArray(Point[]::new)),
            maybe(() -> list(() -> maybe(this::text)).toArray(String[]::new)));
    }
}
