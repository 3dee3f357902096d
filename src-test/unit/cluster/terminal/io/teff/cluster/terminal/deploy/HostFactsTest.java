package io.teff.cluster.terminal.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.terminal.deploy.HostFacts.Finding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Goal: each lack of a host is found, with a line that mends it. Method: the lines of a good host, one changed. */
final class HostFactsTest {
    private static final HostPlan HOST = new HostPlan("h", "10.0.0.1", "u@h", 22, List.of(), "teff", "");
    private static final long NOW_NS = 1_700_000_000_000_000_000L;
    private static final long NEEDED = 1L << 30;

    private static Map<String, String> good() {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("clock", String.valueOf(NOW_NS - 3_000_000));
        lines.put("system", "Linux");
        lines.put("java", "25 /usr/lib/jvm/25");
        lines.put("free", "50000000");
        lines.put("sync", "32 0 32000000");
        lines.put("write", "16 0 16000000");
        lines.put("files", "65536");
        lines.put("memlock", "8192");
        lines.put("threads", "unlimited");
        lines.put("maps", "262144");
        lines.put("memory", "8000000 6000000");
        lines.put("systemd", "yes");
        lines.put("synchronized", "yes");
        return lines;
    }

    private static HostFacts facts(Map<String, String> lines) {
        HostFacts facts = new HostFacts(HOST);
        lines.forEach((kind, words) -> facts.line(kind + " " + words, NOW_NS));
        return facts;
    }

    private static List<Finding> judged(String kind, String words) {
        Map<String, String> lines = good();
        lines.put(kind, words);
        return facts(lines).judge(NEEDED, Manager.AUTO);
    }

    @Test
    void goodHost_hasNoFindings() {
        HostFacts facts = facts(good());
        assertEquals(List.of(), facts.judge(NEEDED, Manager.AUTO));
        assertEquals(1.0, facts.syncMs());
        assertEquals(1_000.0, facts.writeMb());
        assertEquals(3, facts.clockMs());
    }

    @Test
    void eachFault_isFound_withItsMending() {
        Map<String, String> faults = new LinkedHashMap<>();
        faults.put("system", "Darwin");
        faults.put("missing", "tar");
        faults.put("java", "21 /usr/lib/jvm/21");
        faults.put("free", "1000");
        faults.put("unwritable", "/srv/teff");
        faults.put("clock", String.valueOf(NOW_NS - 61_000_000_000L));
        faults.put("files", "1024");
        faults.put("threads", "100");
        faults.put("memory", "1000000 900000");
        faults.forEach((kind, words) -> {
            List<Finding> found = judged(kind, words);
            assertEquals(1, found.size(), kind + found);
            assertTrue(found.getFirst().isFault() && !found.getFirst().mending().isEmpty(), found::toString);
        });
    }

    @Test
    void eachWarning_isNoFault() {
        Map<String, String> warnings = new LinkedHashMap<>();
        warnings.put("sync", "32 0 960000000");
        warnings.put("write", "16 0 1000000000");
        warnings.put("clock", String.valueOf(NOW_NS + 2_000_000_000L));
        warnings.put("synchronized", "no");
        warnings.put("maps", "1000");
        warnings.put("memlock", "16");
        warnings.put("memory", "8000000 500000");
        warnings.put("systemd", "no");
        warnings.forEach((kind, words) -> {
            List<Finding> found = judged(kind, words);
            assertEquals(1, found.size(), kind + found);
            assertFalse(found.getFirst().isFault(), found::toString);
            assertFalse(found.getFirst().mending().isEmpty(), found::toString);
        });
    }

    @Test
    void systemd_isNeededIfAskedFor() {
        Map<String, String> lines = good();
        lines.remove("systemd");
        assertTrue(facts(lines).judge(NEEDED, Manager.SYSTEMD).getFirst().isFault());
        assertEquals(List.of(), facts(lines).judge(NEEDED, Manager.SETSID));
        lines.put("systemd", "no");
        assertTrue(facts(lines).judge(NEEDED, Manager.SYSTEMD).getFirst().isFault());
    }

    @Test
    void state_isRead() {
        HostFacts facts = facts(Map.of("state", "peer-h runs 12 v1 16/3"));
        NodeState state = facts.states().get("peer-h");
        assertEquals(new NodeState("peer-h", true, "12", "v1", NodeState.life("16/3")), state);
        assertEquals(new NodeState("p", false, "", "", null), NodeState.parse("state p ended - - -"));
    }
}
