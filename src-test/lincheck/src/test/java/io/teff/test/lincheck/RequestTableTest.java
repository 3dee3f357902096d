package io.teff.test.lincheck;

import io.teff.cluster.net.stream.RequestTable;
import org.junit.jupiter.api.Test;

/**
 * Goal: each request ends once, whoever comes first, and none is ended by an answer to another. Method: the table
 * itself under Lincheck's model checker; one that looks and then ends must be caught.
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
