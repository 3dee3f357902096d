package io.teff.test.conformance;

import com.google.common.collect.testing.ListTestSuiteBuilder;
import com.google.common.collect.testing.TestStringListGenerator;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.ListFeature;
import com.google.common.collect.testing.testers.ListListIteratorTester;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Form;
import java.util.List;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** Guava's tests of {@link List}. All sequences of five steps of a list iterator are left to the full tier. */
@RunWith(AllTests.class)
public final class GuavaListTest {
    private GuavaListTest() {}

    /** Returns the tests for JUnit to run. */
    public static junit.framework.Test suite() {
        return suite(Fresh.LOCAL);
    }

    /** Returns the tests for a kind of store. */
    static junit.framework.Test suite(Fresh kind) {
        return ListTestSuiteBuilder.using(new TestStringListGenerator() {
            @Override
            protected List<String> create(String[] elements) {
                List<String> list = kind.store().list(Fresh.unused(), Codecs.STRING);
                list.addAll(List.of(elements));
                return list;
            }
        }).named("ChunkList " + kind).withFeatures(ListFeature.GENERAL_PURPOSE, CollectionSize.ANY)
            .suppressing(Form.isFull() ? List.of()
                : List.of(ListListIteratorTester.getListIteratorFullyModifiableMethod()))
            .withTearDown(kind::dropAll).createTestSuite();
    }
}
