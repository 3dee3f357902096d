package io.teff.test.lincheck;

import io.teff.cluster.net.stream.RequestTable;
import io.teff.test.kit.tier.FullTier;
import org.junit.jupiter.api.Test;

/**
 * Goal: each request ends exactly once, and never by an answer to another request. Method: the table itself under
 * Lincheck's model checker; a twin that first checks and then ends must be caught.
 */
@FullTier("Model checking with many scenarios, a part of the 166 s of this lane. FreeListTest checks words that "
    + "two threads change in the same way, and PendingRequestsTest of the messages has the operations.")
final class RequestTableTest {
    @Test
    void check_addAnswerAndGiveUp_endEachOnce() {
        ModelChecking.mustBeLinearizable(RequestTable.Table.class, RequestTable.Rules.class);
    }

    @Test
    void check_lookAndEnd_isCaught() {
        ModelChecking.mustBeCaught(RequestTable.CarelessTable.class, RequestTable.Rules.class);
    }
}
