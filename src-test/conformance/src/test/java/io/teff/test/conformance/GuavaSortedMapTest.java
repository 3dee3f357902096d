package io.teff.test.conformance;

import com.google.common.collect.testing.ConcurrentMapTestSuiteBuilder;
import com.google.common.collect.testing.ConcurrentNavigableMapTestSuiteBuilder;
import com.google.common.collect.testing.MapTestSuiteBuilder;
import com.google.common.collect.testing.SampleElements;
import com.google.common.collect.testing.TestSortedMapGenerator;
import com.google.common.collect.testing.TestStringSortedMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import io.teff.cluster.ClusterStore;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.codec.schema.Schema;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.test.kit.Form;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.SortedMap;
import junit.framework.TestSuite;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/**
 * Guava's tests of {@link java.util.concurrent.ConcurrentNavigableMap}: 33,000 tests of a map with all its submaps and
 * descending views. Maps with other keys are tested without these views, because as many tests again would fill the
 * heap. In the short form the map with its views has several entries, and those with other keys none, one and several.
 */
@RunWith(AllTests.class)
public final class GuavaSortedMapTest {
    private GuavaSortedMapTest() {}

    /** Returns the tests for JUnit to run. */
    public static junit.framework.Test suite() {
        return suite(Fresh.LOCAL);
    }

    /** Returns the tests for a kind of store. */
    static junit.framework.Test suite(Fresh kind) {
        TestSuite all = new TestSuite("sorted maps");
        all.addTest(build(kind, ConcurrentNavigableMapTestSuiteBuilder.using(new TestStringSortedMapGenerator() {
            @Override
            protected SortedMap<String, String> create(Entry<String, String>[] entries) {
                return Fresh.filled(kind.store().sortedMap(Fresh.unused(), Codecs.STRING, Codecs.STRING), entries);
            }
        }), "ChunkSortedMap of strings", Form.isLong() ? CollectionSize.ANY : CollectionSize.SEVERAL));
        all.addTest(build(kind, ConcurrentMapTestSuiteBuilder.using(new TestStringSortedMapGenerator() {
            @Override
            protected SortedMap<String, String> create(Entry<String, String>[] entries) {
                return Fresh.filled(kind.store().sortedMap(Fresh.unused(), Schema.of(String.class), Codecs.STRING,
                    Comparator.naturalOrder()), entries);
            }
        }), "ChunkSortedMap with a comparator", CollectionSize.ANY));
        all.addTest(build(kind, ConcurrentMapTestSuiteBuilder.using(new Numbers(kind, false)),
            "ChunkSortedMap of numbers", CollectionSize.ANY));
        return all;
    }

    /** Returns the tests of maps of numbers of a cluster, each map in three ranges. */
    static junit.framework.Test suiteOfRanges() {
        TestSuite all = new TestSuite("sorted maps in ranges");
        all.addTest(build(Fresh.CLUSTER, ConcurrentMapTestSuiteBuilder.using(new Numbers(Fresh.CLUSTER, true)),
            "ChunkSortedMap of numbers in ranges", CollectionSize.ANY));
        return all;
    }

    private static junit.framework.Test build(Fresh kind, MapTestSuiteBuilder<?, ?> builder, String name,
        CollectionSize sizes) {
        return builder.named(name + " " + kind)
            .withFeatures(MapFeature.GENERAL_PURPOSE, sizes, CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                CollectionFeature.KNOWN_ORDER)
            .withTearDown(kind::dropAll).createTestSuite();
    }

    /** Generator of maps with keys of type {@code long}. */
    private static final class Numbers extends NumberMaps implements TestSortedMapGenerator<Long, String> {
        private final Fresh kind;
        private final boolean isInRanges;

        Numbers(Fresh kind, boolean isInRanges) {
            this.kind = kind;
            this.isInRanges = isInRanges;
        }

        @Override
        public SampleElements<Entry<Long, String>> samples() {
            return new SampleElements<>(Map.entry(-5L, "one"), Map.entry(-2L, "two"), Map.entry(0L, "three"),
                Map.entry(1L << 40, "four"), Map.entry(1L << 50, "five"));
        }

        @Override
        public Entry<Long, String> belowSamplesLesser() {
            return Map.entry(Long.MIN_VALUE, "below lesser");
        }

        @Override
        public Entry<Long, String> belowSamplesGreater() {
            return Map.entry(-6L, "below greater");
        }

        @Override
        public Entry<Long, String> aboveSamplesLesser() {
            return Map.entry(1L << 60, "above lesser");
        }

        @Override
        public Entry<Long, String> aboveSamplesGreater() {
            return Map.entry(Long.MAX_VALUE, "above greater");
        }

        @Override
        public SortedMap<Long, String> create(Object... entries) {
            ChunkSortedMap<Long, String> map = kind.store().sortedMap(Fresh.unused(), Codecs.LONG, Codecs.STRING);
            if (isInRanges) {
                ((ClusterStore) kind.store()).ranges(map).splitAt(0L);
                ((ClusterStore) kind.store()).ranges(map).splitAt(-2L);
            }
            return Fresh.filled(map, entries);
        }

        @Override
        public Iterable<Entry<Long, String>> order(List<Entry<Long, String>> insertionOrder) {
            insertionOrder.sort(Entry.comparingByKey());
            return insertionOrder;
        }
    }
}
