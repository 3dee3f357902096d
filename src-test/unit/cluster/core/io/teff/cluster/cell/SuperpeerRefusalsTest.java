package io.teff.cluster.cell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Refusals for good count until the superpeer answers; other failures count for nothing. */
class SuperpeerRefusalsTest {
    private final SuperpeerRefusals refusals = new SuperpeerRefusals(() -> SuperpeerSet.of(3));

    private static NetworkException failure(Reason reason, int nid) {
        return new NetworkException(reason, nid, "says superpeer " + nid);
    }

    @Test
    void oneRefusal_isNoMajority_twoAre_untilOneSuperpeerAnswers() {
        refusals.failed(0, failure(Reason.UNREACHABLE, 1));
        assertNull(refusals.any());
        refusals.failed(1, failure(Reason.MISFIT, 2));
        assertEquals(failure(Reason.MISFIT, 2).getMessage(), refusals.any());
        assertNull(refusals.ofMajority());
        refusals.failed(2, new CompletionException(failure(Reason.MISFIT, 3)));
        assertEquals(failure(Reason.MISFIT, 3).getMessage(), refusals.ofMajority());
        refusals.answered(1);
        assertNull(refusals.ofMajority());
        assertEquals(failure(Reason.MISFIT, 3).getMessage(), refusals.any());
        refusals.clear();
        assertNull(refusals.any());
    }
}
