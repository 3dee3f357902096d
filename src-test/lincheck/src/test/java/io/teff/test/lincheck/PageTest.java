package io.teff.test.lincheck;

import io.teff.engine.alloc.HeapPage;
import io.teff.test.kit.tier.FullTier;
import org.junit.jupiter.api.Test;

/**
 * Goal: a page of slots allocates no slot twice, loses none, and is given back once. Method: {@link HeapPage} under
 * Lincheck's model checker; twins without one of the rules must be caught.
 */
@FullTier("Model checking with many scenarios, a part of the 166 s of this lane. FreeListTest has the same kind "
    + "of word and of twins, and PageControlTest explores all interleavings of a page.")
final class PageTest {
    @Test
    void check_allocateAndFree_loseAndDoubleNothing() {
        ModelChecking.mustBeLinearizable(HeapPage.Page.class, HeapPage.Rules.class);
    }

    @Test
    void check_ownerThatGivesUpBlindly_isCaught() {
        ModelChecking.mustBeCaught(HeapPage.GivesUpBlindly.class, HeapPage.Rules.class);
    }

    @Test
    void check_tornBit_isCaught() {
        ModelChecking.mustBeCaught(HeapPage.TornBit.class, HeapPage.Rules.class);
    }
}
