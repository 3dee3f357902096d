package io.teff.cluster.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The log has a line for each event, and bounded room for events that repeat. */
final class NodeLogTest {
    private final AtomicLong nowNs = new AtomicLong(1);
    private final LoggedLines lines = new LoggedLines();
    private final NodeLog log = new NodeLog(lines, nowNs::get);

    @Test
    void event_isALineWithItsLevelAndName() {
        log.log(NodeEvent.ZONE_SERVED, "zone 3 is served in epoch 2");
        log.log(NodeEvent.COPY_DAMAGED, "copy 1 of zone 3 is damaged");
        assertEquals(List.of("INFO zone-served: zone 3 is served in epoch 2",
            "ERROR copy-damaged: copy 1 of zone 3 is damaged"), lines.lines());
    }

    @Test
    void repeatedEvent_isLoggedOncePerMinute_andCounted() {
        for (int i = 0; i < 50; i++) {
            log.log(NodeEvent.LINK_REFUSED, "a", "a link with a:" + i + " was refused");
        }
        assertEquals(1, lines.lines().size());
        nowNs.addAndGet(NodeLog.REPEAT_NS);
        log.log(NodeEvent.LINK_REFUSED, "a", "a link with a:50 was refused");
        assertEquals("WARNING link-refused: a link with a:50 was refused (49 more of this kind before)",
            lines.lines().getLast());
    }

    @Test
    void textsOfALibrary_thatDifferInNumbers_areEqual_andAddressesAndNamesAreNot() {
        assertEquals(NodeLog.words("Unknown host - registrationId=36, after 1021 ms, id -7 of 0x1f."),
            NodeLog.words("Unknown host - registrationId=4711, after 3 ms, id 12 of 0x2e."));
        for (String named : List.of("unknown host sp2:7500", "10.0.0.12:7400 is silent", "[fe80::1]:7400", "zone-3")) {
            assertEquals(named, NodeLog.words(named));
        }
    }

    @Test
    void repeatedFault_isCounted() {
        for (int i = 0; i < 30; i++) {
            log.fault("the duty", new IllegalStateException("no row " + i));
        }
        assertEquals(1, lines.lines().size());
        nowNs.addAndGet(NodeLog.REPEAT_NS);
        log.fault("the duty", new IllegalStateException("no row 30"));
        assertEquals("ERROR fault: the duty: no row 30 (29 more of this kind before)", lines.lines().getLast());
    }

    @Test
    void eventWithoutARepeatingCause_isLoggedEachTime() {
        log.log(NodeEvent.LEADER, "superpeer 1 leads");
        log.log(NodeEvent.LEADER, "superpeer 2 leads");
        log.log(NodeEvent.LEADER, "superpeer 1 leads");
        assertEquals(3, lines.lines().size());
    }

    @Test
    void refusals_withNamesThatAStrangerChooses_areOneEvent_andOtherReasonsAreOthers() {
        for (int i = 0; i < 50; i++) {
            log.refused("10.0.0.1:" + i, "(certificate_unknown) the other side has the certificate of CN="
                + "x".repeat(i));
            log.refused("10.0.0.1:" + i, "this node refuses the link: a node with NID " + i + " needs a certificate");
        }
        assertEquals(2, lines.lines().size(), () -> lines.lines().toString());
    }

    @Test
    void flood_ofDifferentTexts_hasABoundPerWindow_andPerKind() {
        for (int i = 0; i < 10 * NodeLog.LINES_MAX; i++) {
            log.log(NodeEvent.LINK_REFUSED, "a link with host-" + i + " was refused");
        }
        assertEquals(NodeLog.LINES_MAX, lines.lines().size());
        log.log(NodeEvent.LEADER, "superpeer 1 leads");
        assertTrue(lines.lines().getLast().endsWith("superpeer 1 leads"), "other kinds have their own limit");
        nowNs.addAndGet(NodeLog.WINDOW_NS);
        log.log(NodeEvent.LINK_REFUSED, "a link with another host was refused");
        assertTrue(lines.lines().getLast().endsWith("(" + 9 * NodeLog.LINES_MAX + " more of this kind before)"));
    }

    @Test
    void fault_hasTheExceptionsText() {
        log.fault("the duty", new IllegalStateException("no row"));
        log.fault("the duty", new IllegalStateException("no row"));
        assertEquals(1, lines.lines().size());
        assertTrue(lines.contains("ERROR fault: the duty: ") && lines.contains("no row"), lines.lines()::toString);
    }
}
