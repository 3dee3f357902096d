package io.teff.test.cluster.kills;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.test.kit.ChildProcess;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * A client in a process of its own that reads chunks, so that it can be cut off with a part of the cluster: it asks
 * former owners, and hears of no others. Times of all processes of a machine are of one clock.
 */
final class FarReader implements AutoCloseable {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(2);
    /** Most of them wait for owners that are not reached. */
    private static final int THREADS = 8;
    private static final long PAUSE_NS_MAX = TimeUnit.MILLISECONDS.toNanos(4);

    private final Process process;
    private final List<ChunkHistory> chunks;
    private final Path output;

    /**
     * Starts to read.
     *
     * @param at words in front of the command
     * @param folder for its output
     * @param cluster to read from
     * @param chunks to read; all exist, and are never removed
     */
    FarReader(List<String> at, Path folder, HostCluster cluster, List<ChunkHistory> chunks) throws IOException {
        this.chunks = chunks;
        output = folder.resolve("reads");
        List<String> command = new ArrayList<>(at);
        command.addAll(List.of(ChildProcess.java(), "-XX:TieredStopAtLevel=1", "-Xmx64m", "-cp",
            ChildProcess.classPath(), FarReader.class.getName(), HostCluster.SECRET, cluster.entrance()));
        process = new ProcessBuilder(command).redirectOutput(output.toFile())
            .redirectError(folder.resolve("reads.log").toFile()).start();
        try (BufferedWriter input = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(),
            StandardCharsets.UTF_8))) {
            for (ChunkHistory chunk : chunks) {
                input.write(chunk.cid() + " " + chunk.isShared() + '\n');
            }
        }
    }

    /** Returns the number of reads so far. */
    long reads() {
        try {
            return Files.readAllLines(output).size();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Ends the process, and enters what it has read into the histories. Returns the number of reads. */
    int end() throws IOException {
        close();
        int reads = 0;
        for (String line : Files.readAllLines(output)) {
            long[] parts = Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray();
            if (parts.length == 4 && line.endsWith(" ")) {      // the last line may be a part
                chunks.get((int) parts[0]).read("far-reader", parts[1], parts[2], parts[3]);
                reads++;
            }
        }
        return reads;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Reads chunks at random. Arguments: secret, address of the superpeer; chunks on standard input. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<Long> cids = new ArrayList<>();
        List<Boolean> areShared = new ArrayList<>();
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                String[] words = line.split(" ");
                cids.add(Long.parseLong(words[0]));
                areShared.add(Boolean.parseBoolean(words[1]));
            }
        }
        try (ClusterStore store = connect(arguments[0], arguments[1])) {
            List<Thread> readers = IntStream.range(0, THREADS)
                .mapToObj(_ -> Thread.ofPlatform().start(() -> read(store, cids, areShared))).toList();
            for (Thread reader : readers) {
                reader.join();
            }
        }
    }

    private static ClusterStore connect(String secret, String address) {
        while (true) {
            try {
                return ClusterStore.connect(ClientConfig.builder(address)
                    .secret(secret.getBytes(StandardCharsets.UTF_8)).timeoutNs(PATIENCE_NS).build());
            } catch (StoreException e) {
                System.err.println(e);                          // a busy machine
            }
        }
    }

    private static void read(ClusterStore store, List<Long> cids, List<Boolean> areShared) {
        SplittableRandom random = new SplittableRandom();
        byte[] target = new byte[KillContent.LENGTH_MAX];
        while (true) {
            int index = random.nextInt(cids.size());
            long called = System.nanoTime();
            try {
                int length = store.get(cids.get(index), target);
                long returned = System.nanoTime();
                long value = length == Status.ABSENT ? ChunkHistory.ABSENT
                    : KillContent.value(Arrays.copyOf(target, length), areShared.get(index));
                System.out.println(index + " " + called + ' ' + returned + ' ' + value + ' ');
            } catch (StoreException e) {
                System.err.println(e);                          // no node that may answer is reached
            }
            LockSupport.parkNanos(random.nextLong(PAUSE_NS_MAX));
        }
    }
}
