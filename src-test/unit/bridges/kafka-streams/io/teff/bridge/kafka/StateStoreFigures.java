package io.teff.bridge.kafka;

import io.teff.recovery.DurableConfig;
import io.teff.recovery.Level;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/**
 * Measures state stores beside Kafka's RocksDB store, in millions of operations a second: put, get, a range of 100
 * entries, and the filling of an empty store in batches of 1,000, as a restore from a changelog does. Both stores have
 * their default settings, no cache of Kafka in front, and no wait for the device but one commit at the end of each
 * phase, which counts. Arguments: entries, bytes of a value, rounds, and heap for the last changes of Teff's store if
 * it is not the default. Run by hand; the stores take turns in each round.
 */
final class StateStoreFigures {
    private static final int RANGE = 100;
    private static final int BATCH = 1000;
    private static final double MILLION = 1e6;
    private static final String NAME = "figures";

    private final int entries;
    private final byte[] value;
    private final Path folder;

    private StateStoreFigures(int entries, int bytes, Path folder) {
        this.entries = entries;
        value = new byte[bytes];
        this.folder = folder;
    }

    public static void main(String[] arguments) throws IOException {
        int entries = Integer.parseInt(arguments[0]);
        int bytes = Integer.parseInt(arguments[1]);
        int rounds = Integer.parseInt(arguments[2]);
        long recentBytes = arguments.length > 3 ? Long.parseLong(arguments[3]) : TeffStores.RECENT_BYTES;
        DurableConfig config = DurableConfig.builder().level(Level.MEMORY).build();
        List<double[]> ratios = new ArrayList<>();
        System.out.printf("%,d entries of 16 B + %d B%n", entries, bytes);
        for (int round = -1; round < rounds; round++) {
            double[] rocks = measure(entries, bytes, Stores.persistentKeyValueStore(NAME));
            double[] teff = measure(entries, bytes, TeffStores.keyValueStore(NAME, config, recentBytes));
            double[] ratio = new double[rocks.length];
            for (int i = 0; i < ratio.length; i++) {
                ratio[i] = teff[i] / rocks[i];
            }
            print(round < 0 ? "warm-up " : "round " + round, rocks, teff, ratio);
            if (round >= 0) {
                ratios.add(ratio);
            }
        }
        double[] medians = new double[ratios.getFirst().length];
        for (int i = 0; i < medians.length; i++) {
            final int column = i;
            medians[i] = ratios.stream().mapToDouble(it -> it[column]).sorted().toArray()[ratios.size() / 2];
        }
        print("medians of the ratios", medians, medians, medians);
    }

    private static void print(String what, double[] rocks, double[] teff, double[] ratio) {
        String[] names = {"put", "overwrite", "get", "absent", "range", "restore"};
        for (int i = 0; i < names.length; i++) {
            System.out.printf(Locale.ROOT, "%-22s %-10s RocksDB %8.3f  Teff %8.3f  ratio %6.2f%n", what, names[i],
                rocks[i], teff[i], ratio[i]);
        }
    }

    private static double[] measure(int entries, int bytes, KeyValueBytesStoreSupplier supplier) throws IOException {
        Path folder = Files.createTempDirectory(Path.of(System.getProperty("folder", "target")), "figures");
        try {
            return new StateStoreFigures(entries, bytes, folder).measure(supplier);
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private KeyValueStore<Bytes, byte[]> opened(KeyValueBytesStoreSupplier supplier, String home) {
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "figures");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
        MockProcessorContext<Object, Object> mock = new MockProcessorContext<>(config, new TaskId(0, 0),
            folder.resolve(home).toFile());
        mock.setRecordMetadata("topic", 0, 0);
        KeyValueStore<Bytes, byte[]> store = supplier.get();
        store.init(mock.getStateStoreContext(), store);
        return store;
    }

    private static Bytes key(long number) {
        long mixed = number * 0x9E37_79B9_7F4A_7C15L;
        return Bytes.wrap(ByteBuffer.allocate(16).putLong(mixed).putLong(number).array());
    }

    private double[] measure(KeyValueBytesStoreSupplier supplier) {
        double[] result = new double[6];
        try (KeyValueStoreUse use = new KeyValueStoreUse(opened(supplier, "used"))) {
            KeyValueStore<Bytes, byte[]> store = use.store();
            result[0] = rate(store, entries, i -> store.put(key(i), value));
            SplittableRandom random = new SplittableRandom(1);
            result[1] = rate(store, entries, _ -> store.put(key(random.nextInt(entries)), value));
            result[2] = rate(store, entries, _ -> check(store.get(key(random.nextInt(entries))) != null));
            result[3] = rate(store, entries, i -> check(store.get(key(entries + i)) == null));
            result[4] = rate(store, entries / RANGE, _ -> walk(store, key(random.nextInt(entries)))) * RANGE;
        }
        try (KeyValueStoreUse use = new KeyValueStoreUse(opened(supplier, "restored"))) {
            KeyValueStore<Bytes, byte[]> store = use.store();
            result[5] = rate(store, entries / BATCH, batch -> {
                List<KeyValue<Bytes, byte[]>> all = new ArrayList<>(BATCH);
                for (int i = 0; i < BATCH; i++) {
                    all.add(KeyValue.pair(key((long) batch * BATCH + i), value));
                }
                store.putAll(all);
            }) * BATCH;
        }
        return result;
    }

    private record KeyValueStoreUse(KeyValueStore<Bytes, byte[]> store) implements AutoCloseable {
        @Override
        public void close() {
            store.close();
        }
    }

    private interface Step {
        void run(int i);
    }

    private static double rate(KeyValueStore<Bytes, byte[]> store, int count, Step step) {
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            step.run(i);
        }
        store.commit(Map.of());
        return count * 1e9 / (System.nanoTime() - start) / MILLION;
    }

    private static void walk(KeyValueStore<Bytes, byte[]> store, Bytes from) {
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(from, null)) {
            for (int i = 0; i < RANGE && entries.hasNext(); i++) {
                check(entries.next().value != null);
            }
        }
    }

    private static void check(boolean isTrue) {
        if (!isTrue) {
            throw new IllegalStateException("a wrong answer");
        }
    }
}
