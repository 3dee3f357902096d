package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.MapLoader;
import io.teff.engine.view.EditScope;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: any sequence of operations leaves a map equal to a HashMap, whatever the defragmenter does meanwhile.
 *
 * <p>Method: {@link MapModel}. {@code -Dteff.map.sequences} and {@code -Dteff.map.steps} set the size.
 */
@Tag("modes")
@Tag("heavy")
final class ChunkMapModelTest {
    private static final int SEQUENCES = Form.size("teff.map.sequences", 1, 2, 12);
    private static final int STEPS = Form.size("teff.map.steps", 30_000, 60_000, 60_000);

    /** Types of keys. */
    enum Keys {
        /** Numbers. */
        LONG,
        /** Strings, some of them too long for a bucket. */
        STRING,
        /** Four bytes. */
        INT
    }

    @ParameterizedTest
    @EnumSource
    void anySequence_equalsHashMap(Keys keys) throws InterruptedException {
        long first = Seed.first();
        for (long seed = first; seed < first + SEQUENCES; seed++) {
            try {
                switch (keys) {
                    case LONG -> new Run<>(Codecs.LONG, key -> key * 0x1_0001, seed).run();
                    case STRING -> new Run<>(Codecs.STRING,
                        key -> key + "k".repeat((int) (key % 97 == 0 ? 700 : key % 9)), seed).run();
                    case INT -> new Run<>(Codecs.INT, key -> (int) key, seed).run();
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(Seed.reproduce(ChunkMapModelTest.class, seed, "-Dteff.map.sequences=1"), e);
            }
        }
    }

    /** One sequence of operations. */
    private static final class Run<K> extends MapModel<K, ChunkMap<K, byte[]>, Map<K, byte[]>> {
        private final Codec<K> codec;

        Run(Codec<K> codec, LongFunction<K> maker, long seed) {
            super(maker, seed, STEPS, 2);
            this.codec = codec;
        }

        @Override
        ChunkMap<K, byte[]> open(Store from, String name) {
            return from.map(name, codec, Codecs.BYTES);
        }

        @Override
        Map<K, byte[]> empty() {
            return new HashMap<>();
        }

        @Override
        boolean update(K key, EditScope scope) {
            return map.update(key, scope);
        }

        @Override
        void more(int kind, K key) {
            if (kind == 0 && random.nextInt(20) == 0) {
                try (MapLoader<K, byte[]> loader = map.loader(random.nextInt(2) * 300L)) {
                    for (int i = random.nextInt(300); i > 0; i--) {
                        K other = key();
                        byte[] value = new byte[random.nextInt(random.nextInt(50) == 0 ? 800 : 60)];
                        random.nextBytes(value);
                        loader.add(other, value);
                        model.put(other, value);
                    }
                }
            } else if (kind == 1) {
                List<K> wanted = Stream.generate(this::key).limit(random.nextInt(50)).toList();
                Map<K, byte[]> found = map.getAll(wanted);
                for (K other : wanted) {
                    assertArrayEquals(model.get(other), found.get(other));
                }
            }
        }

        @Override
        void compareAll() {
            int[] seen = new int[1];
            map.forEach((key, value) -> {
                assertArrayEquals(model.get(key), value);
                seen[0]++;
            });
            assertEquals(model.size(), seen[0]);
        }
    }
}
