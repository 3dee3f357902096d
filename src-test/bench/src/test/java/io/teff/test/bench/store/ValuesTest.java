package io.teff.test.bench.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lengths that follow from keys, values that begin with them, and the texts of both. */
final class ValuesTest {
    @Property(tries = 200)
    void of_anyKey_hasTheLengthOfTheKeyAndTheKeyInFront(@ForAll long key, @ForAll @IntRange(min = 8, max = 256) int one,
        @ForAll @IntRange(min = 8, max = 256) int other) {
        Values values = new Values(Math.min(one, other), Math.max(one, other));
        byte[] value = values.of(key, values.arrays());
        assertEquals(values.length(key), value.length);
        assertTrue(value.length >= values.lengthMin() && value.length <= values.lengthMax(), () -> "" + value.length);
        assertEquals(key, (long) KeyedStore.LONG.get(value, 0));
        assertEquals(values, Values.parse(values.toString()));
    }

    @Test
    void length_thousandsOfKeys_meetsEveryLength() {
        Values values = new Values(16, 128);
        BitSet met = new BitSet();
        for (long key = 0; key < 10_000; key++) {
            met.set(values.length(key));
        }
        assertEquals(128 - 16 + 1, met.cardinality());
    }

    @Test
    void parse_oneLengthOrTwo_isBothEnds() {
        assertEquals(new Values(32, 32), Values.parse("32"));
        assertEquals(new Values(16, 128), Values.parse("16-128"));
        assertEquals("32", new Values(32, 32).toString());
        assertEquals("16-128", new Values(16, 128).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "-16", "16-", "16-32-64", "16 - 32", "99999999999"})
    void parse_noLengths_saysWhatWouldBe(String text) {
        IllegalArgumentException wrong = assertThrows(IllegalArgumentException.class, () -> Values.parse(text));
        assertEquals("neither a length as in 32 nor a range as in 16-128", wrong.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "257", "4-16", "16-300", "64-16"})
    void parse_lengthsOutside_saysTheBounds(String text) {
        IllegalArgumentException wrong = assertThrows(IllegalArgumentException.class, () -> Values.parse(text));
        assertTrue(wrong.getMessage().endsWith(" are outside of 8..256"), wrong.getMessage());
    }
}
