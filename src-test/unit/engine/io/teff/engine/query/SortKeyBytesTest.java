package io.teff.engine.query;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Output;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: the unsigned order of the bytes of two values is the order of the values, also with other values behind them,
 * and no value's bytes begin with those of another.
 *
 * <p>Method: random pairs of each type, most of them near each other or at the ends of the type.
 */
final class SortKeyBytesTest {
    private static final int PAIRS = Form.size(20_000, 200_000, 200_000);
    private static final int[] INTS = {Integer.MIN_VALUE, Integer.MIN_VALUE + 1, -256, -1, 0, 1, 255, 256,
        Integer.MAX_VALUE - 1, Integer.MAX_VALUE};
    private static final double[] DOUBLES = {Double.NEGATIVE_INFINITY, -Double.MAX_VALUE, -1.5, -Double.MIN_VALUE, -0.0,
        0.0, Double.MIN_VALUE, 1.5, Double.MAX_VALUE, Double.POSITIVE_INFINITY, Double.NaN};
    private static final char[] CHARS = {0, 1, 2, 'a', 0x7F, 0x80, 0x7FF, 0x800, 0xD800, 0xDC00, 0xE000, 0xFFFF};

    private static Object random(FieldKind kind, SplittableRandom random) {
        return switch (kind) {
            case INT -> random.nextBoolean() ? INTS[random.nextInt(INTS.length)] : random.nextInt();
            case LONG -> random.nextBoolean() ? (long) INTS[random.nextInt(INTS.length)] << random.nextInt(33)
                : random.nextLong();
            case DOUBLE -> random.nextBoolean() ? DOUBLES[random.nextInt(DOUBLES.length)]
                : Double.longBitsToDouble(random.nextLong());
            case BOOLEAN -> random.nextBoolean();
            case STRING -> {
                StringBuilder text = new StringBuilder();
                for (int i = random.nextInt(4); i > 0; i--) {
                    text.append(CHARS[random.nextInt(CHARS.length)]);
                }
                yield text.toString();
            }
            case BYTES -> {
                byte[] bytes = new byte[random.nextInt(4)];
                for (int i = 0; i < bytes.length; i++) {
                    bytes[i] = (byte) (random.nextInt(5) - 2);
                }
                yield bytes;
            }
        };
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static int compare(FieldKind kind, Object one, Object other) {
        return Integer.signum(kind == FieldKind.BYTES ? Arrays.compareUnsigned((byte[]) one, (byte[]) other)
            : ((Comparator) Comparator.naturalOrder()).compare(one, other));
    }

    private static byte[] bytes(FieldKind kind, Object value) {
        Output out = Output.growing(8);
        kind.put(value, out);
        return out.toByteArray();
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] joined = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return joined;
    }

    @ParameterizedTest
    @EnumSource
    void bytesOfTwoValues_areInTheirOrder(FieldKind kind) {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        for (int i = 0; i < PAIRS; i++) {
            Object one = random(kind, random);
            Object other = random(kind, random);
            byte[] first = bytes(kind, one);
            byte[] second = bytes(kind, other);
            int order = compare(kind, one, other);
            byte[] tail = bytes(FieldKind.INT, random.nextInt());
            byte[] otherTail = bytes(FieldKind.INT, random.nextInt());
            String text = one + " and " + other + "; " + Seed.reproduce(getClass(), seed);
            assertEquals(order, Integer.signum(Arrays.compareUnsigned(first, second)), text);
            assertEquals(order != 0 ? order : Integer.signum(Arrays.compareUnsigned(tail, otherTail)),
                Integer.signum(Arrays.compareUnsigned(joined(first, tail), joined(second, otherTail))), text);
            assertEquals(first.length, kind.end(joined(first, tail), 0), text);
            assertTrue(order == 0 || Arrays.mismatch(first, second) < Math.min(first.length, second.length), text);
        }
    }

    @Test
    void numbersOfKeys_areReadBack() {
        SplittableRandom random = Seed.random(Seed.first());
        for (int i = 0; i < PAIRS; i++) {
            int number = (int) random(FieldKind.INT, random);
            long wide = (long) random(FieldKind.LONG, random);
            assertEquals(number, SortKeyBytes.getInt(bytes(FieldKind.INT, number), 0));
            assertEquals(wide, SortKeyBytes.getLong(bytes(FieldKind.LONG, wide), 0));
        }
    }

    @Test
    void behind_isAboveAllWithThePrefix_andBelowAllOthersAbove() {
        assertArrayEquals(new byte[] {1, 3}, SortKeyBytes.behind(new byte[] {1, 2}));
        assertArrayEquals(new byte[] {2}, SortKeyBytes.behind(new byte[] {1, -1, -1}));
        assertNull(SortKeyBytes.behind(new byte[] {-1, -1}));
        assertNull(SortKeyBytes.behind(new byte[0]));
    }

    /** A record with a field of each type, of which the queries below read one. */
    private record Held(Object value) {}

    @ParameterizedTest
    @EnumSource
    void conditions_holdAsTheComparisonOfValues(FieldKind kind) {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        Field<Held, Object> field = field(kind);
        Output out = Output.growing(8);
        for (int i = 0; i < PAIRS / 10; i++) {
            Object value = random(kind, random);
            Object low = random(kind, random);
            Object high = random(kind, random);
            out.clear();
            field.put(new Held(value), out);
            Function<Condition<Held>, Boolean> holds = it -> it.contains(out.array(), out.size());
            int toLow = compare(kind, value, low);
            int toHigh = compare(kind, value, high);
            String text = value + ", " + low + ", " + high + "; " + Seed.reproduce(getClass(), seed);
            assertEquals(toLow == 0, holds.apply(field.equalTo(low)), text);
            assertEquals(toLow >= 0, holds.apply(field.atLeast(low)), text);
            assertEquals(toLow > 0, holds.apply(field.above(low)), text);
            assertEquals(toLow <= 0, holds.apply(field.atMost(low)), text);
            assertEquals(toLow < 0, holds.apply(field.below(low)), text);
            assertEquals(toLow >= 0 && toHigh <= 0, holds.apply(field.between(low, high)), text);
            if (kind == FieldKind.STRING) {
                assertEquals(((String) value).startsWith((String) low), holds.apply(field.startsWith(low)), text);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static Field<Held, Object> field(FieldKind kind) {
        Field<Held, ?> field = switch (kind) {
            case INT -> Field.ofInt("it", (Held held) -> (Integer) held.value());
            case LONG -> Field.ofLong("it", (Held held) -> (Long) held.value());
            case DOUBLE -> Field.ofDouble("it", (Held held) -> (Double) held.value());
            case BOOLEAN -> Field.ofBoolean("it", (Held held) -> (Boolean) held.value());
            case STRING -> Field.ofString("it", (Held held) -> (String) held.value());
            case BYTES -> Field.ofBytes("it", (Held held) -> (byte[]) held.value());
        };
        return (Field<Held, Object>) field;
    }

    @Test
    void null_isBeforeAllOthers() {
        Field<Held, String> field = Field.ofString("it", held -> (String) held.value());
        Output out = Output.growing(8);
        field.put(new Held(null), out);
        assertTrue(field.isNull().contains(out.array(), out.size()));
        assertFalse(field.atMost("").contains(out.array(), out.size()));
        assertFalse(field.atLeast("").contains(out.array(), out.size()));
        byte[] none = out.toByteArray();
        out.clear();
        field.put(new Held(""), out);
        assertFalse(field.isNull().contains(out.array(), out.size()));
        assertTrue(Arrays.compareUnsigned(none, out.toByteArray()) < 0);
        assertNotNull(field.isNull().high());
    }
}
