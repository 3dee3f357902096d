package io.teff.test.lincheck;

import io.teff.engine.table.HeapFreeList;
import io.teff.test.kit.tier.FullTier;
import org.junit.jupiter.api.Test;

/**
 * Goal: the list of free indexes of a table page loses no index and issues none twice. Method: {@link HeapFreeList}
 * under Lincheck's model checker, against a set; twins that replace the page word without a comparison must be caught.
 */
final class FreeListTest {
    @Test
    void check_pushTakeAndDetach_loseAndDoubleNothing() {
        ModelChecking.mustBeLinearizable(HeapFreeList.FreeList.class, HeapFreeList.Rules.class);
    }

    @Test
    void check_blindReplace_isCaught() {
        ModelChecking.mustBeCaught(HeapFreeList.BlindList.class, HeapFreeList.Rules.class);
    }

    @Test
    @FullTier("A second twin, a part of the 166 s of this lane. check_blindReplace_isCaught is the twin that "
        + "the gate has.")
    void check_hastyTake_isCaught() {
        ModelChecking.mustBeCaught(HeapFreeList.HastyList.class, HeapFreeList.Rules.class);
    }
}
