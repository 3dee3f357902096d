package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.MissingRightException;
import io.teff.cluster.access.Right;
import io.teff.cluster.access.Role;
import io.teff.cluster.admin.BackupMove;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterBackups;
import io.teff.cluster.admin.ClusterMoves;
import io.teff.cluster.admin.ClusterNode;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.FigureHistory;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.NodeSettings;
import io.teff.cluster.admin.OptionValue;
import io.teff.cluster.admin.ZoneMove;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.RawRequestType;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobOptions;
import io.teff.engine.compute.JobTarget;
import io.teff.test.kit.Starts;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import io.teff.test.net.HostileContract;
import io.teff.test.net.HostilePeer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: with roles, each node does for a principal what its roles allow, and nothing else.
 *
 * <p>Method: a superpeer and two peers in this process with a principal for each role. Each type of messages is sent to
 * each kind of node, and each method of the administration is called, with each role; the tables of this test name the
 * right of each, and a type or method without an entry fails. The hostile peers of the network's own tests attack the
 * ports with the token of a principal.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@FullTier("some 12 s with a cluster of its own; AccessControlTest, MessageRightsTest, CellRightsTest and "
    + "OperationRightsTest have the tables")
final class RolesTest {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int PEERS = 2;
    private static final int SUPERPEER = 1;
    /** NIDs of clients. */
    private static final int DRAWN = 0xF000;
    private static final int TYPES = 128;
    private static final int LINES_TYPE = 22;
    /** The right of each type of messages; other types need that of a node. */
    private static final Map<Integer, Right> TYPE_RIGHTS = new HashMap<>();
    /** The types of messages that other principals than nodes may send, by right. */
    private static final Map<Right, int[]> BY_RIGHT = Map.of(Right.ANY, new int[] {2, 3, 7, 10, 23, 32, 33},
        Right.READ, new int[] {34},
        Right.STATUS, new int[] {4, 21}, Right.WRITE, new int[] {5}, Right.OPERATE, new int[] {22, 24}, Right.COMPUTE,
        new int[] {40, 41, 42, 45}, Right.ADMINISTER, new int[] {66});

    static {
        BY_RIGHT.forEach((right, types) -> Arrays.stream(types).forEach(type -> TYPE_RIGHTS.put(type, right)));
    }

    /** Keeps the lines of all nodes. */
    private static final class Lines implements System.Logger {
        private final Queue<String> all = new ConcurrentLinkedQueue<>();

        @Override
        public String getName() {
            return "lines";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
            all.add(text);
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            all.add(format);
        }
    }

    @TempDir
    private static Path folder;
    private static final Lines LINES = new Lines();
    private static final List<ClusterNode> NODES = new ArrayList<>();
    private static int port;

    // ---- the cluster ----

    private static void secret(String name, String content) throws IOException {
        Files.setPosixFilePermissions(Files.writeString(folder.resolve(name), content),
            PosixFilePermissions.fromString("rw-------"));
    }

    @BeforeAll
    static void startCluster() throws Exception {
        secret("secret", "the secret of all nodes");
        StringBuilder roles = new StringBuilder();
        for (Role role : Role.values()) {
            String name = name(role);
            secret(name, "the token of " + name);
            roles.append("[%s]\nroles = \"%s\"\ntoken-file = \"%s\"\n".formatted(name, name, name));
        }
        secret("scoped", "the token of scoped");
        secret("slow", "the token of slow ones");
        secret("hostile", new String(HostilePeer.SECRET, StandardCharsets.US_ASCII));
        roles.append("""
            [scoped]
            roles = "writer"
            token-file = "scoped"
            collections = ["sales*"]
            services = ["sales/*"]
            [slow]
            roles = "reader"
            token-file = "slow"
            requests-per-second = 20
            [hostile]
            roles = "admin"
            token-file = "hostile"
            """);
        Files.writeString(folder.resolve("roles.toml"), roles);
        port = 20_000 + ThreadLocalRandom.current().nextInt(1_000) * 20;
        while (!NodeSettings.portFaults(List.of(address(0), address(1), address(2))).isEmpty()) {
            port += 20;
        }
        Starts.CLUSTER.count();
        NODES.add(settings("superpeer", 0).start(LINES));
        for (int i = 1; i <= PEERS; i++) {
            NODES.add(settings("peer", i).start(LINES));
        }
        for (ClusterNode node : NODES) {
            node.awaitReady(PATIENCE_NS);
        }
        try (ClusterAdmin admin = ClusterAdmin.connect(client("secret"))) {
            Threads.await("each zone has a backup", () -> {
                ClusterStatus tables = admin.tables();
                return !tables.zones().isEmpty() && tables.zones().stream().allMatch(zone ->
                    zone.state().isServed() && !zone.backups().isEmpty());
            });
        }
    }

    @AfterAll
    static void endCluster() {
        NODES.reversed().forEach(ClusterNode::close);
    }

    private static String name(Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    private static String address(int number) {
        return "127.0.0.1:" + (port + number);
    }

    private static NodeSettings settings(String role, int number) throws Exception {
        Map<NodeOption, OptionValue> values = new EnumMap<>(NodeOption.class);
        values.put(NodeOption.ROLE, OptionValue.of(role));
        values.put(NodeOption.NAME, OptionValue.of(role + "-" + number));
        values.put(NodeOption.FOLDER, OptionValue.of(folder.resolve(role + number).toString()));
        values.put(NodeOption.LISTEN, OptionValue.of(address(number)));
        values.put(NodeOption.SUPERPEERS, OptionValue.of(address(0)));
        values.put(NodeOption.SECRET_FILE, OptionValue.of(folder.resolve("secret").toString()));
        values.put(NodeOption.ROLES_FILE, OptionValue.of(folder.resolve("roles.toml").toString()));
        values.put(NodeOption.MEMORY, OptionValue.of("64m"));
        values.put(NodeOption.RING, OptionValue.of("8m"));
        return NodeSettings.of(values, "the test");
    }

    private static ClientConfig client(String secret) throws IOException {
        return ClientConfig.builder(address(0)).secret(folder.resolve(secret)).timeoutNs(PATIENCE_NS).build();
    }

    // ---- types of messages ----

    private static int peer() throws IOException {
        try (ClusterAdmin admin = ClusterAdmin.connect(client("secret"))) {
            return admin.tables().zones().getFirst().owner().nid();
        }
    }

    /** Returns how a request of a type ends: the reason, or null for an answer. */
    private static @Nullable Reason ending(Network network, int nid, int type) {
        byte[] garbage = {-1, -1, -1, -1, -1, -1, -1, -1};
        try {
            network.raw().request(nid, RawRequestType.of(type, 1 << 10, 1 << 20), MemorySegment.ofArray(garbage), 0,
                garbage.length, (_, _, _) -> new byte[0], TimeUnit.SECONDS.toNanos(5)).join();
            return null;
        } catch (CompletionException e) {
            return ((NetworkException) e.getCause()).reason();
        }
    }

    @Test
    void eachTypeOfMessages_withEachRole_isDeniedWithoutTheRight() throws Exception {
        int peer = peer();
        Map<Integer, String> book = new HashMap<>();
        try (ClusterAdmin admin = ClusterAdmin.connect(client("secret"))) {
            for (ClusterStatus.Member member : admin.tables().nodes()) {
                book.put(member.life().nid(), member.address());
            }
        }
        int drawn = DRAWN;
        for (Role role : Role.values()) {
            String token = "the token of " + name(role);
            try (Network network = Network.open(NetworkConfig.builder(drawn++).drawnNid(true)
                .secret(token.getBytes(StandardCharsets.UTF_8))
                .addresses(nid -> nid == SUPERPEER ? "tcp:" + address(0) : book.get(nid)).build())) {
                for (int nid : new int[] {SUPERPEER, peer}) {
                    for (int type = 1; type < TYPES; type++) {
                        Right right = TYPE_RIGHTS.getOrDefault(type, Right.NODE);
                        Reason reason = ending(network, nid, type);
                        assertEquals(!role.has(right), reason == Reason.DENIED, role + " sends type " + type
                            + " to node " + nid + ": " + reason);
                    }
                }
            }
        }
    }

    @Test
    void principalWithTheNidOfANode_isRefused() {
        for (int nid : new int[] {2, 16, 0xFFF0}) {
            try (Network network = Network.open(NetworkConfig.builder(nid)
                .secret("the token of admin".getBytes(StandardCharsets.UTF_8)).reachNs(TimeUnit.SECONDS.toNanos(1))
                .addresses(_ -> "tcp:" + address(0)).build())) {
                Reason reason = ending(network, SUPERPEER, 3);
                assertTrue(reason == Reason.REFUSED || reason == Reason.UNREACHABLE || reason == Reason.TIMED_OUT,
                    nid + " was answered: " + reason);
            } catch (IOException | NetworkException e) {
                assertNotNull(e.getMessage());
            }
        }
    }

    @Test
    void principalWithTheNidOfAnotherPrincipal_getsNoSession() throws Exception {
        NetworkConfig.Builder reader = NetworkConfig.builder(DRAWN + 50).addresses(_ -> "tcp:" + address(0))
            .secret("the token of reader".getBytes(StandardCharsets.UTF_8));
        NetworkConfig.Builder operator = NetworkConfig.builder(DRAWN + 50).addresses(_ -> "tcp:" + address(0))
            .secret("the token of operator".getBytes(StandardCharsets.UTF_8)).reachNs(TimeUnit.SECONDS.toNanos(1));
        try (Network first = Network.open(operator.build())) {
            assertEquals(Reason.FAILED, ending(first, SUPERPEER, LINES_TYPE), "an operator reads logs");
            try (Network second = Network.open(reader.build())) {
                assertNotEquals(Reason.FAILED, ending(second, SUPERPEER, LINES_TYPE));
            }
            assertEquals(Reason.FAILED, ending(first, SUPERPEER, LINES_TYPE), "the session of the operator goes on");
        }
    }

    // ---- the administration ----

    /** A call of the administration. */
    private interface AdminCall {
        void run(ClusterAdmin admin, ClusterStatus status) throws Exception;
    }

    /** A method with its right, and a call that changes nothing in a cluster that is in order. */
    private record Entry(Right right, AdminCall call) {}

    private static Map<String, Entry> methods() {
        NodeLife nobody = new NodeLife(60_000, 1);
        long ns = TimeUnit.SECONDS.toNanos(20);
        Map<String, Entry> all = new HashMap<>();
        all.put("status", new Entry(Right.STATUS, (admin, _) -> assertTrue(admin.status().nodes().stream()
            .filter(ClusterStatus.Member::isAlive).allMatch(member -> member.status() != null))));
        all.put("tables", new Entry(Right.ANY, (admin, _) -> assertTrue(admin.tables().isAnswering())));
        all.put("figures", new Entry(Right.STATUS, (admin, _) -> assertFalse(admin.figures().nodes().isEmpty())));
        all.put("history", new Entry(Right.STATUS, (admin, _) ->
            assertNotNull(admin.history(SUPERPEER, FigureHistory.Span.HOUR))));
        all.put("log", new Entry(Right.OPERATE, (admin, _) -> assertNotNull(admin.log(SUPERPEER, 10))));
        all.put("restart", new Entry(Right.OPERATE, (admin, _) -> assertFalse(admin.restart(SUPERPEER, -1).isEmpty())));
        all.put("access", new Entry(Right.ANY, (admin, _) -> assertEquals(PEERS + 1, admin.access().size())));
        all.put("warm", new Entry(Right.ANY, (admin, _) -> admin.warm()));
        all.put("reportEnd", new Entry(Right.OPERATE, (admin, _) -> admin.reportEnd(nobody, ns)));
        all.put("acceptLoss", new Entry(Right.OPERATE, null));  // needs a zone that waits: CellRightsTest
        all.put("moves", new Entry(Right.ANY, (admin, _) -> admin.moves()));
        all.put("addSuperpeer", new Entry(Right.OPERATE, null)); // adds: only those without the right call
        all.put("removeSuperpeer", new Entry(Right.OPERATE, (admin, _) -> moved(() -> admin.removeSuperpeer(9, ns))));
        all.put("awaitSuperpeers", new Entry(Right.ANY, (admin, _) -> admin.awaitSuperpeers(ns)));
        all.put("watch", new Entry(Right.ANY, (admin, _) -> admin.watch(_ -> { }).close()));
        all.put("close", new Entry(Right.ANY, (_, _) -> { }));
        return all;
    }

    private static Map<String, Entry> moves() {
        long ns = TimeUnit.SECONDS.toNanos(20);
        Map<String, Entry> all = new HashMap<>();
        all.put("check", new Entry(Right.STATUS, (admin, status) -> moved(() -> admin.moves().check(peer(status)))));
        all.put("unload", new Entry(Right.STATUS, (admin, status) -> moved(() ->
            admin.moves().unload(peer(status), ns))));      // two peers: refused before a command is sent
        all.put("reload", new Entry(Right.OPERATE, (admin, status) -> admin.moves().reload(peer(status), ns)));
        all.put("progress", new Entry(Right.STATUS, (admin, status) -> admin.moves().progress(peer(status))));
        all.put("plan", new Entry(Right.ANY, (admin, status) -> admin.moves().plan(status, status, 1)));
        all.put("move", new Entry(Right.OPERATE, (admin, status) -> moved(() -> admin.moves().move(
            stale(status), ns))));
        all.put("forget", new Entry(Right.STATUS, (admin, status) -> moved(() ->
            admin.moves().forget(peer(status), ns))));      // it runs: refused before a command is sent
        all.put("scatterWidth", new Entry(Right.ANY, (admin, _) -> admin.moves().scatterWidth()));
        all.put("setScatterWidth", new Entry(Right.OPERATE, (admin, _) ->
            admin.moves().setScatterWidth(admin.moves().scatterWidth(), ns)));
        all.put("spread", new Entry(Right.ANY, (admin, _) -> admin.moves().spread(1)));
        all.put("step", new Entry(Right.OPERATE, (admin, status) -> moved(() -> admin.moves().step(
            new BackupMove(status.zones().getFirst().zone(), new NodeLife(60_000, 1), null), ns))));
        return all;
    }

    private static ZoneMove stale(ClusterStatus status) {
        var zone = status.zones().getFirst();
        return new ZoneMove(1, zone.zone(), zone.epoch() + 1000, zone.owner(), zone.backups().getFirst().node(), 0, 0);
    }

    private interface Move {
        void run() throws Exception;
    }

    private static void moved(Move move) throws Exception {
        try {
            move.run();
        } catch (IOException e) {                                // there is nothing to move or to remove
            assertNotNull(e.getMessage());
        }
    }

    private static int peer(ClusterStatus status) {
        return status.zones().getFirst().owner().nid();
    }

    private static Set<String> names(Class<?> of) {
        return Stream.of(of.getMethods()).filter(method -> !Modifier.isStatic(method.getModifiers()))
            .map(Method::getName).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void eachMethodOfTheAdministration_withEachRole_isDeniedWithoutTheRight() throws Exception {
        assertEquals(names(ClusterAdmin.class), new TreeSet<>(methods().keySet()), "a new method needs an entry");
        assertEquals(names(ClusterMoves.class), new TreeSet<>(moves().keySet()), "a new method needs an entry");
        assertEquals(Set.of("take", "look", "verify", "restore", "importStore", "exportStore"),
            names(ClusterBackups.class), "a new method needs a look: its messages have rights in MessageRights");
        for (Role role : Role.values()) {
            try (ClusterAdmin admin = ClusterAdmin.connect(client(name(role)))) {
                Map<String, Entry> all = methods();
                all.putAll(moves());
                for (Map.Entry<String, Entry> each : all.entrySet()) {
                    check(role, each.getKey(), each.getValue(), admin);
                }
                if (!role.has(Right.OPERATE)) {
                    MissingRightException denied = assertThrows(MissingRightException.class, () ->
                        admin.addSuperpeer("127.0.0.1:1", PATIENCE_NS));
                    assertEquals("operator or admin", denied.roles());
                    assertEquals(name(role), denied.principal());
                }
            }
        }
    }

    private static void check(Role role, String name, Entry entry, ClusterAdmin admin) throws Exception {
        if (entry.call() == null) {
            return;
        }
        MissingRightException denied = null;
        try {
            entry.call().run(admin, admin.tables());
        } catch (MissingRightException e) {
            denied = e;
        }
        assertEquals(role.has(entry.right()), denied == null, role + " calls " + name + ": " + denied);
    }

    @Test
    void backup_needsAnAdmin() throws Exception {
        for (Role role : Role.values()) {
            Path target = folder.resolve("backup-" + name(role));
            if (role.has(Right.ADMINISTER)) {
                assertNotNull(ClusterBackups.load().take(client(name(role)), target, null, _ -> { }));
            } else {
                MissingRightException denied = assertThrows(MissingRightException.class,
                    () -> ClusterBackups.load().take(client(name(role)), target, null, _ -> { }));
                assertTrue(denied.getMessage().endsWith(": the role admin may"), denied::getMessage);
            }
        }
    }

    // ---- contents ----

    @Test
    void chunks_withEachRole() throws Exception {
        long cid;
        try (ClusterStore store = ClusterStore.connect(client("writer"))) {
            cid = store.create(new byte[] {1, 2, 3});
        }
        for (Role role : Role.values()) {
            try (ClusterStore store = ClusterStore.connect(client(name(role)))) {
                if (role.has(Right.READ)) {
                    assertEquals(3, store.get(cid, new byte[3]));
                } else {
                    assertEquals("read", assertThrows(MissingRightException.class, () ->
                        store.get(cid, new byte[3])).right());
                }
                if (role.has(Right.WRITE)) {
                    store.remove(store.create(new byte[8]));
                } else {
                    MissingRightException denied = assertThrows(MissingRightException.class, () ->
                        store.create(new byte[8]));
                    assertEquals(name(role), denied.principal());
                    assertEquals("writer or admin", denied.roles());
                }
            }
        }
    }

    @Test
    void collectionsAndServices_ofAPrincipalWithLists() throws Exception {
        try (ClusterStore writer = ClusterStore.connect(client("writer"));
             ClusterStore scoped = ClusterStore.connect(client("scoped"));
             ClusterStore reader = ClusterStore.connect(client("reader"))) {
            writer.map("accounts", Codecs.STRING, Codecs.LONG).put("a", 1L);
            var sales = scoped.map("sales of May", Codecs.STRING, Codecs.LONG);
            for (int i = 0; i < 50; i++) {
                sales.put("k" + i, (long) i);
            }
            assertEquals(50, sales.size());
            assertEquals(7L, reader.map("sales of May", Codecs.STRING, Codecs.LONG).get("k7"));
            scoped.queue("sales queue", Codecs.STRING).offer("x");
            scoped.sortedMap("sales sorted", Codecs.LONG, Codecs.LONG).put(1L, 2L);
            for (String other : List.of("accounts", "new one")) {
                MissingRightException denied = assertThrows(MissingRightException.class, () ->
                    scoped.map(other, Codecs.STRING, Codecs.LONG).get("a"));
                assertTrue(denied.right().contains(other), denied::right);
            }
            assertThrows(MissingRightException.class, () -> scoped.create(new byte[1]));
            assertThrows(MissingRightException.class, () -> scoped.get(1L << 48 | 1, new byte[1]));
            assertThrows(MissingRightException.class, () -> reader.map("none", Codecs.STRING, Codecs.LONG).get("a"),
                "a reader makes no collection");
            assertThrows(MissingRightException.class, () ->
                reader.map("accounts", Codecs.STRING, Codecs.LONG).put("a", 2L));
            writer.map("formed", Codecs.STRING, Codecs.of(Limit.class)).put("a", new Limit(5));
            var later = reader.map("formed", Codecs.STRING, Codecs.of(LaterLimit.class));
            assertEquals(new LaterLimit(5, 0), later.get("a"), "a reader of a later version adds no form");
            assertThrows(IllegalStateException.class, () -> later.put("a", new LaterLimit(6, 1)));
            scoped.services().names().put("sales/limit", new byte[] {1});
            assertTrue(reader.services().names().get("sales/limit").isPresent());
            assertThrows(MissingRightException.class, () -> scoped.services().names().get("other"));
            assertThrows(MissingRightException.class, () ->
                reader.services().names().put("sales/limit", new byte[1]));
        }
    }

    /** A value, and the same value in a later version of a program. */
    record Limit(long cents) {}

    record LaterLimit(long cents, int days) {}

    @Test
    void jobs_needAWriterWithAllCollections() throws Exception {
        for (String name : List.of("reader", "operator", "scoped", "writer")) {
            try (ClusterStore store = ClusterStore.connect(client(name))) {
                Throwable cause = assertThrows(ExecutionException.class, () -> store.compute()
                    .submit(JobTarget.zone(1), "absent/1", new byte[0], JobOptions.DEFAULT).get()).getCause();
                if (name.equals("writer")) {
                    assertTrue(cause instanceof JobException, cause::toString);
                } else {
                    assertEquals("run jobs", ((MissingRightException) cause).right());
                }
            }
        }
    }

    @Test
    void limit_slowsAPrincipalDown_andFailsNoCall() throws Exception {
        try (ClusterStore writer = ClusterStore.connect(client("writer"));
             ClusterStore slow = ClusterStore.connect(client("slow"))) {
            long cid = writer.create(new byte[] {1});
            long beginNs = System.nanoTime();
            for (int i = 0; i < 60; i++) {
                assertEquals(1, slow.get(cid, new byte[1]));
            }
            long tookNs = System.nanoTime() - beginNs;
            assertTrue(tookNs > TimeUnit.SECONDS.toNanos(1), "60 reads with 20 a second took " + tookNs + " ns");
        }
    }

    // ---- audit and hostile peers ----

    @Test
    void refusalsAndActsOfOperators_areInTheLog() throws Exception {
        try (ClusterAdmin reader = ClusterAdmin.connect(client("reader"));
             ClusterAdmin operator = ClusterAdmin.connect(client("operator"))) {
            assertThrows(MissingRightException.class, () ->
                reader.reportEnd(new NodeLife(60_001, 1), PATIENCE_NS));
            operator.reportEnd(new NodeLife(60_001, 1), PATIENCE_NS);
        }
        assertTrue(LINES.all.stream().anyMatch(line -> line.startsWith("access-denied: the principal reader was")),
            LINES.all::toString);
        assertTrue(LINES.all.stream().anyMatch(line -> line.startsWith("access-used: the principal operator uses")
            && line.contains("60001")), LINES.all::toString);
    }

    @Test
    void hostilePeers_areCutOff_andTheClusterGoesOn() throws Exception {
        Map<String, HostileContract.Attack> strangers = HostileContract.greetings();
        strangers.putAll(HostileContract.proofs());
        for (Map.Entry<String, HostileContract.Attack> each : strangers.entrySet()) {
            try (HostilePeer peer = HostilePeer.connect(port)) {
                each.getValue().run(peer);
                peer.awaitCut(each.getKey());
            }
        }
        int nid = DRAWN + 100;
        for (Map.Entry<String, byte[]> each : HostileContract.frames().entrySet()) {
            try (HostilePeer peer = HostilePeer.proved(port, nid++)) {
                peer.say(each.getValue());
                peer.awaitCut(each.getKey());
            }
        }
        try (ClusterStore store = ClusterStore.connect(client("writer"))) {
            store.remove(store.create(new byte[8]));
        }
    }
}
