package io.teff.test.bench.rdma;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs a program in C for one case, and reads its figures. */
final class ToolTrial {
    /** Where the programs come from, for messages. */
    static final String INSTALL = "src-test/rdma-vm/rdma-vm.sh tools installs it";

    private static final int SECONDS_MAX = 120;
    private static final int ATTEMPTS = 3;
    private static final int PAGE_BYTES = 4096;
    private static final int ITERATIONS_MIN = 100;
    private static final int ITERATIONS_MAX = 1_000_000;
    /** Operations of a short length that a millisecond has at most, about: perftest and UCX want a number of them. */
    private static final int DEVICE_PER_MS = 20;
    private static final int TCP_PER_MS = 100;
    private static final int SHARED_MEMORY_PER_MS = 2000;
    private static final int WINDOW = 32;
    private static final long SERVER_MS = 10;
    private static final int CONNECT_ATTEMPTS = 200;
    private static final String CONNECT_FAILURES =
        "(?s).*(Couldn't connect|Connection refused|connect\\(\\) failed|Unable to open file descriptor).*";

    private final RdmaKind kind;
    private final RdmaCase what;
    private final int measureMs;

    ToolTrial(RdmaKind kind, RdmaCase what, int measureMs) {
        this.kind = kind;
        this.what = what;
        this.measureMs = measureMs;
    }

    /** Returns the program that a contender needs, or null. */
    static @Nullable String program(RdmaKind.Tool tool) {
        return switch (tool) {
            case NONE -> null;
            case LOOP -> "cc";
            case PERFTEST -> "ib_send_lat";
            case UCX_PERFTEST -> "ucx_perftest";
        };
    }

    /** Returns whether the path of this process has a program. */
    static boolean isInstalled(String program) {
        for (String folder : Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator)) {
            if (Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }

    /** Returns figures by name. */
    Map<String, Object> run(@Nullable Devices devices, @Nullable Path loop) throws IOException, InterruptedException {
        final Map<String, Double> found = switch (kind.tool()) {
            case NONE -> throw new IllegalStateException(kind + " is no program");
            case LOOP -> ToolOutput.loop(output(loopCommand(Objects.requireNonNull(devices),
                Objects.requireNonNull(loop)), Map.of()));
            case PERFTEST -> perftest(Objects.requireNonNull(devices));
            case UCX_PERFTEST -> ToolOutput.ucx(pair(List.of("ucx_perftest"), ucxClient(),
                Map.of("UCX_TLS", kind.ucxTransports(), "UCX_WARN_UNUSED_ENV_VARS", "n")));
        };
        final Map<String, Object> figures = new LinkedHashMap<>();
        for (String column : what.pattern().columns()) {
            final Double value = found.get(column);
            if (value != null) {
                figures.put(what.prefix() + column, value);
            }
        }
        return figures;
    }

    // ---- the loop ----

    private List<String> loopCommand(Devices devices, Path loop) {
        return List.of(loop.toString(), devices.left().name(), "" + devices.left().gidIndex(), devices.right().name(),
            "" + devices.right().gidIndex(), what.pattern().id(), "" + what.bytes(), "" + measureMs);
    }

    /**
     * Compiles the loop.
     *
     * @param source {@code loops.c}
     * @param program the file to write
     * @return the compiler's words if it fails, else an empty text
     */
    static String compile(Path source, Path program) throws IOException, InterruptedException {
        final Process process = new ProcessBuilder("cc", "-O2", "-o", program.toString(), source.toString(),
            "-libverbs").redirectErrorStream(true).start();
        final String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? "" : words;
    }

    // ---- perftest ----

    /** It measures the frequency of the processor at its start, which fails now and then on a busy machine. */
    private Map<String, Double> perftest(Devices devices) throws IOException, InterruptedException {
        Map<String, Double> figures = Map.of();
        for (int attempt = 0; attempt < ATTEMPTS && figures.isEmpty(); attempt++) {
            final List<String> left = perftestCommand(devices.left());
            final List<String> right = new ArrayList<>(perftestCommand(devices.right()));
            right.add(devices.left().ip().getHostAddress());
            figures = ToolOutput.perftest(pair(left, right, Map.of()));
        }
        return figures;
    }

    private List<String> perftestCommand(Devices.Device device) {
        final RdmaPattern pattern = what.pattern();
        final String verb = pattern.isRead() ? "read" : pattern.isWrite() ? "write" : pattern.isAtomic() ? "atomic"
            : "send";
        final List<String> command = new ArrayList<>(List.of("ib_" + verb + (pattern.isLatency() ? "_lat" : "_bw"),
            "-d", device.name(), "-i", "" + Devices.PORT, "-x", "" + device.gidIndex(), "-F", "-n",
            "" + iterations(DEVICE_PER_MS)));
        if (pattern.isAtomic()) {
            command.addAll(List.of("-A", "FETCH_AND_ADD"));
        } else {
            command.addAll(List.of("-s", "" + what.bytes()));
        }
        if (pattern == RdmaPattern.BOTH_WAYS) {
            command.add("-b");
        }
        if (Runtime.getRuntime().availableProcessors() == 1 && !pattern.isWrite()) {
            command.add("-e");                                  // sleeps until there is a completion; not for writes
        }
        return command;
    }

    private int iterations(int perMs) {
        final double pages = Math.max(1, (double) what.bytes() / PAGE_BYTES);
        return (int) Math.clamp(measureMs * perMs / pages, ITERATIONS_MIN, ITERATIONS_MAX);
    }

    // ---- UCX ----

    private List<String> ucxClient() {
        final RdmaPattern pattern = what.pattern();
        final String test = switch (pattern) {
            case PING_PONG -> "tag_lat";
            case BANDWIDTH -> "tag_bw";
            case STREAM -> "stream_bw";
            case READ_LATENCY, READ_RATE -> "ucp_get";
            case WRITE_RATE -> "ucp_put_bw";
            case ATOMIC_LATENCY, ATOMIC_RATE -> "ucp_fadd";
            default -> throw new IllegalStateException("ucx_perftest has no " + pattern.id());
        };
        final boolean isFast = kind == RdmaKind.UCX_PERFTEST;
        final int iterations = iterations(isFast ? SHARED_MEMORY_PER_MS : TCP_PER_MS);
        return new ArrayList<>(List.of("ucx_perftest", "127.0.0.1", "-t", test, "-s", "" + what.bytes(), "-n",
            "" + iterations, "-w", "" + Math.max(1, iterations / 4), "-O", pattern.isLatency() ? "1" : "" + WINDOW));
    }

    // ---- processes ----

    /** Runs a server and a client at a free port; returns what the client has printed. */
    private static String pair(List<String> server, List<String> client, Map<String, String> environment)
            throws IOException, InterruptedException {
        final String port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = "" + free.getLocalPort();
        }
        final List<String> serving = new ArrayList<>(server);
        serving.addAll(List.of("-p", port));
        final List<String> asking = new ArrayList<>(client);
        asking.addAll(List.of("-p", port));
        final ProcessBuilder builder = new ProcessBuilder(serving).redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        final Process process = builder.start();
        try {
            for (int attempt = 0; ; attempt++) {
                TimeUnit.MILLISECONDS.sleep(SERVER_MS);          // the server has no sign that it listens
                try {
                    return output(asking, environment);
                } catch (IOException e) {
                    if (attempt == CONNECT_ATTEMPTS || !process.isAlive()
                        || !Objects.toString(e.getMessage()).matches(CONNECT_FAILURES)) {
                        throw e;
                    }
                }
            }
        } finally {
            if (!process.waitFor(1, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        }
    }

    /** Runs a program, and returns what it has printed. */
    private static String output(List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        final Path file = Files.createTempFile("teff-tool", ".out");
        try {
            final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(file.toFile());
            builder.environment().putAll(environment);
            final Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
                throw new IOException(command + ": no end after " + SECONDS_MAX + " s");
            }
            final String words = Files.readString(file);
            if (process.exitValue() != 0) {
                throw new IOException(command + " ended with " + process.exitValue() + ": " + words.strip());
            }
            return words;
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
