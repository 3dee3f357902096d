package io.teff.cluster.superpeer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Sessions end when nothing was heard of them for their lease. */
class SessionLeasesTest {
    private final SessionLeases leases = new SessionLeases(100);

    @Test
    void session_isOverdue_whenItsLeaseHasPassedWithoutASign() {
        assertEquals(List.of(), leases.overdue(List.of(1, 2), 1_000));
        leases.heard(1, 1_050);
        assertEquals(List.of(), leases.overdue(List.of(1, 2), 1_099));
        assertEquals(List.of(2), leases.overdue(List.of(1, 2), 1_100));
        assertEquals(List.of(1, 2), leases.overdue(List.of(1, 2), 1_150));
        leases.heard(1, 1_151);
        assertEquals(List.of(2), leases.overdue(List.of(1, 2), 1_152));
    }

    @Test
    void session_thatEndsAndOneThatBegins_haveALeaseOfTheirOwn() {
        leases.overdue(List.of(1), 1_000);
        assertEquals(List.of(), leases.overdue(List.of(7), 1_100));
        assertEquals(List.of(), leases.overdue(List.of(7), 1_199));
        assertEquals(List.of(7), leases.overdue(List.of(7), 1_200));
        leases.heard(9, 1_200);
        assertEquals(List.of(), leases.overdue(List.of(), 1_300));
        assertEquals(List.of(), leases.overdue(List.of(9), 1_300), "a superpeer knows only of open ones for long");
    }
}
