package io.teff.engine.codec.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Formerly;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.SchemaException;
import io.teff.test.kit.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: a version that lacks fields writes over values of a version that has these fields, and the fields keep their
 * content; versions that cannot change one collection at the same time are refused, and the field is named.
 *
 * <p>Method: random values of two versions whose fields are in different places, of all kinds of places: fixed and
 * variable, null and not null, first, in the middle and last.
 */
final class FieldKeeperTest {
    private static final int VALUES = 300;

    record Item(int count, String text) {}

    record Old(long id, @Nullable String name, @Nullable UUID key, List<Item> items, boolean flag) {}

    record New(@Nullable String first, boolean flag, int between, List<Item> items, @Nullable UUID key,
               @Nullable UUID other, long id, @Nullable String name, List<@Nullable String> last, Optional<Long> end) {}

    private static <T> byte[] bytes(Schema<T> schema, T value) {
        Output out = Output.growing(1);
        out.putValue(schema, value);
        return out.toByteArray();
    }

    private static <T> T read(Schema<T> schema, byte[] bytes) {
        Input in = new Input(bytes, 0, bytes.length);
        T value = schema.read(in);
        assertEquals(0, in.left());
        return value;
    }

    private static @Nullable String text(RandomGenerator random) {
        return switch (random.nextInt(4)) {
            case 0 -> null;
            case 1 -> "";
            case 2 -> "\u20ac" + random.nextInt();
            default -> "x".repeat(random.nextInt(300));
        };
    }

    private static @Nullable UUID key(RandomGenerator random) {
        return random.nextBoolean() ? null : new UUID(random.nextLong(), random.nextLong());
    }

    private static List<Item> items(RandomGenerator random) {
        List<Item> items = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            items.add(new Item(random.nextInt(), String.valueOf(random.nextInt())));
        }
        return items;
    }

    private static Old old(RandomGenerator random) {
        return new Old(random.nextLong(), text(random), key(random), items(random), random.nextBoolean());
    }

    private static New fresh(RandomGenerator random) {
        return new New(text(random), random.nextBoolean(), random.nextInt(), items(random), key(random), key(random),
            random.nextLong(), text(random), Arrays.asList(text(random), text(random)),
            random.nextBoolean() ? Optional.empty() : Optional.of(random.nextLong()));
    }

    private static void keepsFields(long seed, Schema<Old> olds, Schema<New> news) {
        FieldKeeper<Old> keeper = assertNotNull(olds.keeperOf(news.description()));
        RandomGenerator random = new SplittableRandom(seed);
        for (int i = 0; i < VALUES; i++) {
            New base = fresh(random);
            Old value = old(random);
            byte[] at = bytes(news, base);
            byte[] padded = new byte[at.length + 7];
            System.arraycopy(at, 0, padded, 3, at.length);
            New read = read(news, keeper.write(value, padded, 3, at.length));
            assertEquals(new New(base.first(), value.flag(), base.between(), value.items(), value.key(), base.other(),
                value.id(), value.name(), base.last(), base.end()), read, "reproduce: -Dseed=" + seed);
            assertEquals(value, read(olds.readerOf(news.description()), bytes(news, read)));
        }
    }

    private static <T> T assertNotNull(@Nullable T object) {
        if (object == null) {
            throw new AssertionError("null");
        }
        return object;
    }

    @Test
    void write_overAValueWithMoreFields_keepsThem() {
        long seed = Seed.first();
        keepsFields(seed, Schema.of(Old.class), Schema.of(New.class));
        keepsFields(seed, Schema.builder(Old.class).compact().build(), Schema.builder(New.class).compact().build());
    }

    @Test
    void keeperOf_aVersionWithoutFurtherFields_isNotNeeded() {
        assertNull(Schema.of(New.class).keeperOf(Schema.of(Old.class).description()));
    }

    @Test
    void write_overDamagedBytes_isRefused() {
        FieldKeeper<Old> keeper = assertNotNull(Schema.of(Old.class).keeperOf(Schema.of(New.class).description()));
        RandomGenerator random = new SplittableRandom(Seed.first());
        byte[] bytes = bytes(Schema.of(New.class), fresh(random));
        Old value = old(random);
        assertThrows(MalformedException.class, () -> keeper.write(value, bytes, 0, bytes.length - 1));
        assertThrows(MalformedException.class, () ->
            keeper.write(value, Arrays.copyOf(bytes, bytes.length + 1), 0, bytes.length + 1));
    }

    // ---- what is refused ----

    record Inner(int a) {}

    record InnerMore(int a, int b) {}

    record Around(Inner in) {}

    record AroundMore(InnerMore in) {}

    record Left(int a, int left) {}

    record Right(int a, int right) {}

    record LongMore(long a, int b) {}

    private static void noKeeper(Class<?> own, Class<?> written, String message) {
        String actual = assertThrows(SchemaException.class, () ->
            Schema.of(own).keeperOf(Schema.of(written).description())).getMessage();
        assertTrue(actual.contains(message), actual);
    }

    @Test
    void keeperOf_fieldsThatCannotBeKept_areNamed() {
        noKeeper(Around.class, AroundMore.class, "Around.in: has other bytes");
        noKeeper(Left.class, Right.class, "[left] and [Left.right]");
        noKeeper(Inner.class, LongMore.class, "Inner.a: was written as LONG");
    }

    record Renamed(@Formerly("a") int price, String text) {}

    record Text(String a) {}

    sealed interface Shape permits Circle, Square {}

    record Circle(int radius) implements Shape {}

    record Square(int side) implements Shape {}

    private static void refusedBeside(Class<?> one, Class<?> other, String message) {
        String actual = assertThrows(SchemaException.class, () ->
            Schema.of(one).requireBeside(Schema.of(other).description())).getMessage();
        assertTrue(actual.contains(message), actual);
    }

    private static void beside(Class<?> one, Class<?> other) {
        Schema.of(one).requireBeside(Schema.of(other).description());
        Schema.of(other).requireBeside(Schema.of(one).description());
    }

    @Test
    void requireBeside_versionsThatReadEachOther_pass() {
        beside(Old.class, New.class);
        beside(Left.class, Right.class);
        beside(Around.class, AroundMore.class);
        beside(Inner.class, InnerMore.class);
        beside(Shape.class, Shape.class);
    }

    @Test
    void requireBeside_versionsOfWhichOneCannotReadTheOther_areRefused_andTheFieldIsNamed() {
        refusedBeside(LongMore.class, InnerMore.class, "LongMore.a: is written as LONG");
        refusedBeside(InnerMore.class, LongMore.class, "InnerMore.a: was written as LONG");
        refusedBeside(Text.class, Inner.class, "Text.a: was written as INT");
        refusedBeside(Renamed.class, Inner.class, "Renamed.a");
        refusedBeside(Shape.class, Inner.class, "struct");
    }
}
