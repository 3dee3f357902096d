package io.teff.test.conformance;

import com.google.common.collect.testing.ConcurrentMapTestSuiteBuilder;
import com.google.common.collect.testing.SampleElements;
import com.google.common.collect.testing.TestMapGenerator;
import com.google.common.collect.testing.TestStringMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import io.teff.engine.codec.Codecs;
import io.teff.engine.collect.ChunkMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import junit.framework.TestSuite;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** Guava's tests of {@link java.util.concurrent.ConcurrentMap}. */
@RunWith(AllTests.class)
public final class GuavaMapTest {
    private GuavaMapTest() {}

    /** What JUnit runs. */
    public static junit.framework.Test suite() {
        TestSuite all = new TestSuite("maps");
        all.addTest(build(ConcurrentMapTestSuiteBuilder.using(new TestStringMapGenerator() {
            @Override
            protected Map<String, String> create(Entry<String, String>[] entries) {
                return filled(Fresh.STORE.map(Fresh.name(), Codecs.STRING, Codecs.STRING), entries);
            }
        }), "ChunkMap of strings"));
        all.addTest(build(ConcurrentMapTestSuiteBuilder.using(new TestStringMapGenerator() {
            @Override
            protected Map<String, String> create(Entry<String, String>[] entries) {
                return filled(Fresh.STORE.map(Fresh.name(), String.class, String.class), entries);
            }
        }), "ChunkMap with schemas"));
        all.addTest(build(ConcurrentMapTestSuiteBuilder.using(new Numbers()), "ChunkLongMap"));
        return all;
    }

    private static junit.framework.Test build(ConcurrentMapTestSuiteBuilder<?, ?> builder, String name) {
        return builder.named(name)
            .withFeatures(MapFeature.GENERAL_PURPOSE, CollectionSize.ANY, CollectionFeature.SUPPORTS_ITERATOR_REMOVE)
            .withTearDown(Fresh::dropAll).createTestSuite();
    }

    private static <K, V> Map<K, V> filled(ChunkMap<K, V> map, Entry<K, V>[] entries) {
        for (Entry<K, V> entry : entries) {
            map.put(entry.getKey(), entry.getValue());
        }
        map.audit();
        return map;
    }

    /** Maps whose keys are numbers. */
    private static final class Numbers implements TestMapGenerator<Long, String> {
        @Override
        public SampleElements<Entry<Long, String>> samples() {
            return new SampleElements<>(Map.entry(1L, "one"), Map.entry(-2L, "two"), Map.entry(Long.MAX_VALUE, "three"),
                Map.entry(Long.MIN_VALUE, "four"), Map.entry(0L, "five"));
        }

        @Override
        @SuppressWarnings({"unchecked", "rawtypes"})
        public Map<Long, String> create(Object... entries) {
            Entry<Long, String>[] typed = new Entry[entries.length];
            System.arraycopy(entries, 0, typed, 0, entries.length);
            return filled(Fresh.STORE.longMap(Fresh.name(), Codecs.STRING), typed);
        }

        @Override
        @SuppressWarnings({"unchecked", "rawtypes"})
        public Entry<Long, String>[] createArray(int length) {
            return new Entry[length];
        }

        @Override
        public Long[] createKeyArray(int length) {
            return new Long[length];
        }

        @Override
        public String[] createValueArray(int length) {
            return new String[length];
        }

        @Override
        public Iterable<Entry<Long, String>> order(List<Entry<Long, String>> insertionOrder) {
            return insertionOrder;
        }
    }
}
