package io.teff.test.conformance;

import com.google.common.collect.testing.SetTestSuiteBuilder;
import com.google.common.collect.testing.TestStringSetGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.SetFeature;
import io.teff.engine.codec.schema.Codecs;
import java.util.List;
import java.util.Set;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** Guava's tests of {@link Set}. */
@RunWith(AllTests.class)
public final class GuavaSetTest {
    private GuavaSetTest() {}

    /** Returns the tests for JUnit to run. */
    public static junit.framework.Test suite() {
        return suite(Fresh.LOCAL);
    }

    /** Returns the tests for a kind of store. */
    static junit.framework.Test suite(Fresh kind) {
        return SetTestSuiteBuilder.using(new TestStringSetGenerator() {
            @Override
            protected Set<String> create(String[] elements) {
                Set<String> set = kind.store().set(Fresh.unused(), Codecs.STRING);
                set.addAll(List.of(elements));
                return set;
            }
        }).named("ChunkSet " + kind).withFeatures(SetFeature.GENERAL_PURPOSE, CollectionSize.ANY,
            CollectionFeature.SUPPORTS_ITERATOR_REMOVE).withTearDown(kind::dropAll).createTestSuite();
    }
}
