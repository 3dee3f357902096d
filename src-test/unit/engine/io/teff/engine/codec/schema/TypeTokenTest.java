package io.teff.engine.codec.schema;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.SchemaException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Goal: types with type arguments have codecs, by a token or composed of others, with equal bytes. */
final class TypeTokenTest {
    private static <T> byte[] bytes(Codec<T> codec, T value) {
        Output out = Output.growing(16);
        codec.write(value, out);
        byte[] bytes = out.toByteArray();
        assertEquals(value, codec.read(new Input(bytes, 0, bytes.length)));
        return bytes;
    }

    private static <T> void same(Codec<T> byToken, Codec<T> composed, T value) {
        assertEquals(byToken.describe(), composed.describe());
        assertEquals(byToken.fingerprint(), composed.fingerprint());
        assertArrayEquals(bytes(byToken, value), bytes(composed, value));
    }

    @Test
    void codecs_byTokenAndComposed_areTheSame() {
        Codec<Samples.Point> points = Codecs.of(Samples.Point.class);
        same(Codecs.of(new TypeToken<List<String>>() {}), Codecs.list(Codecs.STRING), List.of("a", "b"));
        same(Codecs.of(new TypeToken<Set<Samples.Point>>() {}), Codecs.set(points), Set.of(new Samples.Point(1, 2)));
        same(Codecs.of(new TypeToken<Map<Integer, List<Long>>>() {}), Codecs.map(Codecs.INT, Codecs.list(Codecs.LONG)),
            new LinkedHashMap<>(Map.of(1, List.of(2L), 3, List.of())));
        same(Codecs.of(new TypeToken<Optional<Samples.Point>>() {}), Codecs.optional(points), Optional.empty());
        assertEquals(Codecs.of(byte[][].class).describe(), Codecs.list(Codecs.BYTES).describe());
    }

    @Test
    void of_plainType_isTheCodecOfTheClass() {
        assertSame(Codecs.STRING, Codecs.of(new TypeToken<String>() {}));
        assertSame(Codecs.BYTES, Codecs.of(new TypeToken<byte[]>() {}));
        bytes(Schema.builder(new TypeToken<Samples.Pair<String, List<Integer>>>() {}).compact().build(),
            new Samples.Pair<>("x", List.of(1)));
    }

    private abstract static class Named extends TypeToken<String> {}

    private static <T> TypeToken<List<T>> unknown() {
        return new TypeToken<>() {};
    }

    @Test
    void of_unknownTypes_throws() {
        assertThrows(SchemaException.class, () -> Codecs.of(new Named() {}));
        assertTrue(assertThrows(SchemaException.class, () -> Codecs.of(TypeTokenTest.<String>unknown())).getMessage()
            .contains("the type parameter T has no argument"));
        assertTrue(assertThrows(SchemaException.class, () -> Codecs.of(new TypeToken<List<?>>() {})).getMessage()
            .contains("does not determine"));
    }

    @Test
    void token_equalTypes_areEqual() {
        TypeToken<List<String>> token = new TypeToken<>() {};
        assertEquals(new TypeToken<List<String>>() {}, token);
        assertEquals("java.util.List<java.lang.String>", token.toString());
    }

    @Test
    void store_mapOfLists_hasThem() {
        try (Store store = Store.open()) {
            Map<String, List<Integer>> map = store.map("map", Codecs.STRING, Codecs.list(Codecs.INT));
            map.put("a", List.of(1, 2));
            assertEquals(List.of(1, 2), store.map("map", Codecs.STRING, Codecs.of(new TypeToken<List<Integer>>() {}))
                .get("a"));
        }
    }
}
