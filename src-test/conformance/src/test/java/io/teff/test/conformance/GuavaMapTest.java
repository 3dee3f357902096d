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
        return suite(Fresh.LOCAL);
    }

    /** Returns the tests for a kind of store. */
    static junit.framework.Test suite(Fresh kind) {
        TestSuite all = new TestSuite("maps");
        all.addTest(build(kind, ConcurrentMapTestSuiteBuilder.using(new TestStringMapGenerator() {
            @Override
            protected Map<String, String> create(Entry<String, String>[] entries) {
                return Fresh.filled(kind.store().map(Fresh.unused(), Codecs.STRING, Codecs.STRING), entries);
            }
        }), "ChunkMap of strings", CollectionSize.ANY));
        all.addTest(build(kind, ConcurrentMapTestSuiteBuilder.using(new TestStringMapGenerator() {
            @Override
            protected Map<String, String> create(Entry<String, String>[] entries) {
                return Fresh.filled(kind.store().map(Fresh.unused(), String.class, String.class), entries);
            }
        }), "ChunkMap with schemas", Form.isLong() ? CollectionSize.ANY : CollectionSize.SEVERAL));
        all.addTest(build(kind, ConcurrentMapTestSuiteBuilder.using(new Numbers(kind)), "ChunkLongMap",
            CollectionSize.ANY));
        return all;
    }

    private static junit.framework.Test build(Fresh kind, ConcurrentMapTestSuiteBuilder<?, ?> builder, String name,
        CollectionSize sizes) {
        return builder.named(name + " " + kind)
            .withFeatures(MapFeature.GENERAL_PURPOSE, sizes, CollectionFeature.SUPPORTS_ITERATOR_REMOVE)
            .withTearDown(kind::dropAll).createTestSuite();
    }

    /** Generator of maps with keys of type {@code long}. */
    private static final class Numbers extends NumberMaps {
        private final Fresh kind;

        Numbers(Fresh kind) {
            this.kind = kind;
        }

        @Override
        public SampleElements<Entry<Long, String>> samples() {
            return new SampleElements<>(Map.entry(1L, "one"), Map.entry(-2L, "two"), Map.entry(Long.MAX_VALUE, "three"),
                Map.entry(Long.MIN_VALUE, "four"), Map.entry(0L, "five"));
        }

        @Override
        public Map<Long, String> create(Object... entries) {
            return Fresh.filled(kind.store().longMap(Fresh.unused(), Codecs.STRING), entries);
        }

        @Override
        public Iterable<Entry<Long, String>> order(List<Entry<Long, String>> insertionOrder) {
            return insertionOrder;
        }
    }
}
