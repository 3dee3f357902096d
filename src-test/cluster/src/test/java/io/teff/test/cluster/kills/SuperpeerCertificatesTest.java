package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.control.CellLink;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.meta.Command;
import io.teff.engine.os.Platform;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.PemAuthority;
import io.teff.test.kit.PemFiles;
import io.teff.test.kit.Starts;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a superpeer with a wrong certificate gets nothing of the metadata and is named on both sides, and the other two
 * superpeers elect and go on.
 *
 * <p>Each node listens at its one port and nowhere else.
 *
 * <p>Method: three superpeers and a peer as processes at hosts of their own ({@link HostNetwork}), with certificates of
 * one authority and {@code cluster.tls-superpeer-name}. A superpeer starts again with the certificate of another
 * authority, without the name of superpeers, or with a certificate that ends meanwhile. The machine must allow network
 * namespaces, which takes root.
 */
@Tag("processes")
@FullTier("two minutes for processes in network namespaces; SuperpeerNameTest and TlsNetworkTest have the links")
@Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SuperpeerCertificatesTest {
    private static final String MAIN = "io.teff.cluster.terminal.cli.Terminal";
    private static final String NAME = "teff:superpeer";
    private static final int PORT = 7_400;
    private static final int SUPERPEERS = 3;
    private static final int PEER = 4;
    private static final long PATIENCE_S = 120;
    /** The time of a certificate that ends while its node runs: long enough for a start on a busy machine. */
    private static final int BRIEF_S = 60;

    @TempDir
    private Path folder;
    private final Map<Integer, Process> processes = new TreeMap<>();
    private HostNetwork network;
    private PemAuthority authority;
    private PemFiles client;
    private Path secret;

    @BeforeEach
    void makeNetwork() throws Exception {
        String missing = HostNetwork.missing();
        if (missing != null) {
            System.out.println("certificates of superpeers: left out, " + missing);
        }
        assumeTrue(missing == null, missing);
        network = new HostNetwork(PEER);
        authority = PemAuthority.make(folder, "authority");
        client = authority.sign("client");
        secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        Starts.CLUSTER.count();
    }

    @AfterEach
    void endAll() {
        processes.values().forEach(Process::destroyForcibly);
        processes.values().forEach(process -> process.onExit().join());
        if (network != null) {
            network.close();
        }
    }

    // ---- the nodes ----

    private static String name(int host) {
        return host == PEER ? "peer" : "superpeer-" + host;
    }

    private Path home(int host) {
        return folder.resolve(name(host));
    }

    private String addresses() {
        return IntStream.rangeClosed(1, SUPERPEERS).mapToObj(host -> '"' + network.address(host) + ':' + PORT + '"')
            .toList().toString();
    }

    /** Gives a host a key and a certificate. */
    private void give(int host, PemFiles keys) throws IOException {
        Files.createDirectories(home(host));
        Files.copy(keys.key(), home(host).resolve("node.key"), StandardCopyOption.REPLACE_EXISTING,
            StandardCopyOption.COPY_ATTRIBUTES);
        Files.copy(keys.certificate(), home(host).resolve("node.crt"), StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Starts the node of a host.
     *
     * @param trusted the authority that the node trusts
     * @param asksForName whether the node asks for the name of superpeers
     */
    private void start(int host, PemAuthority trusted, boolean asksForName) throws IOException {
        Path file = Files.writeString(home(host).resolve("node.toml"), """
            [node]
            role = "%s"
            name = "%s"
            folder = "data"
            listen = "%s:%d"
            log = "node.log"
            [cluster]
            superpeers = %s
            secret-file = "../secret"
            tls-key = "node.key"
            tls-certificate = "node.crt"
            tls-authority = "%s"
            %s
            """.formatted(host == PEER ? "peer" : "superpeer", name(host), network.address(host), PORT, addresses(),
            trusted.certificate(), asksForName ? "tls-superpeer-name = \"" + NAME + '"' : "")
            + (host == PEER ? "[peer]\nmemory = \"64m\"\nring = \"8m\"\n" : ""));
        List<String> command = new ArrayList<>(network.at(host));
        command.addAll(List.of(ChildProcess.java(), "-XX:+UseSerialGC", "-Xss512k", "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED", "-Xmx96m", "-cp", ChildProcess.classPath(), MAIN, "node",
            "--config", file.toString()));
        Process process = new ProcessBuilder(command).directory(home(host).toFile()).redirectErrorStream(true)
            .redirectOutput(home(host).resolve("node.out").toFile()).start();
        process.getOutputStream().close();
        processes.put(host, process);
    }

    private void kill(int host) {
        processes.get(host).destroyForcibly().onExit().join();
    }

    private String text(int host, String file) {
        try {
            return Files.readString(home(host).resolve(file));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private String logs() {
        StringBuilder all = new StringBuilder();
        for (int host : processes.keySet()) {
            all.append("\n--- ").append(name(host)).append('\n').append(text(host, "node.out"))
                .append(text(host, "node.log"));
        }
        return all.toString();
    }

    private void awaitReady(int host) {
        Threads.await(PATIENCE_S, this::logs, () -> text(host, "node.out").contains("ready: "));
    }

    /** Waits until the node of a host has refused a link, or was refused, with each of some texts in one line. */
    private void awaitRefusal(int host, String... texts) {
        Threads.await(PATIENCE_S, () -> name(host) + " does not say " + List.of(texts) + logs(), () -> text(host,
            "node.log").lines().anyMatch(line -> line.contains("link-refused")
                && Stream.of(texts).allMatch(line::contains)));
    }

    private void startAll() throws Exception {
        for (int host = 1; host <= SUPERPEERS; host++) {
            give(host, authority.sign(name(host), "-ext", "san=uri:" + NAME));
            start(host, authority, true);
        }
        give(PEER, authority.sign("peer"));
        start(PEER, authority, true);
        for (int host = 1; host <= PEER; host++) {
            awaitReady(host);
        }
    }

    /** Checks that the node is the only listener of its network namespace, at one port of TCP, and has no UDP. */
    private void assertOnePort(int host) throws IOException {
        Path tables = Path.of("/proc/" + processes.get(host).pid() + "/net");
        List<Integer> listening = new ArrayList<>();
        for (String table : List.of("tcp", "tcp6")) {
            Files.readAllLines(tables.resolve(table)).stream().skip(1).map(line -> line.strip().split("\\s+"))
                .filter(words -> words[3].equals("0A"))
                .forEach(words -> listening.add(Integer.parseInt(words[1].substring(words[1].indexOf(':') + 1), 16)));
        }
        assertEquals(List.of(PORT), listening, () -> name(host));
        for (String table : List.of("udp", "udp6")) {
            assertEquals(1, Files.readAllLines(tables.resolve(table)).size(), () -> name(host) + ' ' + table);
        }
    }

    // ---- the client ----

    private ClientConfig config() throws IOException {
        return ClientConfig.builder(IntStream.rangeClosed(1, SUPERPEERS).mapToObj(host -> network.address(host) + ':'
            + PORT).toArray(String[]::new)).secret(secret).superpeerName(NAME).timeoutNs(TimeUnit.MINUTES.toNanos(2))
            .tls(client.key(), client.certificate(), authority.certificate()).build();
    }

    private static void work(ClusterStore store, int content) {
        byte[] target = new byte[1];
        assertEquals(1, store.get(store.create(new byte[] {(byte) content}), target));
        assertEquals((byte) content, target[0]);
    }

    /** Returns the host of the superpeer that leads; 0 without one. */
    private static int leader(CellLink link) {
        for (int host = 1; host <= SUPERPEERS; host++) {
            NodeStatus status = link.status(CellMessages.nid(host - 1), false).join();
            if (status != null && status.standing().isLeading()) {
                link.leads(host - 1);
                return host;
            }
        }
        return 0;
    }

    private int awaitLeader(CellLink link) {
        int[] found = new int[1];
        Threads.await(PATIENCE_S, this::logs, () -> (found[0] = leader(link)) != 0);
        return found[0];
    }

    /** Cuts other leaders off until the superpeer of a host leads. */
    private void letLead(CellLink link, int host) throws IOException, InterruptedException {
        for (int leader = awaitLeader(link); leader != host; leader = awaitLeader(link)) {
            List<Integer> others = new ArrayList<>(List.of(1, 2, 3));
            others.remove(Integer.valueOf(leader));
            int cut = leader;
            network.split(List.of(cut), others);
            Threads.await(PATIENCE_S, this::logs, () -> {
                int now = leader(link);
                return now != 0 && now != cut;
            });
            network.heal();
        }
    }

    /** Commits a command with a key that is found in the journals. */
    private void commit(CellLink link, long key) {
        Threads.await(PATIENCE_S, this::logs, () -> link.send(new Command.ClientOpen(key), 0) != null);
    }

    private boolean hasInJournal(int host, long key) throws IOException {
        String mark = new String(ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(key).array(),
            StandardCharsets.ISO_8859_1);
        try (Stream<Path> files = Files.walk(home(host).resolve("data"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(mark)) {
                    return true;
                }
            }
        }
        return false;
    }

    private void awaitJournal(int host, long key) {
        Threads.await(PATIENCE_S, this::logs, () -> {
            try {
                return hasInJournal(host, key);
            } catch (IOException e) {
                return false;                                   // the journal goes on in another file
            }
        });
    }

    // ---- tests ----

    @Test
    void superpeer_withAWrongCertificate_getsNothing_andTheOthersElectAndGoOn() throws Exception {
        startAll();
        PemAuthority other = PemAuthority.make(folder, "other-authority");
        try (CellLink link = CellLink.open(config(), Platform.SYSTEM); ClusterStore store = ClusterStore.connect(
            config())) {
            work(store, 1);
            for (int host = 1; host <= PEER; host++) {
                assertOnePort(host);
            }
            int wrong = awaitLeader(link);
            List<Integer> right = new ArrayList<>(List.of(1, 2, 3));
            right.remove(Integer.valueOf(wrong));

            kill(wrong);                                        // the leader, so the other two must elect
            give(wrong, other.sign("stranger-" + wrong, "-ext", "san=uri:" + NAME));
            start(wrong, authority, true);
            assertTrue(right.contains(awaitLeader(link)));
            long key = 0x6B65_792D_6F66_2D31L;
            commit(link, key);
            work(store, 2);
            awaitRefusal(wrong, "the other side does not accept the certificate of this side");
            for (int host : right) {
                awaitRefusal(host, "the other side has the certificate of CN=stranger-" + wrong
                    + ", issued by CN=other-authority, which this node does not trust");
                awaitJournal(host, key);
            }
            int again = awaitLeader(link);
            kill(again);
            start(again, authority, true);                      // no majority until it is back, then another election
            long second = 0x6B65_792D_6F66_2D32L;
            commit(link, second);
            work(store, 3);
            assertFalse(hasInJournal(wrong, key) || hasInJournal(wrong, second), "it has got nothing");

            kill(wrong);
            give(wrong, authority.sign("peer-" + wrong));       // trusted, and without the name of superpeers
            start(wrong, authority, false);
            for (int host : right) {
                awaitRefusal(host, "needs a certificate with the name " + NAME + ", and the certificate of CN=peer-"
                    + wrong + " lacks this name");
            }
            awaitRefusal(wrong, "a certificate lacks the name that its node needs");
            awaitRefusal(PEER, "CN=peer-" + wrong + " lacks this name");
            long third = 0x6B65_792D_6F66_2D33L;
            commit(link, third);
            work(store, 4);
            assertFalse(hasInJournal(wrong, key) || hasInJournal(wrong, third), "it has got nothing");

            kill(wrong);
            give(wrong, authority.sign("again-" + wrong, "-ext", "san=uri:" + NAME));
            start(wrong, authority, true);
            awaitJournal(wrong, third);
            awaitReady(wrong);
        }
    }

    /**
     * Links that exist go on, also those of a leader. New links are refused, so a superpeer that starts has no way to
     * this leader. A start with such a certificate is refused, too.
     */
    @Test
    void superpeer_whoseCertificateHasEnded_getsNoNewLink_andTheClusterGoesOn() throws Exception {
        startAll();
        try (CellLink link = CellLink.open(config(), Platform.SYSTEM); ClusterStore store = ClusterStore.connect(
            config())) {
            int ended = 3;
            kill(ended);
            give(ended, authority.sign("brief", "-ext", "san=uri:" + NAME, "-startdate", "-1d+" + BRIEF_S + "S",
                "-validity", "1"));
            start(ended, authority, true);
            awaitReady(ended);
            letLead(link, ended);
            work(store, 1);
            Threads.await(PATIENCE_S, this::logs, () -> text(ended, "node.log").contains("CN=brief in")
                && text(ended, "node.log").contains("has expired"));
            kill(1);
            start(1, authority, true);                          // ready later: it has no way to the leader
            awaitRefusal(1, "the other side has the certificate of CN=brief, which was valid until");
            awaitRefusal(ended, "the other side does not accept the certificate of this side");
            commit(link, 1);
            work(store, 2);
            kill(ended);
            start(ended, authority, true);
            assertEquals(2, processes.get(ended).onExit().get(PATIENCE_S, TimeUnit.SECONDS).exitValue());
            String said = text(ended, "node.out");
            assertTrue(said.contains("CN=brief, which was valid until"), said);
            awaitReady(1);
            awaitLeader(link);
            work(store, 3);
        }
    }
}
