package io.teff.test.lincheck;

import io.teff.cluster.net.stream.RequestTable;
import org.junit.jupiter.api.Test;

/**
 * Goal: each request ends exactly once, and never by an answer to another request. Method: the table itself under
 * Lincheck's model checker; a twin that first checks and then ends must be caught.
 */
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
