package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterNode;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeSettings;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.admin.OptionValue;
import io.teff.cluster.control.CellLink;
import io.teff.cluster.meta.Command;
import io.teff.engine.os.Platform;
import io.teff.test.cluster.nodes.WireRecorder.Recorded;
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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.jspecify.annotations.Nullable;

/**
 * Goal: with TLS, no byte of a cluster crosses a socket in clear, except what TLS 1.3 itself shows: neither names of
 * nodes, addresses, the name of the cluster, keys of commands and contents of chunks, nor names of certificates.
 *
 * <p>Method: three superpeers and two peers, each behind a {@link WireRecorder}, and a client that uses these ports
 * alone. The addresses of all nodes are those of the recorders. The same recorders must find the marks without TLS, on
 * each kind of link.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class WireTest {
    private static final int SUPERPEERS = 3;
    private static final int NODES = 5;
    private static final int CHUNKS = 50;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(120);
    private static final String NODE = "mark-node-";
    private static final String CLUSTER = "mark-cluster";
    private static final String CONTENT = "mark-content-of-a-chunk-";
    private static final String CERTIFICATE = "mark-certificate";
    private static final String SUPERPEER = "mark:superpeer";
    private static final String SECRET = "mark-secret-0123456789abcdef";
    private static final long KEY = 0x6D61_726B_2D6B_6579L;
    /** HELLO: the NIDs of caller and called node are behind the head of 8 bytes. */
    private static final int NID_AT = 20;
    private static final int FIRST_PEER = 16;

    @TempDir
    private Path folder;
    private final List<WireRecorder> recorders = new ArrayList<>();
    private final List<ClusterNode> nodes = new ArrayList<>();
    private @Nullable PemAuthority authority;
    private PemFiles superpeerKeys;
    private PemFiles otherKeys;
    private Path secret;
    private int first;

    @AfterEach
    void endAll() throws IOException {
        nodes.reversed().forEach(ClusterNode::close);
        for (WireRecorder recorder : recorders) {
            recorder.close();
        }
    }

    // ---- the cluster ----

    private static String address(int port) {
        return "127.0.0.1:" + port;
    }

    private String recorder(int number) {
        return address(recorders.get(number).port());
    }

    private void start() throws Exception {
        secret = Files.writeString(folder.resolve("secret"), SECRET);
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        do {
            first = 12_000 + ThreadLocalRandom.current().nextInt(500) * NODES;
        } while (!NodeSettings.portFaults(ports().map(WireTest::address).toList()).isEmpty());
        for (int port : ports().toList()) {
            recorders.add(new WireRecorder(port));
        }
        Starts.CLUSTER.count();
        for (int number = 0; number < NODES; number++) {
            nodes.add(settings(number).start(System.getLogger("wire")));
        }
        for (ClusterNode node : nodes) {
            node.awaitReady(PATIENCE_NS);
        }
    }

    private Stream<Integer> ports() {
        return IntStream.range(first, first + NODES).boxed();
    }

    private NodeSettings settings(int number) throws Exception {
        boolean isSuperpeer = number < SUPERPEERS;
        Map<NodeOption, OptionValue> values = new EnumMap<>(NodeOption.class);
        values.put(NodeOption.ROLE, OptionValue.of(isSuperpeer ? "superpeer" : "peer"));
        values.put(NodeOption.NAME, OptionValue.of(NODE + number));
        values.put(NodeOption.FOLDER, OptionValue.of(folder.resolve("node" + number).toString()));
        values.put(NodeOption.LISTEN, OptionValue.of(address(first + number)));
        values.put(NodeOption.CLUSTER, OptionValue.of(CLUSTER));
        values.put(NodeOption.SECRET_FILE, OptionValue.of(secret.toString()));
        values.put(NodeOption.SUPERPEERS, OptionValue.of(IntStream.range(0, SUPERPEERS).mapToObj(this::recorder)
            .toArray(String[]::new)));
        if (isSuperpeer) {
            values.put(NodeOption.NUMBER, OptionValue.of(String.valueOf(number)));
        } else {
            values.put(NodeOption.ADDRESS, OptionValue.of(recorder(number)));
            values.put(NodeOption.MEMORY, OptionValue.of("64m"));
            values.put(NodeOption.RING, OptionValue.of("8m"));
        }
        if (authority != null) {
            PemFiles keys = isSuperpeer ? superpeerKeys : otherKeys;
            values.put(NodeOption.TLS_KEY, OptionValue.of(keys.key().toString()));
            values.put(NodeOption.TLS_CERTIFICATE, OptionValue.of(keys.certificate().toString()));
            values.put(NodeOption.TLS_AUTHORITY, OptionValue.of(authority.certificate().toString()));
            values.put(NodeOption.TLS_SUPERPEER_NAME, OptionValue.of(SUPERPEER));
        }
        return NodeSettings.of(values, "the test");
    }

    private ClientConfig client() throws IOException {
        ClientConfig.Builder client = ClientConfig.builder(IntStream.range(0, SUPERPEERS).mapToObj(this::recorder)
            .toArray(String[]::new)).cluster(CLUSTER).secret(secret).timeoutNs(PATIENCE_NS);
        return (authority == null ? client : client.superpeerName(SUPERPEER)
            .tls(otherKeys.key(), otherKeys.certificate(), authority.certificate())).build();
    }

    /** Uses the cluster in each way that carries a mark. */
    private void work() throws Exception {
        ClientConfig config = client();
        try (ClusterAdmin admin = ClusterAdmin.connect(config); ClusterStore store = ClusterStore.connect(config);
             CellLink link = CellLink.open(config, Platform.SYSTEM)) {
            Threads.await("each zone has a backup", () -> isBacked(admin.tables()));
            byte[] target = new byte[100];
            for (int i = 0; i < CHUNKS; i++) {
                byte[] content = (CONTENT + i).getBytes(StandardCharsets.US_ASCII);
                assertEquals(content.length, store.get(store.create(content), target));
            }
            Threads.await("a superpeer takes a command", () -> link.send(new Command.ClientOpen(KEY), 0) != null);
            ClusterStatus status = admin.status();
            for (ClusterStatus.Member member : status.nodes()) {
                assertTrue(name(member).startsWith(NODE), member::toString);
            }
            assertEquals(NODES, status.nodes().size());
            assertEquals(List.of(), WireRecorder.bypasses(ports().collect(Collectors.toSet())));
        }
    }

    private static String name(ClusterStatus.Member member) {
        NodeStatus status = member.status();
        assertNotNull(status, member::toString);
        return status.name();
    }

    private static boolean isBacked(ClusterStatus status) {
        return status.nodes().stream().filter(node -> node.role() == NodeRole.PEER).count() == NODES - SUPERPEERS
            && !status.zones().isEmpty()
            && status.zones().stream().allMatch(zone -> zone.state().isServed() && !zone.backups().isEmpty());
    }

    // ---- the marks ----

    private Map<String, byte[]> marks() {
        Map<String, byte[]> marks = new LinkedHashMap<>();
        for (int number = 0; number < NODES; number++) {
            marks.put("name of node " + number, ascii(NODE + number));
            marks.put("address of node " + number, ascii(recorder(number)));
        }
        marks.put("name of the cluster", ascii(CLUSTER));
        marks.put("content of a chunk", ascii(CONTENT));
        marks.put("key of a command", ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(KEY)
            .array());
        marks.put("key of a command, from its high end", ByteBuffer.allocate(Long.BYTES).putLong(KEY).array());
        marks.put("name of a certificate", ascii(CERTIFICATE));
        marks.put("name of superpeers", ascii(SUPERPEER));
        marks.put("secret", ascii(SECRET));
        return marks;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private List<Recorded> recorded() {
        return recorders.stream().flatMap(recorder -> recorder.recorded().stream()).toList();
    }

    private static boolean has(Recorded recorded, byte[] mark) {
        return has(recorded.asked(), mark) || has(recorded.answered(), mark);
    }

    private static boolean has(byte[] bytes, byte[] mark) {
        return text(bytes).contains(text(mark));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Returns the marks that some recorder has seen. */
    private Set<String> found() {
        List<Recorded> all = recorded();
        return marks().entrySet().stream().filter(mark -> all.stream().anyMatch(each -> has(each, mark.getValue())))
            .map(Map.Entry::getKey).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    @FullTier("20 s for a cluster; TlsNetworkTest and TlsLinkTest have the links")
    @Test
    void nodesWithTls_showNoMarkOnAnySocket_andNothingButRecordsOfTls() throws Exception {
        authority = PemAuthority.make(folder, CERTIFICATE);
        superpeerKeys = authority.sign(CERTIFICATE + "-superpeer", "-ext", "san=uri:" + SUPERPEER);
        otherKeys = authority.sign(CERTIFICATE + "-other");
        start();
        work();
        assertEquals(Set.of(), found());
        for (WireRecorder recorder : recorders) {
            assertTrue(recorder.recorded().size() > 1, "each node was called by others");
        }
        for (Recorded each : recorded()) {
            assertRecords(each.asked());
            assertRecords(each.answered());
        }
    }

    @FullTier("20 s for a cluster; its twin with TLS would find no mark without it")
    @Test
    void nodesWithoutTls_showEachMark_onEachKindOfLink_butNeverTheSecret() throws Exception {
        start();
        work();
        Set<String> expected = new LinkedHashSet<>(marks().keySet());
        expected.removeAll(List.of("secret", "name of a certificate", "name of superpeers",
            "key of a command, from its high end"));
        assertEquals(expected, found());
        Set<String> kinds = new TreeSet<>();
        for (Recorded each : recorded()) {
            assertTrue(has(each, ascii(CLUSTER)), "each greeting names the cluster");
            kinds.add(kind(each.asked(), NID_AT) + " to " + kind(each.asked(), NID_AT + Short.BYTES));
        }
        assertTrue(kinds.containsAll(Set.of("superpeer to superpeer", "peer to superpeer", "peer to peer",
            "client to superpeer", "client to peer")), kinds::toString);
    }

    private static String kind(byte[] hello, int at) {
        int nid = ByteBuffer.wrap(hello).order(ByteOrder.LITTLE_ENDIAN).getShort(at) & 0xFFFF;
        return nid < FIRST_PEER ? "superpeer" : nid < 0xF000 ? "peer" : "client";
    }

    // ---- the records of TLS ----

    private static final int RECORD_HEAD = 5;
    private static final int RECORD_MAX = (16 << 10) + 256;
    private static final int CHANGE_CIPHER = 20;
    private static final int ALERT = 21;
    private static final int HANDSHAKE = 22;
    private static final int ENCRYPTED = 23;
    /** The greeting of TLS: a HELLO, and a second HELLO if the sides have no group in common at first. */
    private static final int GREETINGS = 3;

    /**
     * Checks that a direction of a connection has nothing but records of TLS 1.3: HELLO in clear, then encrypted
     * records. The last record may be cut.
     */
    private static void assertRecords(byte[] bytes) {
        assertEquals(HANDSHAKE, bytes[0], () -> begin(bytes));
        int at = 0;
        for (int number = 0; at + RECORD_HEAD <= bytes.length; number++) {
            int type = bytes[at];
            int length = (bytes[at + 3] & 0xFF) << Byte.SIZE | bytes[at + 4] & 0xFF;
            boolean isGreeting = number < GREETINGS && (type == HANDSHAKE || type == CHANGE_CIPHER || type == ALERT);
            int place = at;
            assertTrue(bytes[at + 1] == 3 && length <= RECORD_MAX && (type == ENCRYPTED || isGreeting),
                () -> "record at " + place + " of " + bytes.length + ": " + begin(bytes));
            at += RECORD_HEAD + length;
        }
    }

    private static String begin(byte[] bytes) {
        return HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, 64));
    }
}
