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
        return SetTestSuiteBuilder.using(new TestStringSetGenerator() {
            @Override
            protected Set<String> create(String[] elements) {
                Set<String> set = Fresh.STORE.set(Fresh.name(), Codecs.STRING);
                set.addAll(List.of(elements));
                return set;
            }
        }).named("ChunkSet").withFeatures(SetFeature.GENERAL_PURPOSE, CollectionSize.ANY,
            CollectionFeature.SUPPORTS_ITERATOR_REMOVE).withTearDown(Fresh::dropAll).createTestSuite();
    }
}
