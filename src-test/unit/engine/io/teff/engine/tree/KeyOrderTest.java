package io.teff.engine.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Seed;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Goal: encoded keys have the order of the objects, and decode to them. Method: pairs of keys that differ little. */
final class KeyOrderTest {
    private final SplittableRandom random = Seed.random(Seed.first());

    private <K> void check(Codec<K> codec, Comparator<K> expected, Supplier<K> maker) {
        KeyOrder<K> order = KeyOrder.natural(codec);
        TreeKey left = new TreeKey();
        TreeKey right = new TreeKey();
        for (int i = 0; i < 50_000; i++) {
            K one = maker.get();
            K two = maker.get();
            order.write(one, left);
            order.write(two, right);
            assertEquals(Integer.signum(expected.compare(one, two)), Integer.signum(order.compareKeys(left, right)));
            assertEquals(Integer.signum(expected.compare(one, two)), Integer.signum(order.compare(one, two)));
            if (one instanceof byte[] bytes) {
                assertArrayEquals(bytes, (byte[]) order.read(left));
            } else {
                assertEquals(one, order.read(left));
            }
        }
    }

    @Test
    void numbers() {
        check(Codecs.LONG, Comparator.naturalOrder(), () -> random.nextLong() >> random.nextInt(64));
        check(Codecs.INT, Comparator.naturalOrder(), () -> random.nextInt() >> random.nextInt(32));
    }

    @Test
    void strings() {
        String chars = "aa\u0000\u0001\u007F\u0080\u07FF\u0800\u3000\uD800\uDC00\uDFFF\uE000\uFFFF";
        check(Codecs.STRING, Comparator.naturalOrder(), () -> {
            StringBuilder made = new StringBuilder();
            for (int i = random.nextInt(12); i > 0; i--) {
                made.append(chars.charAt(random.nextInt(random.nextBoolean() ? 3 : chars.length())));
            }
            return made.toString();
        });
    }

    @Test
    void bytes() {
        check(Codecs.BYTES, Arrays::compareUnsigned, () -> {
            byte[] made = new byte[random.nextInt(20)];
            for (int i = 0; i < made.length; i++) {
                made[i] = (byte) (random.nextInt(20) == 0 ? random.nextInt() : 0);
            }
            return made;
        });
    }

    @Test
    void read_ofBytesThatAreNoString_isRefused() {
        TreeKey key = new TreeKey();
        key.out.putByte((byte) 0xE2);
        key.setBytes();
        assertThrows(MalformedException.class, () -> KeyOrder.natural(Codecs.STRING).read(key));
    }
}
