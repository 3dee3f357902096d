package io.teff.engine.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Seed;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: keys of any pattern are spread over buckets and tags. Method: patterns that break weak functions, counted. */
final class HashTest {
    private static final int KEYS = 1 << 16;
    private static final int CELLS = 1 << 10;

    @Test
    void of_bytesOfANumber_isThatOfTheNumber() {
        SplittableRandom random = Seed.random(Seed.first());
        for (int i = 0; i < 1000; i++) {
            long key = random.nextLong();
            long seed = random.nextLong();
            byte[] bytes = ByteBuffer.allocate(11).order(ByteOrder.LITTLE_ENDIAN).putLong(3, key).array();
            assertEquals(Hash.of(seed, key), Hash.of(seed, bytes, 3, 8));
        }
    }

    @Test
    void of_eachBitOfAKeyOfAnyLength_matters() {
        long seed = Seed.first() << 20 | 0xABCDE;
        Set<Long> seen = new HashSet<>();
        for (int length = 0; length < 40; length++) {
            assertTrue(seen.add(Hash.of(seed, new byte[length], 0, length)), "length " + length);
            for (int bit = 0; bit < length * 8; bit++) {
                byte[] key = new byte[length];
                key[bit >> 3] = (byte) (1 << (bit & 7));
                assertTrue(seen.add(Hash.of(seed, key, 0, length)), "length " + length + " bit " + bit);
            }
        }
        assertNotEquals(Hash.of(1, 5), Hash.of(2, 5));
    }

    /** Each cell of 1,024 has 64 keys on average; the sum of squared deviations shows whether they are spread. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 16, 32, 40, 48})
    void of_numbersInSteps_areSpreadByLowestAndHighestBits(int shift) {
        for (long seed : new long[] {0, 1, -1, Seed.first()}) {
            int[] low = new int[CELLS];
            int[] high = new int[CELLS];
            for (long i = 0; i < KEYS; i++) {
                long hash = Hash.of(seed, i << shift);
                low[(int) hash & CELLS - 1]++;
                high[(int) (hash >>> 54)]++;
            }
            assertSpread(low, "low bits, shift " + shift + " seed " + seed);
            assertSpread(high, "high bits, shift " + shift + " seed " + seed);
        }
    }

    @Test
    void of_stringsThatAreAlike_areSpread() {
        KeyForm<String> keys = new KeyForm<>(Codecs.STRING);
        int[] low = new int[CELLS];
        int[] high = new int[CELLS];
        HashOperation operation = new HashOperation();
        for (int i = 0; i < KEYS; i++) {
            keys.write("customer/" + i + "/address", operation, 7);
            low[(int) operation.hash & CELLS - 1]++;
            high[(int) (operation.hash >>> 54)]++;
        }
        assertSpread(low, "low bits");
        assertSpread(high, "high bits");
    }

    /** Chi squared with 1,023 degrees of freedom: mean 1,023, deviation 45; ten deviations do not occur by chance. */
    private static void assertSpread(int[] counts, String what) {
        double expected = (double) KEYS / CELLS;
        double sum = 0;
        for (int count : counts) {
            sum += (count - expected) * (count - expected) / expected;
        }
        assertTrue(sum < CELLS + 450, what + ": chi squared " + sum);
    }
}
