package io.teff.test.conformance;

import com.google.common.collect.testing.ListTestSuiteBuilder;
import com.google.common.collect.testing.TestStringListGenerator;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.ListFeature;
import io.teff.engine.codec.schema.Codecs;
import java.util.List;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** Guava's tests of {@link List}. */
@RunWith(AllTests.class)
public final class GuavaListTest {
    private GuavaListTest() {}

    /** Returns the tests for JUnit to run. */
    public static junit.framework.Test suite() {
        return ListTestSuiteBuilder.using(new TestStringListGenerator() {
            @Override
            protected List<String> create(String[] elements) {
                List<String> list = Fresh.STORE.list(Fresh.name(), Codecs.STRING);
                list.addAll(List.of(elements));
                return list;
            }
        }).named("ChunkList").withFeatures(ListFeature.GENERAL_PURPOSE, CollectionSize.ANY)
            .withTearDown(Fresh::dropAll).createTestSuite();
    }
}
