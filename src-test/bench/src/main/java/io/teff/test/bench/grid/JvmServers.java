package io.teff.test.bench.grid;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The nodes of Hazelcast or Ignite, each in a JVM. */
final class JvmServers implements GridServers {
    private static final String MAIN = "io.teff.test.bench.BenchCommand";
    private static final long START_NS = TimeUnit.MINUTES.toNanos(3);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long END_S = 30;

    private final GridPlan plan;
    private final List<Process> nodes = new ArrayList<>();

    /** Starts all nodes, and waits until they are ready. */
    JvmServers(GridPlan plan) throws IOException {
        this.plan = plan;
        Files.createDirectories(plan.folder());
        boolean isReady = false;
        try {
            for (int i = 0; i < plan.nodes(); i++) {
                nodes.add(start(i));
            }
            awaitReady();
            isReady = true;
        } finally {
            if (!isReady) {
                nodes.forEach(Process::destroyForcibly);
            }
        }
    }

    private Process start(int number) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xms" + plan.heapMiB() + "m", "-Xmx" + plan.heapMiB() + "m", "-XX:+UseSerialGC",
            "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(plan.kind().flags());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
        command.addAll(plan.server(number));
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log(number).toFile()).start();
    }

    private Path log(int number) {
        return plan.folder().resolve("node-" + number + ".log");
    }

    private void awaitReady() throws IOException {
        long end = System.nanoTime() + START_NS;
        for (int i = 0; i < nodes.size(); i++) {
            while (!Files.readString(log(i), StandardCharsets.ISO_8859_1).contains(GridNode.READY)) {
                if (!nodes.get(i).isAlive() || System.nanoTime() - end > 0) {
                    throw new IOException("node " + i + " is not ready, see " + log(i));
                }
                LockSupport.parkNanos(LOOK_NS);
            }
        }
    }

    @Override
    public Map<String, Long> processes() {
        Map<String, Long> all = new TreeMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            all.put("node-" + i, nodes.get(i).pid());
        }
        return all;
    }

    @Override
    public long victim() {
        return nodes.getLast().pid();
    }

    @Override
    public void close() throws IOException {
        try {
            for (Process node : nodes) {
                node.getOutputStream().close();                 // the end of its input ends a node
            }
            for (Process node : nodes) {
                if (!node.waitFor(END_S, TimeUnit.SECONDS)) {
                    node.destroyForcibly();
                }
            }
        } catch (InterruptedException e) {
            nodes.forEach(Process::destroyForcibly);
            Thread.currentThread().interrupt();
        }
    }
}
