package io.teff.cluster.terminal.shell.value;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.test.kit.Seed;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Layouts of chunks: what is written is read, for any layout and any values. */
final class LayoutTest {
    private static final int LAYOUTS = 3_000;
    private static final List<String> FIXED = List.of("bool", "byte", "short", "int", "long", "float", "double", "cid");

    /** A field with a value: the text of the field, the word, and what is read. */
    private record Drawn(String field, String word, Object shown) {}

    @Test
    void fields_areLittleEndian_sideBySide() {
        ByteBuffer expected = ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN).putInt(7).putLong(-2)
            .put("me".getBytes(StandardCharsets.UTF_8));
        byte[] written = Layout.parse("int,long,utf8:8").write(List.of("7", "-2", "me"));
        assertArrayEquals(expected.array(), written);
        assertEquals(Map.of("1", 7, "2", -2L, "3", "me"), Layout.parse("int,long,utf8:8").read(written));
    }

    @Test
    void values_ofAnyLayout_areReadAsTheyWereWritten() {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        for (int i = 0; i < LAYOUTS; i++) {
            List<Drawn> drawn = new ArrayList<>();
            int count = 1 + random.nextInt(6);
            for (int f = 0; f < count; f++) {
                drawn.add(field(random, f == count - 1));
            }
            String text = drawn.stream().map(Drawn::field).collect(Collectors.joining(","));
            List<String> words = drawn.stream().map(Drawn::word).toList();
            Layout layout = Layout.parse(text);
            byte[] written = layout.write(words);
            assertEquals(drawn.stream().map(Drawn::shown).toList(), List.copyOf(layout.read(written).values()),
                () -> text + " " + words + "\n" + Seed.reproduce(LayoutTest.class, seed));
            assertArrayEquals(written, layout.write(words, written));
            assertTrue(layout.takesRest() || written.length == layout.bytesMin());
        }
    }

    private static Drawn field(SplittableRandom random, boolean isLast) {
        return switch (random.nextInt(5)) {
            case 0 -> {
                List<Object> values = new ArrayList<>();
                String type = FIXED.get(random.nextInt(FIXED.size()));
                for (int i = random.nextInt(4); i > 0; i--) {
                    values.add(value(type, random));
                }
                yield new Drawn(type + (isLast && random.nextBoolean() ? "[]" : "[" + values.size() + "]"),
                    values.stream().map(String::valueOf).collect(Collectors.joining(",")), values);
            }
            case 1 -> {
                String letters = random.ints(random.nextInt(5), 'a', 'a' + 300).mapToObj(Character::toString)
                    .collect(Collectors.joining());
                yield new Drawn(isLast ? "utf8" : "utf8:" + (letters.length() * 2 + random.nextInt(3)), letters,
                    letters);
            }
            case 2 -> {
                byte[] bytes = new byte[random.nextInt(5)];
                random.nextBytes(bytes);
                String digits = HexFormat.of().formatHex(bytes);
                yield new Drawn(isLast ? "hex" : "hex:" + bytes.length, digits, digits);
            }
            default -> {
                String type = FIXED.get(random.nextInt(FIXED.size()));
                Object value = value(type, random);
                yield new Drawn(type, value.toString(), value);
            }
        };
    }

    private static Object value(String type, SplittableRandom random) {
        return switch (type) {
            case "bool" -> random.nextBoolean();
            case "byte" -> (byte) random.nextInt();
            case "short" -> (short) random.nextInt();
            case "int" -> random.nextInt();
            case "long" -> random.nextLong();
            case "float" -> Float.intBitsToFloat(random.nextInt() & ~0x0080_0000);
            case "double" -> random.nextDouble();
            default -> Cid.toString(Cid.of(random.nextInt(Cid.NID_MAX), random.nextLong(1L << 48)));
        };
    }

    @Test
    void gaps_andBytesBehindTheFields_stay() {
        byte[] before = {1, 2, 3, 4, 5, 6, 7, 8};
        assertArrayEquals(new byte[] {9, 2, 3, 10, 5, 6, 7, 8}, Layout.parse("byte,skip:2,byte").write(
            List.of("9", "10"), before));
        assertEquals(Map.of("low", (byte) 9, "high", (byte) 10), Layout.parse("low=byte,skip:2,high=byte").read(
            new byte[] {9, 0, 0, 10, 11}));
    }

    @Test
    void wrongLayoutsAndValues_areNamed() {
        assertFault("'integer' is no field; allowed: bool, byte, ", () -> Layout.parse("integer"));
        assertFault("'' is no field", () -> Layout.parse("int,,long"));
        assertFault("'int:4' is no field", () -> Layout.parse("int:4"));
        assertFault("'skip' is no field", () -> Layout.parse("skip"));
        assertFault("field 1 takes the rest", () -> Layout.parse("utf8,int"));
        assertFault("two fields have the name a", () -> Layout.parse("a=int,a=int"));
        assertFault("more than 1048576 bytes", () -> Layout.parse("long[9999999]"));
        assertFault("field 2: '3000000000' is no int", () -> Layout.parse("int,int").write(List.of("1", "3000000000")));
        assertFault("field n: 'yes' is no bool: true or false", () -> Layout.parse("n=bool").write(List.of("yes")));
        assertFault("5 bytes instead of 4", () -> Layout.parse("utf8:4").write(List.of("hello")));
        assertFault("2 values instead of 3", () -> Layout.parse("int[3]").write(List.of("1,2")));
        assertFault("has 2 fields, and there are 1 values", () -> Layout.parse("int,int").write(List.of("1")));
        assertFault("the layout has 8 bytes, and the chunk has 4", () -> Layout.parse("long").read(new byte[4]));
    }

    private static void assertFault(String expected, Runnable wrong) {
        String message = assertThrows(IllegalArgumentException.class, wrong::run).getMessage();
        assertTrue(message.contains(expected), message);
    }
}
