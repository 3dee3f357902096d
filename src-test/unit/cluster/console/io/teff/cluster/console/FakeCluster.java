package io.teff.cluster.console;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterEvent;
import io.teff.cluster.admin.ClusterFigures;
import io.teff.cluster.admin.ClusterMoves;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.Figure;
import io.teff.cluster.admin.FigureHistory;
import io.teff.cluster.admin.MoveRefusedException;
import io.teff.cluster.admin.NodeFigures;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.net.ssl.SSLContext;

/** A cluster of one superpeer and two peers that exists in this class alone, and a console of it. */
final class FakeCluster implements ClusterAdmin {
    static final String TOKEN = "a token of operators";
    static final NodeLife SUPERPEER = new NodeLife(1, 0);
    static final NodeLife ONE = new NodeLife(17, 1);
    static final NodeLife TWO = new NodeLife(18, 3);

    final AtomicInteger looks = new AtomicInteger();
    final List<Browser.Question> questions = new CopyOnWriteArrayList<>();
    final List<ZoneStatus> accepted = new CopyOnWriteArrayList<>();
    final List<String> lines = new CopyOnWriteArrayList<>();
    private final List<Consumer<ClusterEvent>> listeners = new CopyOnWriteArrayList<>();
    volatile List<ZoneStatus> zones = List.of(zone(1, ZoneStatus.State.OPEN, ONE, TWO),
        zone(2, ZoneStatus.State.FULL, TWO, ONE));
    volatile String name = "test";

    /** Keeps the lines of the console's log. */
    private final class Lines implements System.Logger {
        @Override
        public String getName() {
            return "test";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, java.util.ResourceBundle bundle, String text, Throwable thrown) {
            lines.add(text);
        }

        @Override
        public void log(Level level, java.util.ResourceBundle bundle, String format, Object... values) {
            lines.add(format);
        }
    }

    static ZoneStatus zone(int number, ZoneStatus.State state, NodeLife owner, NodeLife... backups) {
        List<ZoneStatus.Copy> copies = new ArrayList<>();
        for (NodeLife backup : backups) {
            copies.add(new ZoneStatus.Copy(backup, copies.size() + 1, false, false));
        }
        return new ZoneStatus(number, 3, state, owner, copies, List.of(), List.of(), false, null);
    }

    static ZoneStatus waiting(int number, NodeLife old) {
        return new ZoneStatus(number, 5, ZoneStatus.State.WAITING, null, List.of(),
            List.of(new ZoneStatus.Copy(ONE, 1, false, false)), List.of(new ZoneStatus.Copy(old, 2, false, false)),
            false, "node 17 with its folder is missing");
    }

    // ---- a console of this cluster ----

    /** The principals with the role of operators; null for no roles. */
    Function<byte[], String> operators;
    /** Nodes that were drained, or, with a sign, taken back. */
    final List<Integer> drained = new CopyOnWriteArrayList<>();

    /** Nodes that were ordered to restart. */
    final List<Integer> restarted = new CopyOnWriteArrayList<>();
    /** The processes of the nodes; each starts again with the next number. */
    final Map<Integer, Long> processes = new ConcurrentHashMap<>(Map.of(1, 100L, 17, 200L, 18, 300L));
    /** What a node answers to the order to restart. */
    volatile BiFunction<Integer, Long, String> restart = (nid, _) -> next(nid);

    /** Lets a node have its next process. */
    String next(int nid) {
        processes.merge(nid, 1L, Long::sum);
        return "";
    }

    Console console() throws IOException {
        return console(TOKEN);
    }

    Console console(String token) throws IOException {
        return console(URI.create("http://127.0.0.1:0"), null, token);
    }

    Console console(URI address, SSLContext tls, String token) throws IOException {
        return Console.start(new ConsoleSetup("superpeer-1", address, tls,
            token == null ? null : token.getBytes(StandardCharsets.UTF_8), operators, this, new Browser() {
                @Override
                public Answer read(Question question, List<String> words) {
                    questions.add(question);
                    return new Answer(!words.contains("absent"), "[\"" + words.size() + "\"]");
                }

                @Override
                public void close() {}
            }, new Lines(), Clock.SYSTEM, Threads.SYSTEM));
    }

    static HttpResponse<String> get(Console console, String path, String... headers) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(console.address() + path));
            if (headers.length > 0) {
                request.headers(headers);
            }
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    static HttpResponse<String> post(Console console, String body, String... headers) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(console.address() + "/api/action"))
                .POST(HttpRequest.BodyPublishers.ofString(body));
            if (headers.length > 0) {
                request.headers(headers);
            }
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    // ---- the cluster ----

    @Override
    public ClusterStatus status() {
        looks.incrementAndGet();
        return new ClusterStatus("0123456789abcdef0123456789abcdef", name, List.of("tcp:10.0.0.1:7400"), null, 7,
            List.of(new Member(NodeRole.SUPERPEER, SUPERPEER, true, "tcp:10.0.0.1:7400",
                status("superpeer-1", SUPERPEER)),
                new Member(NodeRole.PEER, ONE, true, "tcp:10.0.0.1:7410", status("peer-1", ONE)),
                new Member(NodeRole.PEER, TWO, true, "tcp:10.0.0.2:7410", status("peer \"2\"\\\n", TWO))), zones);
    }

    private NodeStatus status(String name, NodeLife life) {
        boolean isPeer = life.nid() > 16;
        return new NodeStatus(name, isPeer ? NodeRole.PEER : NodeRole.SUPERPEER, life,
            new NodeStatus.Process(processes.getOrDefault(life.nid(), 4711L), 60_000, 5 << 20),
            new NodeStatus.Standing(7, !isPeer, isPeer), 4096, "",
            isPeer ? new NodeStatus.PeerFigures(1 << 20, new NodeStatus.Ring(1 << 20, 10, 20, 0, 0, 0),
                new NodeStatus.Shipping(0, 0, 0, 0, 0), new NodeStatus.Logging(1, 2, 3, 0, 0, 0, 0, 0),
                List.of(new NodeStatus.Recovery(1, 3, 1_000, 1, 2_000_000, 3_000_000, 4_000_000, 5_000_000, 9)),
                List.of(new NodeStatus.ZoneUse(life.nid() - 16, 9, 900, 90)), List.of(),
                new NodeStatus.Room(1 << 20, 900, 0)) : null);
    }

    @Override
    public ClusterStatus tables() {
        return status();
    }

    @Override
    public ClusterFigures figures() {
        return new ClusterFigures(List.of(answer(SUPERPEER), answer(ONE), answer(TWO)));
    }

    static ClusterFigures.Answer answer(NodeLife life) {
        return new ClusterFigures.Answer(life, figures(life, 100_000), -3, 2);
    }

    /** Returns figures in which all counters have grown with the time. */
    static NodeFigures figures(NodeLife life, long atMs) {
        NodeFigures.Builder builder = new NodeFigures.Builder();
        for (Figure figure : Figure.values()) {
            if (life.nid() > 16 || !figure.text().matches("(operations|store|lease|zones|ring|changes).*")) {
                builder.set(figure, figure.kind() == Figure.Kind.COUNTER ? atMs / 10 : 1_000 + figure.ordinal());
            }
        }
        builder.set(Figure.DISK_SIZE, 1_000).set(Figure.DISK_FREE, 500).set(Figure.JVM_HEAP_MAX, 1L << 30)
            .set(Figure.MACHINE_LOAD, 250).set(Figure.MACHINE_MEMORY, 10_000).set(Figure.MACHINE_MEMORY_FREE, 5_000)
            .set(Figure.CERTIFICATE_LEFT, NodeFigures.ABSENT);
        if (life.nid() > 16) {
            builder.set(Figure.STORE_MAX, 10_000).set(Figure.LEASE_LEFT, 900).set(Figure.LEASE_TERM, 1_000)
                .set(Figure.OPERATIONS_TIMED, 10).set(Figure.OPERATIONS_100US, 4).set(Figure.OPERATIONS_1MS, 6)
                .set(Figure.OPERATIONS_10MS, 9).set(Figure.OPERATIONS_100MS, 9).set(Figure.OPERATIONS_1S, 10)
                .set(Figure.OPERATIONS_TIME, 1_234_000_000);
        }
        return builder.build(atMs);
    }

    @Override
    public FigureHistory history(int nid, FigureHistory.Span span) {
        NodeLife life = nid == 1 ? SUPERPEER : nid == 17 ? ONE : TWO;
        List<NodeFigures> moments = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            moments.add(figures(life, 100_000 + i * span.periodMs()));
        }
        return new FigureHistory(span, moments);
    }

    @Override
    public List<String> log(int nid, int count) {
        return nid == 99 ? null : List.of("a line <of> the log");
    }

    @Override
    public String restart(int nid, long process) {
        restarted.add(nid);
        return restart.apply(nid, process);
    }

    @Override
    public void warm() {}

    @Override
    public boolean reportEnd(NodeLife life, long patienceNs) {
        return false;
    }

    @Override
    public Acceptance acceptLoss(ZoneStatus zone, ZoneStatus.Copy chosen, long patienceNs) {
        accepted.add(zone);
        return Acceptance.ACCEPTED;
    }

    @Override
    public int addSuperpeer(String address, long patienceNs) {
        throw new AssertionError();
    }

    @Override
    public void removeSuperpeer(int number, long patienceNs) {
        throw new AssertionError();
    }

    @Override
    public boolean awaitSuperpeers(long patienceNs) {
        throw new AssertionError();
    }

    @Override
    public ClusterMoves moves() {
        return (ClusterMoves) Proxy.newProxyInstance(ClusterMoves.class.getClassLoader(),
            new Class<?>[] {ClusterMoves.class}, (_, method, values) -> {
                final int nid = (int) values[0];
                if (nid == 99) {
                    throw new MoveRefusedException(MoveRefusedException.Reason.NO_SUCH_PEER, "there is no peer 99");
                }
                drained.add(method.getName().equals("unload") ? nid : -nid);
                return method.getName().equals("unload") ? new ClusterMoves.Unloading(ONE, 2, 0, 3, false, true) : null;
            });
    }

    void report(ClusterEvent event) {
        listeners.forEach(listener -> listener.accept(event));
    }

    @Override
    public Watch watch(Consumer<ClusterEvent> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    @Override
    public void close() {}
}
