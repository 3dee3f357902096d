package io.teff.test.conformance;

import com.google.common.collect.testing.ConcurrentMapTestSuiteBuilder;
import com.google.common.collect.testing.SampleElements;
import com.google.common.collect.testing.TestStringMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Form;
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

    /** Returns the tests for JUnit to run. */
    public static junit.framework.Test suite() {
        TestSuite all = new TestSuite("maps");
        all.addTest(build(ConcurrentMapTestSuiteBuilder.using(new TestStringMapGenerator() {
            @Override
            protected Map<String, String> create(Entry<String, String>[] entries) {
                return Fresh.filled(Fresh.STORE.map(Fresh.name(), Codecs.STRING, Codecs.STRING), entries);
            }
        }), "ChunkMap of strings", CollectionSize.ANY));
        all.addTest(build(ConcurrentMapTestSuiteBuilder.using(new TestStringMapGenerator() {
            @Override
            protected Map<String, String> create(Entry<String, String>[] entries) {
                return Fresh.filled(Fresh.STORE.map(Fresh.name(), String.class, String.class), entries);
            }
        }), "ChunkMap with schemas", Form.isLong() ? CollectionSize.ANY : CollectionSize.SEVERAL));
        all.addTest(build(ConcurrentMapTestSuiteBuilder.using(new Numbers()), "ChunkLongMap", CollectionSize.ANY));
        return all;
    }

    private static junit.framework.Test build(ConcurrentMapTestSuiteBuilder<?, ?> builder, String name,
        CollectionSize sizes) {
        return builder.named(name)
            .withFeatures(MapFeature.GENERAL_PURPOSE, sizes, CollectionFeature.SUPPORTS_ITERATOR_REMOVE)
            .withTearDown(Fresh::dropAll).createTestSuite();
    }

    /** Generator of maps with keys of type {@code long}. */
    private static final class Numbers extends NumberMaps {
        @Override
        public SampleElements<Entry<Long, String>> samples() {
            return new SampleElements<>(Map.entry(1L, "one"), Map.entry(-2L, "two"), Map.entry(Long.MAX_VALUE, "three"),
                Map.entry(Long.MIN_VALUE, "four"), Map.entry(0L, "five"));
        }

        @Override
        public Map<Long, String> create(Object... entries) {
            return Fresh.filled(Fresh.STORE.longMap(Fresh.name(), Codecs.STRING), entries);
        }

        @Override
        public Iterable<Entry<Long, String>> order(List<Entry<Long, String>> insertionOrder) {
            return insertionOrder;
        }
    }
}
