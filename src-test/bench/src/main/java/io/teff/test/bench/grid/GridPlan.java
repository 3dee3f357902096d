package io.teff.test.bench.grid;

import io.teff.test.bench.session.ProcessPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The plan of one system.
 *
 * @param kind the system
 * @param nodes number of nodes with data
 * @param backups copies of each entry beside the copy of its owner
 * @param memoryMiB most memory for entries of each node
 * @param entries number of entries
 * @param bytes length of a value
 * @param threads numbers of threads that call
 * @param measureMs time of each measurement, after a warm-up of the same length
 * @param kills whether a node is killed at the end
 * @param port the first port
 * @param folder for the files of the servers
 */
record GridPlan(GridKind kind, int nodes, int backups, int memoryMiB, int entries, int bytes, List<Integer> threads,
                int measureMs, boolean kills, int port, Path folder) implements ProcessPlan {
    /** Heap of servers whose entries lie outside of it. */
    static final int HEAP_MIB = 192;
    private static final long CLIENT_BYTES = 2L << 30;

    @Override
    public long memoryBytes() {
        return CLIENT_BYTES;
    }

    @Override
    public List<String> arguments() {
        return client(List.of(), 0);
    }

    /** Returns the words of the client's command. */
    List<String> client(List<Long> processes, long victim) {
        List<String> words = new ArrayList<>(List.of("grid-session", "--processes", joined(processes), "--victim",
            "" + victim));
        words.addAll(common());
        return words;
    }

    /** Returns the words of the command of a server. */
    List<String> server(int number) {
        List<String> words = new ArrayList<>(List.of("grid-node", "--number", "" + number));
        words.addAll(common());
        return words;
    }

    private List<String> common() {
        return List.of("--kind", kind.id(), "--nodes", "" + nodes, "--backups", "" + backups, "--memory-mib", ""
            + memoryMiB, "--entries", "" + entries, "--bytes", "" + bytes, "--threads", joined(threads),
            "--measure-ms", "" + measureMs, "--port", "" + port, "--folder", folder.toString());
    }

    private static String joined(List<?> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** Returns the heap of a server in MiB. */
    int heapMiB() {
        return kind.isHazelcast() ? HEAP_MIB + memoryMiB : HEAP_MIB;
    }

    long measureNs() {
        return TimeUnit.MILLISECONDS.toNanos(measureMs);
    }

    /** Returns the prefix of the names of an operation's figures. */
    static String prefix(GridOp op, int threads) {
        return op.id() + ' ' + threads + ": ";
    }

    /** Returns this plan with a client that knows the processes of the servers. */
    ProcessPlan session(List<Long> processes, long victim) {
        GridPlan plan = this;
        return new ProcessPlan() {
            @Override
            public GridKind kind() {
                return plan.kind;
            }

            @Override
            public long memoryBytes() {
                return plan.memoryBytes();
            }

            @Override
            public List<String> arguments() {
                return Collections.unmodifiableList(plan.client(processes, victim));
            }
        };
    }
}
