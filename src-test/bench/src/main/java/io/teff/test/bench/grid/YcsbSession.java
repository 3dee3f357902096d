package io.teff.test.bench.grid;

import com.fasterxml.jackson.jr.ob.JSON;
import com.hazelcast.core.HazelcastInstance;
import io.teff.bridge.ycsb.TeffDb;
import io.teff.bridge.ycsb.YcsbRun;
import io.teff.cluster.terminal.local.ClusterFolder;
import io.teff.test.bench.store.Named;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ignite.client.IgniteClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import site.ycsb.DB;

/** Runs one workload of YCSB by a client in this JVM, and writes the figures as JSON. */
@Command(name = "ycsb-session", hidden = true, description = "Runs a workload; started by the comparison.")
public final class YcsbSession implements Callable<Integer> {
    private static final Pattern FIGURE = Pattern.compile("\\[([A-Z-]+)], ([A-Za-z0-9()]+), ([0-9.]+)");

    @Option(names = "--system", required = true)
    private String system = "";
    @Option(names = "--workload", required = true)
    private String workload = "";
    @Option(names = "--records", required = true)
    private int records;
    @Option(names = "--operations", required = true)
    private int operations;
    @Option(names = "--threads", required = true)
    private int threads;
    @Option(names = "--nodes", required = true)
    private int nodes;
    @Option(names = "--port", required = true)
    private int port;
    @Option(names = "--folder", required = true)
    private Path folder = Path.of("");
    @Option(names = "--out", required = true)
    private Path out = Path.of("");

    /** Made by the library of the command line. */
    public YcsbSession() {}

    @Override
    public Integer call() throws Exception {
        Properties properties = new Properties();
        properties.setProperty("recordcount", "" + records);
        properties.setProperty("operationcount", "" + operations);
        properties.setProperty("threadcount", "" + threads);
        YcsbRun.Result result = run(Named.of(YcsbKind.values(), system).orElseThrow(), properties);
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("loaded", result.loaded());
        figures.put("done", result.done());
        figures.put("verified", result.verified());
        figures.put("failed", result.failed());
        result.text().lines().forEach(line -> {
            Matcher figure = FIGURE.matcher(line);
            if (figure.matches()) {
                figures.put(figure.group(1) + ' ' + figure.group(2), Double.parseDouble(figure.group(3)));
            }
        });
        Files.writeString(out, JSON.std.asString(figures));
        System.out.println(result.text());
        return 0;
    }

    private YcsbRun.Result run(YcsbKind kind, Properties properties) throws Exception {
        switch (kind) {
            case HAZELCAST -> {
                HazelcastInstance client = HazelcastDb.connect(port, nodes);
                try {
                    return run(() -> new HazelcastDb(client), properties);
                } finally {
                    client.shutdown();
                }
            }
            case IGNITE -> {
                try (IgniteClient client = IgniteGrid.client(port, nodes)) {
                    return run(() -> new IgniteDb(client), properties);
                }
            }
            default -> {
                properties.setProperty(TeffDb.STORE, kind.id());
                properties.setProperty(TeffDb.FOLDER, folder.resolve("data").toString());
                if (kind == YcsbKind.CLUSTER) {
                    properties.setProperty(TeffDb.SUPERPEERS, String.join(",", ClusterFolder.open(folder).entrance()
                        .client().superpeers()));
                }
                return run(TeffDb::new, properties);
            }
        }
    }

    private YcsbRun.Result run(Supplier<DB> binding, Properties properties) throws Exception {
        return new YcsbRun(binding, workload, properties).run();
    }
}
