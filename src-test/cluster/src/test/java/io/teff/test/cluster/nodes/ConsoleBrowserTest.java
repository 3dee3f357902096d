package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Project;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A console in a browser: a superpeer of a cluster of processes serves the console, and a peer is killed meanwhile.
 * Needs Chromium; without Chromium the tests are left out with a word. {@code -Dteff.shots=docs/console} keeps
 * screenshots.
 */
@Tag("processes")
@FullTier("40 s: starts a cluster of processes and a browser; ConsoleTest has the documents of the page")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class ConsoleBrowserTest {
    private static final int TAB = 9;
    private static final int ENTER = 13;
    private static final int CONSOLE = 20;

    @TempDir
    private static Path folder;
    private static Chromium browser;
    private static CommandedCluster cluster;
    private static ClusterStore store;
    private static String address;

    @BeforeAll
    static void start() throws Exception {
        Path program = Chromium.program();
        if (program == null) {
            System.out.println("console: not tested in a browser; apt-get install chromium");
            return;
        }
        int port = LocalPorts.free();
        cluster = new CommandedCluster(folder.resolve("cluster"), port);
        cluster.up("--peers", "3");
        store = ClusterStore.connect("tcp:127.0.0.1:" + port, "tcp:127.0.0.1:" + (port + 1));
        store.map("accounts", Codecs.STRING, Codecs.LONG).putAll(Map.of("me", 40L, "you", 2L));
        IntStream.range(0, 20_000).forEach(i -> store.create(new byte[200]));
        // the console of a superpeer, as an operator turns it on
        Path file = cluster.home().resolve("superpeer-1/node.toml");
        String text = Files.readString(file);
        Files.writeString(file, text.replace("[node]\n", "[node]\nconsole = \"http://127.0.0.1:" + (port + CONSOLE)
            + "\"\nconsole-token-file = \"token\"\n"));
        Path token = file.resolveSibling("token");
        Files.createFile(token, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(token, "a token of operators");
        cluster.succeed("kill", "superpeer-1");
        assertEquals(0, cluster.child("start", "superpeer-1").exitCode());
        address = "http://127.0.0.1:" + (port + CONSOLE) + "/";
        browser = Chromium.start(program, folder.resolve("profile"));
    }

    @AfterAll
    static void end() throws Exception {
        if (browser != null) {
            browser.close();
            store.close();
            cluster.down();
        }
    }

    private static boolean isLeftOut() {
        return browser == null;
    }

    private static void shot(String name) throws Exception {
        String place = System.getProperty("teff.shots", "");
        browser.shot(place.isEmpty() ? folder.resolve(name) : Project.file(place).resolve(name));
    }

    private static void page(String name) throws Exception {
        browser.value("window.location.hash = '#" + name + "'");
        browser.await("the page " + name, "document.querySelector('main > section:not([hidden])').id === 'page-"
            + (name.startsWith("node-") ? "node" : name) + "'");
    }

    /** Returns the page of the first peer. */
    private static String peer() throws Exception {
        return String.valueOf(browser.value("[...document.querySelectorAll('#nodes a')].find(each =>"
            + " each.textContent === 'peer-1').hash.slice(1)"));
    }

    @Test
    @Order(1)
    void overview_showsTheCluster_withoutAFault() throws Exception {
        if (isLeftOut()) {
            return;
        }
        browser.size(1280, 900, false);
        browser.open(address);
        browser.await("all nodes", "[...document.querySelectorAll('#nodes .state')].filter(each =>"
            + " ['up', 'leads'].includes(each.textContent)).length === 6");
        browser.await("a quiet cluster", "document.querySelector('#alerts').innerText.includes('No alerts')");
        browser.await("chunks", "document.querySelector('#tiles').innerText.match(/2\\d,\\d\\d\\d/)");
        shot("overview-wide.png");
        assertEquals(List.of(), browser.faults());
    }

    @Test
    @Order(2)
    void kill_isSeen_asItHappens() throws Exception {
        if (isLeftOut()) {
            return;
        }
        page("timeline");
        browser.await("the page is empty", "document.querySelector('#changes').innerText.includes('No change')");
        cluster.succeed("kill", "peer-2");
        browser.await("the end of the peer",
            "/does not count any more/.test(document.querySelector('#changes').innerText)");
        browser.await("its zones at new owners", "document.querySelectorAll('#recoveries .bar').length > 0");
        browser.size(900, 1000, false);
        shot("timeline-medium.png");
        page("overview");
        browser.await("the peer", "[...document.querySelectorAll('#nodes .state')].some(each => each.textContent ==="
            + " 'expired')");
        page("zones");
        browser.await("all zones are served", "[...document.querySelectorAll('#zone-table tbody .state')].length > 0 &&"
            + " [...document.querySelectorAll('#zone-table tbody .state')].every(each => each.textContent === 'open')");
        browser.size(1280, 900, false);
        shot("zones-wide.png");
        assertEquals(List.of(), browser.faults());
    }

    @Test
    @Order(3)
    void charts_haveLines_andANodeHasItsLog() throws Exception {
        if (isLeftOut()) {
            return;
        }
        page("charts");
        browser.await("lines", "document.querySelectorAll('#chart-box path.curve').length >= 8");
        browser.size(1280, 1000, true);
        shot("charts-dark.png");
        page("overview");
        page(peer());
        browser.await("the log", "document.querySelector('#log').textContent.includes('life-begun')");
        browser.await("the charts", "document.querySelectorAll('#node-charts path.curve').length >= 8");
        browser.size(390, 844, false);
        shot("node-narrow.png");
        assertEquals(List.of(), browser.faults());
    }

    @Test
    @Order(4)
    void data_isRead_byTheKeyboardAlone() throws Exception {
        if (isLeftOut()) {
            return;
        }
        browser.size(1280, 900, false);
        page("data");
        browser.await("the list", "document.querySelector('#collections').innerText.includes('accounts')");
        browser.value("document.getElementById('key').focus()");
        for (char letter : "me".toCharArray()) {
            browser.call("Input.insertText", Map.of("text", String.valueOf(letter)));
        }
        browser.key("Tab", TAB);
        assertEquals("Read value", browser.value("document.activeElement.textContent"));
        browser.key("Enter", ENTER);
        browser.await("the value", "document.querySelector('#result').innerText.includes('\"value\": 40')");
        shot("data-wide.png");
        assertEquals(List.of(), browser.faults());
    }

    /** A roll from the console: refused for a wrong token, then each node has another process. */
    @Test
    @Order(7)
    void roll_restartsEachNode_withItsStepsInTheTimeline() throws Exception {
        if (isLeftOut()) {
            return;
        }
        assertEquals(0, cluster.child("start", "peer-2").exitCode());
        browser.size(1280, 900, false);
        page("overview");
        browser.await("all nodes again", "[...document.querySelectorAll('#nodes .state')].filter(each =>"
            + " ['up', 'leads'].includes(each.textContent)).length === 6");
        Map<String, Object> before = cluster.status();
        act("roll", "a wrong token of operators", "roll all nodes");
        browser.await("a refusal", "document.querySelector('#accept-result').innerText.includes('the token is wrong')");
        browser.value("document.getElementById('accept-cancel').click()");
        act("roll", "a token of operators", "roll all nodes");
        browser.await("a begin", "document.querySelector('#accept-result').innerText.includes('restarts 6 nodes')");
        browser.value("document.getElementById('accept-cancel').click()");
        page("timeline");
        browser.await("the first step", "/the roll restarts peer-/.test(document.querySelector('#changes').innerText)");
        browser.await("a peer is back",
            "/has restarted, whole after/.test(document.querySelector('#changes').innerText)");
        for (String name : List.of("peer-1", "peer-2", "peer-3", "superpeer-1", "superpeer-2", "superpeer-3")) {
            Object process = CommandedCluster.node(before, name).get("pid");
            Threads.await(CommandedCluster.PATIENCE_S, () -> "another process of " + name + " than " + process, () -> {
                try {
                    Map<?, ?> now = CommandedCluster.node(cluster.status(), name);
                    return "up".equals(now.get("state")) && !process.equals(now.get("pid"));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        assertEquals(40L, store.map("accounts", Codecs.STRING, Codecs.LONG).get("me"));
    }

    /** Opens the dialog of an action, fills the dialog, and sends it. */
    private static void act(String button, String token, String words) throws Exception {
        browser.value("document.getElementById('" + button + "').click()");
        browser.value("document.getElementById('token').value = '" + token + "'");
        browser.value("document.getElementById('confirm').value = '" + words + "'");
        browser.value("document.getElementById('accept-button').click()");
    }

    @Test
    @Order(5)
    void pages_haveNamesForScreenReaders_andFitNarrowScreens() throws Exception {
        if (isLeftOut()) {
            return;
        }
        assertEquals("en", browser.value("document.documentElement.lang"));
        assertEquals(0, browser.value("[...document.querySelectorAll('input, select')].filter(each =>"
            + " !each.closest('label')).length"), "each field has a label");
        assertEquals(0, browser.value("[...document.querySelectorAll('section, [role=region], dialog')].filter(each =>"
            + " !each.getAttribute('aria-label')"
            + " && !document.getElementById(each.getAttribute('aria-labelledby'))).length"));
        assertEquals(1, browser.value("document.querySelectorAll('main').length"));
        assertEquals(0, browser.value("[...document.querySelectorAll('th')].filter(each => !each.scope).length"));
        assertEquals(0, browser.value("[...document.querySelectorAll('svg[role=img]')].filter(each =>"
            + " !each.getAttribute('aria-label')).length"));
        for (String name : List.of("overview", "zones", "timeline", "charts", peer(), "data")) {
            for (int width : new int[] {320, 390, 768}) {
                browser.size(width, 800, width == 390);
                page(name);
                assertTrue((Boolean) browser.value("document.documentElement.scrollWidth <= window.innerWidth"),
                    () -> name + " is wider than " + width);
            }
        }
        browser.size(390, 844, true);
        page("overview");
        shot("overview-narrow-dark.png");
    }

    /** The contrast of texts is that of WCAG 2, level AA, in both modes. */
    @Test
    @Order(6)
    void texts_haveContrast() throws Exception {
        if (isLeftOut()) {
            return;
        }
        String contrast = "(() => { const light = (text) => { const [r, g, b] = text.match(/[\\d.]+/g).map(each => {"
            + " const part = each / 255; return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4; });"
            + " return 0.2126 * r + 0.7152 * g + 0.0722 * b; };"
            + " const back = (each) => { for (let at = each; at; at = at.parentElement) { const color ="
            + " getComputedStyle(at).backgroundColor; if (!color.startsWith('rgba(0, 0, 0, 0')) { return color; } }"
            + " return 'rgb(255, 255, 255)'; };"
            + " return [...document.querySelectorAll('main section:not([hidden]) *, header *')].filter(each =>"
            + " [...each.childNodes].some(node => node.nodeType === 3 && node.textContent.trim())"
            + " && each.getClientRects().length && !each.closest('.skip')).map(each => { const one ="
            + " light(getComputedStyle(each).color) + 0.05; const other = light(back(each)) + 0.05;"
            + " return [Math.max(one, other) / Math.min(one, other), each.outerHTML.slice(0, 80)]; })"
            + ".filter(each => each[0] < 4.5).map(each => each.join(' ')); })()";
        for (boolean isDark : new boolean[] {false, true}) {
            browser.size(1280, 900, isDark);
            for (String name : List.of("overview", "zones", "timeline", "charts", "data")) {
                page(name);
                assertEquals(List.of(), browser.value(contrast), name + (isDark ? ", dark" : ", light"));
            }
        }
    }
}
