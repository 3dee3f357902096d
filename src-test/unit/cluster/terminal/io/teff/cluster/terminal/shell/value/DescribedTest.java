package io.teff.cluster.terminal.shell.value;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.codec.schema.Schema;
import io.teff.test.kit.Seed;
import java.lang.invoke.MethodHandles;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Values that codecs of the engine have written are read by their descriptions, without their classes. */
final class DescribedTest {
    private static final int DAMAGES = 2_000;

    enum Kind { GIRO, SAVINGS }

    record Point(int x, byte y) {}

    record Account(String owner, long cents, @Nullable Kind kind, List<@Nullable String> tags, Instant since,
                   @Nullable Account boss, Point place, List<@Nullable Point> path) {}

    record Numbers(boolean b, char c, short s, float f, double d, byte[] bytes, long[] longs, Integer box) {}

    sealed interface Figure permits Circle, Square {}

    record Circle(double radius) implements Figure {}

    record Square(int side, String name) implements Figure {}

    record Mixed(Map<String, Integer> counts, Optional<Point> place, Figure figure, UUID id, BigInteger big,
                 BigDecimal decimal, LocalDate day, Duration time) {}

    private static <T> Schema<T> schema(Class<T> type) {
        return Schema.builder(type).lookup(MethodHandles.lookup()).build();
    }

    private static <T> byte[] bytes(Codec<T> codec, T value) {
        Output out = Output.growing(16);
        codec.write(value, out);
        return out.toByteArray();
    }

    private static <T> String shown(Codec<T> codec, T value) {
        Described described = Described.of(codec.describe());
        assertTrue(described.isReadable(), codec.describe());
        assertEquals(codec.fixedBytes(), described.fixedBytes(), codec.describe());
        return Json.of(described.shown(bytes(codec, value)));
    }

    @Test
    void records_areShownWithTheirFields() {
        Account boss = new Account("bøss", 1, null, List.of(), Instant.EPOCH, null, new Point(0, (byte) 0), List.of());
        Account account = new Account("me", -40, Kind.SAVINGS, Arrays.asList("a", null, "c"), Instant.ofEpochSecond(60),
            boss, new Point(3, (byte) 4), Arrays.asList(null, new Point(5, (byte) 6)));
        String shownBoss = "{'owner':'bøss','cents':1,'kind':null,'tags':[],'since':'1970-01-01T00:00:00Z',"
            + "'boss':null,'place':{'x':0,'y':0},'path':[]}";
        assertEquals(("{'owner':'me','cents':-40,'kind':'SAVINGS','tags':['a',null,'c'],'since':'1970-01-01T00:01:00Z',"
            + "'boss':" + shownBoss + ",'place':{'x':3,'y':4},'path':[null,{'x':5,'y':6}]}").replace('\'', '"'),
            shown(schema(Account.class), account));
        Schema<Account> compact = Schema.builder(Account.class).lookup(MethodHandles.lookup()).compact().build();
        assertEquals(Json.of(Described.of(schema(Account.class).describe()).shown(bytes(schema(Account.class),
            account))), shown(compact, account));
    }

    @Test
    void allKindsOfTypes_areShown() {
        assertEquals("{'b':true,'c':'z','s':-3,'f':1.5,'d':-2.25,'bytes':'01ff','longs':[7,8],'box':9}".replace('\'',
            '"'), shown(schema(Numbers.class), new Numbers(true, 'z', (short) -3, 1.5f, -2.25, new byte[] {1, -1},
            new long[] {7, 8}, 9)));
        UUID id = new UUID(1, 2);
        String shown = shown(schema(Mixed.class), new Mixed(Map.of("a", 1), Optional.of(new Point(1, (byte) 2)),
            new Square(4, "s"), id, BigInteger.TEN.pow(30), new BigDecimal("1.50"), LocalDate.of(2026, 1, 2),
            Duration.ofSeconds(5)));
        assertTrue(shown.startsWith(("{'counts':{'a':1},'place':{'x':1,'y':2},'figure':{'type':'").replace('\'', '"')),
            shown);
        assertTrue(shown.endsWith(("Square','side':4,'name':'s'},'id':'" + id + "','big':'" + BigInteger.TEN.pow(30)
            + "','decimal':'1.50','day':'2026-01-02','time':'PT5S'}").replace('\'', '"')), shown);
        assertEquals("\"GIRO\"", shown(schema(Kind.class), Kind.GIRO));
    }

    @Test
    void readyCodecs_areShown_andWritten() {
        assertEquals("-7", shown(Codecs.LONG, -7L));
        assertEquals("7", shown(Codecs.INT, 7));
        assertEquals("\"é\"", shown(Codecs.STRING, "é"));
        assertEquals("\"text\"", shown(Codecs.BYTES, "text".getBytes(StandardCharsets.UTF_8)));
        assertEquals("\"0xff00\"", shown(Codecs.BYTES, new byte[] {-1, 0}));
        assertArrayEquals(bytes(Codecs.LONG, -7L), Described.of("long").bytes("-7"));
        assertArrayEquals(bytes(Codecs.STRING, "0x1é"), Described.of("string").bytes("0x1é"));
        assertArrayEquals(bytes(schema(Kind.class), Kind.SAVINGS), Described.of(schema(Kind.class).describe()).bytes(
            "SAVINGS"));
        assertArrayEquals(new byte[] {1, -1}, Described.of("own codec 17").bytes("0x01ff"));
        assertFault("'x' is no long", "long", "x");
        assertFault("'TRUST' is no constant; allowed: GIRO, SAVINGS", schema(Kind.class).describe(), "TRUST");
        assertFault("the shell writes no values of ", schema(Point.class).describe(), "7");
    }

    private static void assertFault(String expected, String description, String word) {
        String message = assertThrows(IllegalArgumentException.class, () -> Described.of(description).bytes(word))
            .getMessage();
        assertTrue(message.contains(expected), message);
    }

    @Test
    void valuesOfUnknownCodecs_andDamagedValues_areShownAsBytes() {
        assertFalse(Described.of("com.example.Own 1f").isReadable());
        assertEquals(Map.of("hex", "0102"), Described.of("com.example.Own 1f").shown(new byte[] {1, 2}));
        assertEquals(Map.of("hex", "01"), Described.of("long").shown(new byte[] {1}));
        for (String wrong : List.of("struct(", "struct 0;", "scalar VOID;", "standard java.lang.Runtime;", "enum A(B",
            "sequence(".repeat(5_000), "struct(a=struct 0;)x")) {
            assertFalse(Described.of(wrong).isReadable(), wrong.substring(0, Math.min(40, wrong.length())));
        }
    }

    /** Bytes and descriptions may come from anybody. */
    @Test
    void changedBytesAndDescriptions_neverThrow() {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        Schema<Account> schema = schema(Account.class);
        Account account = new Account("me", 7, Kind.GIRO, List.of("a"), Instant.EPOCH, null, new Point(1, (byte) 2),
            List.of(new Point(3, (byte) 4)));
        byte[] bytes = bytes(schema, account);
        for (int i = 0; i < DAMAGES; i++) {
            byte[] damaged = Arrays.copyOf(bytes, bytes.length - random.nextInt(2));
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            char[] text = schema.describe().toCharArray();
            int at = random.nextInt(text.length);
            text[at] = text[random.nextInt(text.length)];
            Described.of(random.nextBoolean() ? schema.describe() : new String(text)).shown(damaged);
        }
    }
}
