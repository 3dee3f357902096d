package io.teff.cluster.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.cluster.admin.ClusterEvent;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.test.kit.Threads;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: the console serves its page and its documents, and acts for operators alone. */
final class ConsoleTest {
    private static final String CONFIRMED = "{\"action\":\"accept-loss\",\"zone\":3,\"epoch\":5,"
        + "\"confirm\":\"accept loss of zone 3\"}";

    private final FakeCluster cluster = new FakeCluster();

    @ParameterizedTest
    @ValueSource(strings = {"/", "/index.html", "/console.js", "/charts.js", "/console.css", "/icon.svg"})
    void page_hasAStrictPolicy_andNothingFromElsewhere(String path) throws Exception {
        try (Console console = cluster.console()) {
            HttpResponse<String> answer = FakeCluster.get(console, path);
            assertEquals(200, answer.statusCode());
            String policy = answer.headers().firstValue("Content-Security-Policy").orElseThrow();
            assertTrue(policy.startsWith("default-src 'none'; script-src 'self';"), policy);
            assertFalse(policy.contains("unsafe"), policy);
            assertEquals("nosniff", answer.headers().firstValue("X-Content-Type-Options").orElseThrow());
            String text = answer.body().replace("http://www.w3.org/2000/svg", "");
            assertFalse(Pattern.compile("(https?:)?//[a-z0-9-]+\\.[a-z]").matcher(text).find(), "an address elsewhere");
            assertFalse(Pattern.compile("\\son[a-z]+=|<style|style=|javascript:|innerHTML|eval\\(").matcher(text)
                .find(), "inline code");
            assertFalse(Pattern.compile("<script(?![^>]*\\ssrc=)").matcher(text).find(), "an inline script");
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void state_hasNodesZonesAlertsAndRecoveries() throws Exception {
        cluster.zones = List.of(FakeCluster.waiting(3, FakeCluster.TWO));
        try (Console console = cluster.console()) {
            HttpResponse<String> answer = FakeCluster.get(console, "/api/state");
            Map<String, Object> state = JSON.std.mapFrom(answer.body());
            assertEquals(3, ((List<?>) state.get("nodes")).size());
            Map<String, Object> peer = ((List<Map<String, Object>>) state.get("nodes")).get(1);
            assertEquals("peer-1", peer.get("name"));
            assertEquals("10.0.0.1", peer.get("machine"));
            Map<String, Object> zone = ((List<Map<String, Object>>) state.get("zones")).getFirst();
            assertEquals(Map.of("state", "waiting", "waiting", true, "kept", List.of(17), "outdated", List.of(18)),
                Map.of("state", zone.get("state"), "waiting", zone.get("waiting"), "kept", zone.get("kept"), "outdated",
                    zone.get("outdated")));
            assertTrue(String.valueOf(state.get("alerts")).contains("zone 3 waits for copies"), answer.body());
            assertEquals(2, ((List<?>) state.get("recoveries")).size());
        }
    }

    @Test
    void events_areSent_asTheyHappen() throws Exception {
        try (Console console = cluster.console(); HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<InputStream> answer = client.send(HttpRequest.newBuilder(URI.create(console.address()
                + "/api/events")).build(), HttpResponse.BodyHandlers.ofInputStream());
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(),
                StandardCharsets.UTF_8))) {
                assertEquals("event: state", next(lines, "event:"));
                assertTrue(next(lines, "data:").contains("\"nodes\":[{"));
                cluster.report(new ClusterEvent(ClusterEvent.Kind.NODE_EXPIRED, FakeCluster.TWO, 0, "peer 18 expired"));
                assertEquals("event: change", next(lines, "event: change"));
                assertTrue(next(lines, "data:").contains("\"kind\":\"node-expired\",\"nid\":18"));
            }
        }
    }

    private static String next(BufferedReader lines, String begin) throws Exception {
        String line = lines.readLine();
        while (line != null && !line.startsWith(begin)) {
            line = lines.readLine();
        }
        return String.valueOf(line);
    }

    @Test
    void history_hasGrowthOfCounters_andSumsOfNodes() throws Exception {
        try (Console console = cluster.console()) {
            assertEquals(Map.of("operations", Arrays.asList(null, 100.0, 100.0, 100.0, 100.0), "disk.free",
                List.of(500.0, 500.0, 500.0, 500.0, 500.0)), figures(console,
                "/api/history?nid=17&figures=operations,disk.free,none"));
            assertEquals(Map.of("operations", Arrays.asList(null, 200.0, 200.0, 200.0, 200.0), "machine.load",
                List.of(250.0, 250.0, 250.0, 250.0, 250.0), "disk.free",
                List.of(1500.0, 1500.0, 1500.0, 1500.0, 1500.0)), figures(console,
                "/api/history?nid=0&span=day&figures=operations,machine.load,disk.free"));
        }
    }

    private static Object figures(Console console, String path) throws Exception {
        return JSON.std.mapFrom(FakeCluster.get(console, path).body()).get("figures");
    }

    @Test
    void log_ofANode_orItsSilence() throws Exception {
        try (Console console = cluster.console()) {
            assertEquals("{\"lines\":[\"a line <of> the log\"]}\n", FakeCluster.get(console, "/api/log?nid=17").body());
            assertEquals(504, FakeCluster.get(console, "/api/log?nid=99").statusCode());
        }
    }

    @Test
    void data_isReadByTheBrowser() throws Exception {
        try (Console console = cluster.console()) {
            assertEquals("[\"2\"]\n", FakeCluster.get(console, "/api/chunk?cid=1:2&as=int,long").body());
            assertEquals("[\"1\"]\n", FakeCluster.get(console, "/api/chunk?cid=1:2&as=").body());
            assertEquals("[\"3\"]\n", FakeCluster.get(console, "/api/entries?name=a&kind=map").body());
            assertEquals(422, FakeCluster.get(console, "/api/entry?name=a&kind=map&key=absent").statusCode());
        }
    }

    // ---- actions ----

    private HttpResponse<String> act(Console console, String token, String body) throws Exception {
        return FakeCluster.post(console, body, "Origin", console.address().toString(), "Authorization",
            "Bearer " + token);
    }

    @Test
    void acceptLoss_confirmed_isDoneAndLogged() throws Exception {
        cluster.zones = List.of(FakeCluster.waiting(3, FakeCluster.TWO));
        try (Console console = cluster.console()) {
            HttpResponse<String> answer = act(console, FakeCluster.TOKEN, CONFIRMED);
            assertEquals("the loss of zone 3 is accepted\n", answer.body());
            assertEquals(1, cluster.accepted.size());
            assertTrue(cluster.lines.getLast().startsWith("console: accept-loss 3 from /127.0.0.1"),
                cluster.lines::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{\"action\":\"drain\"}", "{\"action\":\"drain\",\"nid\":17,\"confirm\":\"yes\"}",
        "{\"action\":\"drain\",\"nid\":99,\"confirm\":\"drain node 99\"}",
        "{\"action\":\"accept-loss\",\"zone\":3,\"epoch\":5,\"confirm\":\"yes\"}",
        "{\"action\":\"accept-loss\",\"zone\":3,\"epoch\":4,\"confirm\":\"accept loss of zone 3\"}",
        "{\"action\":\"accept-loss\",\"zone\":1,\"epoch\":3,\"confirm\":\"accept loss of zone 1\"}",
        "{\"action\":\"accept-loss\",\"zone\":3,\"epoch\":5,\"copyOf\":99,\"confirm\":\"accept loss of zone 3\"}"})
    void action_wrong_changesNothing(String body) throws Exception {
        cluster.zones = List.of(FakeCluster.zone(1, ZoneStatus.State.OPEN, FakeCluster.ONE),
            FakeCluster.waiting(3, FakeCluster.TWO));
        try (Console console = cluster.console()) {
            int code = act(console, FakeCluster.TOKEN, body).statusCode();
            assertTrue(code == 400 || code == 409, "code " + code);
            assertTrue(cluster.accepted.isEmpty());
        }
    }

    @Test
    void drain_byAPrincipalWithTheRoleOfOperators() throws Exception {
        cluster.operators = token -> new String(token, StandardCharsets.UTF_8).equals("token of ops") ? "ops" : null;
        try (Console console = cluster.console((String) null)) {
            assertTrue(FakeCluster.get(console, "/api/state").body().contains("\"actions\":true"));
            String drain = "{\"action\":\"drain\",\"nid\":17,\"confirm\":\"drain node 17\"}";
            assertEquals(401, act(console, "other", drain).statusCode());
            assertEquals(List.of(), cluster.drained);
            assertEquals(200, act(console, "token of ops", drain).statusCode());
            assertEquals(200, act(console, "token of ops", drain.replace("drain", "undrain")).statusCode());
            assertEquals(List.of(17, -17), cluster.drained);
            assertTrue(cluster.lines.getLast().contains("by the principal ops"), cluster.lines::toString);
        }
    }

    private static final String ROLL = "{\"action\":\"roll\",\"confirm\":\"roll all nodes\"}";

    private void awaitChange(Console console, String text) {
        Threads.await("in the timeline: " + text, () -> {
            try {
                return FakeCluster.get(console, "/api/state").body().contains(text);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void roll_restartsPeersFirst_thenTheNodeOfTheConsole_withAStepForEach() throws Exception {
        try (Console console = cluster.console()) {
            assertEquals("restarts 3 nodes; the timeline shows each step\n",
                act(console, FakeCluster.TOKEN, ROLL).body());
            awaitChange(console, "the roll has ended: restarted 3 nodes");
            assertEquals(List.of(17, 18, 1), cluster.restarted);
            awaitChange(console, "peer-1, node 17 has restarted, whole after");
        }
    }

    @Test
    void roll_endsAtTheNodeThatIsNotStartedAgain_andTheOthersStay() throws Exception {
        cluster.restart = (nid, _) -> nid == 18 ? "nothing starts the process of this node again" : cluster.next(nid);
        try (Console console = cluster.console()) {
            assertEquals(200, act(console, FakeCluster.TOKEN, ROLL).statusCode());
            awaitChange(console, "nothing starts the process of this node again; 2 nodes were not restarted");
            assertEquals(List.of(17, 18), cluster.restarted);
            assertEquals(200, act(console, FakeCluster.TOKEN, "{\"action\":\"restart\",\"nid\":17,\"confirm\":"
                + "\"restart node 17\"}").statusCode(), "the next roll may begin");
            awaitChange(console, "the roll has ended: restarted 1 node");
        }
    }

    @Test
    void roll_waitsUntilAllZonesAreServedAndBacked() throws Exception {
        List<ZoneStatus> whole = cluster.zones;
        cluster.restart = (nid, _) -> {
            cluster.zones = List.of(FakeCluster.zone(1, ZoneStatus.State.OPEN, FakeCluster.ONE),
                FakeCluster.zone(2, ZoneStatus.State.FULL, FakeCluster.TWO, FakeCluster.ONE));
            return cluster.next(nid);
        };
        try (Console console = cluster.console()) {
            assertEquals(200, act(console, FakeCluster.TOKEN, ROLL).statusCode());
            awaitChange(console, "the roll restarts peer-1");
            int looks = cluster.looks.get();
            Threads.await("the roll looks again", () -> cluster.looks.get() > looks + 6);
            assertEquals(List.of(17), cluster.restarted, "a zone lacks its backup");
            assertEquals(409, act(console, FakeCluster.TOKEN, ROLL).statusCode(), "one roll at a time");
            cluster.restart = (nid, _) -> cluster.next(nid);
            cluster.zones = whole;
            awaitChange(console, "the roll has ended: restarted 3 nodes");
        }
    }

    @Test
    void roll_withoutTheRoleOfOperators_orWithoutItsConfirmation_restartsNothing() throws Exception {
        cluster.operators = token -> new String(token, StandardCharsets.UTF_8).equals("token of ops") ? "ops" : null;
        try (Console console = cluster.console((String) null)) {
            assertEquals(401, act(console, "token of a reader", ROLL).statusCode());
            assertEquals(400, act(console, "token of ops", ROLL.replace("roll all nodes", "yes")).statusCode());
            assertEquals(409, act(console, "token of ops", "{\"action\":\"restart\",\"nid\":99,\"confirm\":\"restart "
                + "node 99\"}").statusCode());
            assertEquals(List.of(), cluster.restarted);
        }
    }

    @Test
    void action_withoutATokenInTheConfiguration_isRefused() throws Exception {
        cluster.zones = List.of(FakeCluster.waiting(3, FakeCluster.TWO));
        try (Console console = cluster.console(null)) {
            assertEquals(403, act(console, "", CONFIRMED).statusCode());
            assertTrue(FakeCluster.get(console, "/api/state").body().contains("\"actions\":false"));
        }
    }
}
