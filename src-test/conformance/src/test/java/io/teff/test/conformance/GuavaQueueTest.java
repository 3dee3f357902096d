package io.teff.test.conformance;

import com.google.common.collect.testing.QueueTestSuiteBuilder;
import com.google.common.collect.testing.TestStringQueueGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import io.teff.engine.codec.schema.Codecs;
import java.util.List;
import java.util.Queue;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** Guava's tests of {@link Queue}. */
@RunWith(AllTests.class)
public final class GuavaQueueTest {
    private GuavaQueueTest() {}

    /** Returns the tests for JUnit to run. */
    public static junit.framework.Test suite() {
        return suite(Fresh.LOCAL);
    }

    /** Returns the tests for a kind of store. */
    static junit.framework.Test suite(Fresh kind) {
        return QueueTestSuiteBuilder.using(new TestStringQueueGenerator() {
            @Override
            protected Queue<String> create(String[] elements) {
                Queue<String> queue = kind.store().queue(Fresh.unused(), Codecs.STRING);
                queue.addAll(List.of(elements));
                return queue;
            }
        }).named("ChunkQueue " + kind).withFeatures(CollectionFeature.GENERAL_PURPOSE, CollectionFeature.KNOWN_ORDER,
            CollectionSize.ANY).withTearDown(kind::dropAll).createTestSuite();
    }
}
