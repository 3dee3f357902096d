package io.teff.rdma.reads;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.RdmaUnavailableException;
import io.teff.rdma.ucx.UcxFeature;
import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.rdma.ucx.worker.UcxCloseMode;
import io.teff.rdma.ucx.worker.UcxConfig;
import io.teff.rdma.ucx.worker.UcxContext;
import io.teff.rdma.ucx.worker.UcxEndpoint;
import io.teff.rdma.ucx.worker.UcxErrorMode;
import io.teff.rdma.ucx.worker.UcxWorker;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.Form;
import io.teff.test.kit.Starts;
import io.teff.test.kit.tier.FullTier;
import io.teff.test.reads.ReadCheck;
import io.teff.test.reads.SocketRequests;
import io.teff.test.reads.Truth;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.File;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: reads of another process's store are neither torn nor stale. Method: an owner changes, removes and creates 64
 * chunks without pause; this process reads them over UCX, and compares each result with what the owner has noted before
 * and behind the read. {@code -Dteff.reads=N} for another number of reads.
 */
@FullTier("100,000 reads over each transport beside another JVM; ChunkReaderTest reads beside a writer in its process")
@Tag("system")
@Tag("processes")
final class TwoProcessReadsTest {
    private static final int READS = 100_000;
    private static final int READS_LONG = 1_000_000;
    private static final int READS_OF_TCP = 10;                 // a tenth: each takes a call of the kernel and more
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    static UcxConfig config(String transports) {
        final UcxConfig.Builder builder = UcxConfig.builder(UcxFeature.REMOTE_MEMORY, UcxFeature.WAKEUP)
            .set("TLS", transports).closeTimeout(Duration.ofMillis(500));
        return (transports.equals("tcp") ? builder : builder.set("MM_ERROR_HANDLING", "y")).build();
    }

    private Process owner(String transports) throws Exception {
        final List<String> classes = Stream.of(OwnerProcess.class, Truth.class).map(TwoProcessReadsTest::root)
            .distinct().toList();
        Starts.JVM.count();
        return new ProcessBuilder(ChildProcess.java(), "-ea", "-Xmx256m", "-XX:+UseSerialGC",
            "-XX:-CreateCoredumpOnCrash", "--enable-native-access=ALL-UNNAMED", "-cp",
            String.join(File.pathSeparator, classes) + File.pathSeparator + ChildProcess.everything(),
            OwnerProcess.class.getName(), transports, folder.resolve("truth").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static boolean isUcxInstalled() {
        try (UcxContext context = UcxContext.open(config("tcp"))) {
            return context.isOpen();
        } catch (RdmaUnavailableException e) {
            System.out.println("one-sided reads: skipped, " + e.getMessage());
            return false;
        }
    }

    private static String root(Class<?> type) {
        final String name = "/" + type.getName().replace('.', '/') + ".class";
        final String file = type.getResource(name).getPath();
        return file.substring(0, file.length() - name.length());
    }

    private static int port(BufferedReader output) throws Exception {
        String line = output.readLine();
        while (line != null && !line.startsWith("port ")) {
            System.out.println("owner: " + line);
            line = output.readLine();
        }
        assertNotNull(line, "the owner has ended");
        return Integer.parseInt(line.substring("port ".length()));
    }

    private static byte[] bytes(DataInputStream in) throws Exception {
        final byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(strings = {"posix", "tcp"})
    void get_besideAWriterInAnotherProcess_isNeitherTornNorStale(String transports) throws Exception {
        Assumptions.assumeTrue(isUcxInstalled(), "UCX is missing");
        final Process owner = owner(transports);
        try (BufferedReader output = owner.inputReader(); Truth truth = new Truth(folder.resolve("truth"))) {
            final int port = port(output);
            try (Socket control = new Socket(InetAddress.getLoopbackAddress(), port);
                    Socket asking = new Socket(InetAddress.getLoopbackAddress(), port);
                    UcxContext context = UcxContext.open(config(transports))) {
                final DataInputStream in = new DataInputStream(control.getInputStream());
                final MemoryTicket ticket = MemoryTicket.of(bytes(in));
                final UcxWorker worker = context.worker(UcxThreadMode.SINGLE);
                final UcxEndpoint endpoint = worker.connect(bytes(in), UcxErrorMode.PEER);
                final SocketRequests requests = new SocketRequests(asking);
                final UcxPeerMemory memory = new UcxPeerMemory(ticket, worker, endpoint, PATIENCE);
                final ChunkReader reader = new ChunkReader(memory, requests);
                final String line = new ReadCheck(truth).run(reader, requests,
                    Form.size("teff.reads", READS, READS_LONG) / (transports.equals("tcp") ? READS_OF_TCP : 1));
                truth.stop();
                String steps = output.readLine();
                while (steps != null && !steps.startsWith("steps ")) {
                    steps = output.readLine();
                }
                System.out.println("one-sided reads over " + transports + ": " + line + "; owner: " + steps);
                final ReadStatistics statistics = reader.statistics();
                assertTrue(statistics.oneSided() > statistics.requests(), statistics::toString);
                assertTrue(statistics.repeated() > 0, "no read met a change");
                memory.close();
                endpoint.close(UcxCloseMode.FORCE);
            }
        } finally {
            owner.destroyForcibly().waitFor(1, TimeUnit.MINUTES);
        }
    }
}
