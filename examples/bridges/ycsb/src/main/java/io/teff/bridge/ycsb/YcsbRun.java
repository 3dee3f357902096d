package io.teff.bridge.ycsb;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.htrace.core.HTraceConfiguration;
import org.apache.htrace.core.Tracer;
import site.ycsb.ClientThread;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.DBWrapper;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.measurements.exporter.TextMeasurementsExporter;
import site.ycsb.workloads.CoreWorkload;

/**
 * Loads the records of a workload of YCSB, and then does its operations, in one process: a store in memory does not
 * outlive the process. Threads, bindings, measurements and texts are those of YCSB's core.
 */
public final class YcsbRun {
    /** The six workloads. */
    public static final List<String> WORKLOADS = List.of("a", "b", "c", "d", "e", "f");

    /** In front of a status in YCSB's text. */
    private static final String STATUS = "Return=";

    private final Supplier<? extends DB> binding;
    private final Properties properties;

    /**
     * Counts of a run.
     *
     * @param loaded records of the first phase
     * @param done operations of the second phase
     * @param verified reads whose fields were compared, and are right
     * @param failed operations and comparisons with another status than OK
     * @param text YCSB's text about all runs of the process so far, as YCSB has one place for measurements
     */
    public record Result(int loaded, int done, long verified, long failed, String text) {
        /** {@return whether all operations and comparisons have had the status OK} */
        public boolean isRight() {
            return failed == 0;
        }
    }

    /**
     * Prepares a run.
     *
     * @param binding makes the binding of a thread
     * @param workload a name of {@link #WORKLOADS}
     * @param changes properties beside those of the workload: of YCSB's core, and of the binding
     */
    public YcsbRun(Supplier<? extends DB> binding, String workload, Properties changes) {
        this.binding = binding;
        properties = properties(workload);
        changes.stringPropertyNames().forEach(name -> properties.setProperty(name, changes.getProperty(name)));
    }

    /** Returns the properties that YCSB's files of the workloads have, with data integrity. */
    private static Properties properties(String workload) {
        final String[] parts = switch (workload.toLowerCase(Locale.ROOT)) {      // read update scan insert rmw
            case "a" -> parts("0.5", "0.5", "0", "0", "0", "zipfian");
            case "b" -> parts("0.95", "0.05", "0", "0", "0", "zipfian");
            case "c" -> parts("1", "0", "0", "0", "0", "zipfian");
            case "d" -> parts("0.95", "0", "0", "0.05", "0", "latest");
            case "e" -> parts("0", "0", "0.95", "0.05", "0", "zipfian");
            case "f" -> parts("0.5", "0", "0", "0", "0.5", "zipfian");
            default -> throw new IllegalArgumentException("workload=" + workload + " is none of " + WORKLOADS);
        };
        final String[] names = {"readproportion", "updateproportion", "scanproportion", "insertproportion",
            "readmodifywriteproportion", "requestdistribution"};
        final Properties all = new Properties();
        for (int i = 0; i < names.length; i++) {
            all.setProperty(names[i], parts[i]);
        }
        all.setProperty("recordcount", "1000");
        all.setProperty("operationcount", "1000");
        all.setProperty("threadcount", "1");
        all.setProperty("dataintegrity", "true");
        all.setProperty("measurementtype", "hdrhistogram");
        return all;
    }

    private static String[] parts(String... parts) {
        return parts;
    }

    /**
     * Loads the records, and does the operations.
     *
     * @return what was done
     * @throws DBException if a binding cannot be opened or closed
     * @throws WorkloadException if the properties are wrong
     * @throws IOException if YCSB's text cannot be written
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    public Result run() throws DBException, WorkloadException, IOException, InterruptedException {
        Measurements.setProperties(properties);
        final String before = text();
        final DB keeper = binding.get();
        keeper.setProperties(properties);
        keeper.init();                                          // keeps a store in memory between the phases
        try (Tracer tracer = new Tracer.Builder("ycsb").conf(HTraceConfiguration.EMPTY).build()) {
            final int loaded = phase(tracer, false, "recordcount");
            final int done = phase(tracer, true, "operationcount");
            final String text = text();
            return new Result(loaded, done, verified(text) - verified(before), failed(text) - failed(before), text);
        } finally {
            keeper.cleanup();
        }
    }

    private static String text() throws IOException {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final TextMeasurementsExporter exporter = new TextMeasurementsExporter(bytes);
        Measurements.getMeasurements().exportMeasurements(exporter);
        exporter.close();
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static long verified(String text) {
        return count(text.lines().filter(line -> line.startsWith("[VERIFY], " + STATUS + "OK")));
    }

    private static long failed(String text) {
        return count(text.lines().filter(line -> line.contains(STATUS) && !line.contains(STATUS + "OK")));
    }

    private static long count(Stream<String> lines) {
        return lines.mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1))).sum();
    }

    private int phase(Tracer tracer, boolean isRun, String countName) throws WorkloadException, InterruptedException {
        final CoreWorkload workload = new CoreWorkload();
        workload.init(properties);
        final int threads = Integer.parseInt(properties.getProperty("threadcount"));
        final int count = Integer.parseInt(properties.getProperty(countName));
        final CountDownLatch done = new CountDownLatch(threads);
        final List<ClientThread> clients = new ArrayList<>();
        final List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            final DB wrapped = new DBWrapper(binding.get(), tracer);
            wrapped.setProperties(properties);
            final ClientThread client = new ClientThread(wrapped, isRun, workload, properties,
                count / threads + (i < count % threads ? 1 : 0), 0, done);
            client.setThreadId(i);
            client.setThreadCount(threads);
            clients.add(client);
            running.add(Thread.ofPlatform().name("ycsb-" + i).start(client));
        }
        for (Thread thread : running) {
            thread.join();
        }
        workload.cleanup();
        return clients.stream().mapToInt(ClientThread::getOpsDone).sum();
    }

    /**
     * Runs workloads, and prints YCSB's texts: {@code [workloads, as in a,b,f] [name=value]...}.
     *
     * @param args names of workloads, and properties
     * @throws Exception if a run fails
     */
    public static void main(String[] args) throws Exception {
        final List<String> workloads = args.length == 0 || args[0].contains("=") ? WORKLOADS
            : List.of(args[0].split(","));
        final Properties changes = new Properties();
        for (String arg : args) {
            final int at = arg.indexOf('=');
            if (at > 0) {
                changes.setProperty(arg.substring(0, at), arg.substring(at + 1));
            }
        }
        boolean isRight = true;
        for (String workload : workloads) {
            final Result result = new YcsbRun(TeffDb::new, workload, changes).run();
            System.out.println("workload " + workload + ": " + result.loaded + " records, " + result.done
                + " operations\n" + result.text);
            isRight &= result.isRight();
        }
        if (!isRight) {
            throw new IllegalStateException("an operation or a verification has failed");
        }
    }
}
