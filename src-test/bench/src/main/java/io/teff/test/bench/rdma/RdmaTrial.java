package io.teff.test.bench.rdma;

import io.teff.test.bench.net.MessageRun;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** All lengths of one pattern of one contender, in this process and in those that it starts. */
final class RdmaTrial {
    private final RdmaPlan plan;
    private final @Nullable Devices devices;
    private final @Nullable Path loop;

    RdmaTrial(RdmaPlan plan, @Nullable Path loop) {
        this.plan = plan;
        this.loop = loop;
        devices = plan.kind().place() == RdmaKind.Place.DEVICE ? Devices.here() : null;
    }

    /** Returns figures by name. */
    Map<String, Object> run() throws Exception {
        final Map<String, Object> figures = new LinkedHashMap<>();
        for (RdmaCase what : plan.cases()) {
            figures.putAll(run(what));
        }
        return figures;
    }

    private Map<String, Object> run(RdmaCase what) throws Exception {
        return switch (plan.kind()) {
            case LOOP_C, PERFTEST, UCX_PERFTEST, UCX_PERFTEST_TCP ->
                new ToolTrial(plan.kind(), what, plan.measureMs()).run(devices, loop);
            case TEFF_VERBS -> what.pattern() == RdmaPattern.POLL
                ? Map.of(what.figures().getFirst(), VerbsEnd.pollNs(devices(), measureNs()))
                : drive(what, 1, number -> new VerbsEnd(devices(), what, number));
            case TEFF_UCX, TEFF_UCX_TCP -> drive(what, threads(),
                number -> new UcxEnd(plan.kind().ucxTransports(), what, number));
            case SOCKET_SPIN, DEVICE_SOCKET_SPIN -> drive(what, threads(),
                number -> new SocketEnd(address(number), what, number));
            case SOCKET, DEVICE_SOCKET ->
                new BlockingSockets(what, measureNs(), address(0), address(1)).run().figures(what);
            case MESSAGES_TCP, MESSAGES_UCX -> messages(what);
        };
    }

    private Devices devices() {
        return Objects.requireNonNull(devices, "there is no device");
    }

    private long measureNs() {
        return TimeUnit.MILLISECONDS.toNanos(plan.measureMs());
    }

    /** One for each end, unless there is only one processor: two that poll would wait for each other's time slices. */
    private static int threads() {
        return Math.min(2, Runtime.getRuntime().availableProcessors());
    }

    private InetSocketAddress address(int end) {
        return devices == null ? new InetSocketAddress(InetAddress.getLoopbackAddress(), 0) : devices.address(end);
    }

    private Map<String, Object> drive(RdmaCase what, int threads, IntFunction<End> maker) throws Exception {
        final WireCounters wire = devices == null ? WireCounters.NONE
            : WireCounters.of(WireCounters.SYSTEM, devices.names());
        return new Drive(what.pattern(), threads, measureNs(), wire).run(maker).figures(what);
    }

    private Map<String, Object> messages(RdmaCase what) throws Exception {
        final Map<String, Double> found = MessageRun.run(plan.kind() == RdmaKind.MESSAGES_UCX,
            what.pattern().id(), what.bytes(), plan.measureMs());
        final Map<String, Object> figures = new LinkedHashMap<>();
        for (String column : what.pattern().columns()) {
            final Double value = found.get(column);
            if (value != null) {
                figures.put(what.prefix() + column, value);
            }
        }
        return figures;
    }
}
