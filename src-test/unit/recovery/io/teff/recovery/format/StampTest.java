package io.teff.recovery.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Goal: a stamp is the published mix, is invertible, and changes about half of its bits with each input bit. */
final class StampTest {
    private static final long GOLDEN_GAMMA = 0x9E37_79B9_7F4A_7C15L;

    /** SplittableRandom(0) of the JDK is that generator: its n-th number is the mix of n gammas. */
    @Test
    void of_multiplesOfTheGamma_isSplitMix() {
        SplittableRandom random = new SplittableRandom(0);
        for (long n = 1; n < 1000; n++) {
            assertEquals(random.nextLong(), Stamp.of(n * GOLDEN_GAMMA, 0));
        }
    }

    @Property
    void number_ofAnyStamp_isItsNumber(@ForAll long number, @ForAll long salt) {
        assertEquals(number, Stamp.number(Stamp.of(number, salt), salt));
        assertEquals(number, Stamp.of(Stamp.number(number, salt), salt));
    }

    @Test
    void of_numbersThatDifferInABit_areFarApart() {
        for (int bit = 0; bit < Long.SIZE; bit++) {
            long differing = 0;
            for (long n = 0; n < 1000; n++) {
                differing += Long.bitCount(Stamp.of(n * 8, Samples.SALT) ^ Stamp.of(n * 8 ^ 1L << bit, Samples.SALT));
            }
            long mean = differing / 1000;
            assertTrue(mean > 24 && mean < 40, "bit " + bit + " changes " + mean);
        }
    }
}
