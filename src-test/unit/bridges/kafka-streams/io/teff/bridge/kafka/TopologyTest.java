package io.teff.bridge.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.SplittableRandom;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a topology prints what it prints with Kafka's own persistent store. Method: Kafka's test driver runs the same
 * topologies with both stores over the same random records.
 */
final class TopologyTest {
    private static final long SEED = Long.getLong("seed", 1);
    private static final String REPRODUCE = "reproduce: -Dseed=" + SEED;
    private static final int RECORDS = 400;
    private static final String STORE = "store";

    @TempDir
    private Path folder;

    private record Result(List<KeyValue<String, String>> printed, List<KeyValue<Object, Object>> kept) {}

    /** Counts words, joins them with a table, and keeps both in stores. */
    private static Topology counting(KeyValueBytesStoreSupplier store) {
        StreamsBuilder builder = new StreamsBuilder();
        builder.stream("in", Consumed.with(Serdes.String(), Serdes.String()))
            .groupBy((_, word) -> word, Grouped.with(Serdes.String(), Serdes.String()))
            .count(Materialized.<String, Long>as(store).withKeySerde(Serdes.String()).withValueSerde(Serdes.Long()))
            .toStream().mapValues(String::valueOf).to("out", Produced.with(Serdes.String(), Serdes.String()));
        return builder.build();
    }

    /** Changes a store by commands, and prints ranges of the store. */
    private static Topology commands(KeyValueBytesStoreSupplier store, boolean isCached) {
        var stores = Stores.keyValueStoreBuilder(store, Serdes.String(), Serdes.String());
        Topology topology = new Topology();
        topology.addSource("source", new StringDeserializer(), new StringDeserializer(), "in");
        topology.addProcessor("commands", Commands::new, "source");
        topology.addStateStore(isCached ? stores.withCachingEnabled() : stores.withCachingDisabled(), "commands");
        topology.addSink("sink", "out", new StringSerializer(), new StringSerializer(), "commands");
        return topology;
    }

    private static final class Commands implements Processor<String, String, String, String> {
        private ProcessorContext<String, String> context;
        private KeyValueStore<String, String> store;

        @Override
        public void init(ProcessorContext<String, String> opened) {
            context = opened;
            store = opened.getStateStore(STORE);
        }

        @Override
        public void process(Record<String, String> record) {
            String key = record.key();
            String other = record.value();
            String shown = switch (other.charAt(0)) {
                case 'd' -> store.delete(key);
                case 'i' -> store.putIfAbsent(key, other);
                case 'r' -> text(store.range(key, other.substring(1)));
                case 'b' -> text(store.reverseRange(key, other.substring(1)));
                case 'p' -> text(store.prefixScan(key.substring(0, 1), new StringSerializer()));
                case 'a' -> text(store.all()) + text(store.reverseAll());
                case 'n' -> {
                    store.put(key, null);
                    yield "removed";
                }
                default -> {
                    store.put(key, other);
                    yield store.get(key);
                }
            };
            context.forward(record.withValue(String.valueOf(shown)));
        }

        private static String text(KeyValueIterator<String, String> entries) {
            StringBuilder text = new StringBuilder();
            try (entries) {
                while (entries.hasNext()) {
                    text.append(entries.peekNextKey()).append(entries.next());
                }
            }
            return text.toString();
        }
    }

    private Result run(Topology topology, String name) {
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, name);
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
        config.put(StreamsConfig.STATE_DIR_CONFIG, folder.resolve(name).toString());
        SplittableRandom random = new SplittableRandom(SEED);
        try (TopologyTestDriver driver = new TopologyTestDriver(topology, config)) {
            TestInputTopic<String, String> in = driver.createInputTopic("in", new StringSerializer(),
                new StringSerializer());
            for (int i = 0; i < RECORDS; i++) {
                in.pipeInput(word(random), "dirbpanxxxxyz".charAt(random.nextInt(13)) + word(random));
            }
            List<KeyValue<Object, Object>> kept = new ArrayList<>();
            try (KeyValueIterator<Object, Object> all = driver.getKeyValueStore(STORE).all()) {
                all.forEachRemaining(kept::add);
            }
            return new Result(driver.createOutputTopic("out", new StringDeserializer(), new StringDeserializer())
                .readKeyValuesToList(), kept);
        }
    }

    private static String word(SplittableRandom random) {
        return "abcéz".charAt(random.nextInt(5)) + "" + random.nextInt(30);
    }

    @Test
    void countsOfWords_areThoseOfRocksDb() {
        Result expected = run(counting(Stores.persistentKeyValueStore(STORE)), "rocks-count");
        assertFalse(expected.printed().isEmpty());
        assertEquals(expected, run(counting(TeffStores.keyValueStore(STORE)), "teff-count"), REPRODUCE);
    }

    @Test
    void commandsToAStore_haveTheResultsOfRocksDb() {
        Result expected = run(commands(Stores.persistentKeyValueStore(STORE), false), "rocks");
        assertFalse(expected.kept().isEmpty());
        assertEquals(expected, run(commands(TeffStores.keyValueStore(STORE), false), "teff"), REPRODUCE);
    }

    @Test
    void commandsToAStoreWithACache_haveTheResultsOfRocksDb() {
        Result expected = run(commands(Stores.persistentKeyValueStore(STORE), true), "rocks-cache");
        assertEquals(expected, run(commands(TeffStores.keyValueStore(STORE), true), "teff-cache"), REPRODUCE);
    }
}
