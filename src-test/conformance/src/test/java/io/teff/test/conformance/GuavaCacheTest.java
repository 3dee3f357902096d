package io.teff.test.conformance;

import com.google.common.collect.testing.ConcurrentMapTestSuiteBuilder;
import com.google.common.collect.testing.TestStringMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import io.teff.engine.cache.CacheBuilder;
import io.teff.engine.cache.CacheMap;
import io.teff.test.kit.Form;
import java.time.Duration;
import java.util.Map;
import java.util.Map.Entry;
import java.util.function.UnaryOperator;
import junit.framework.TestSuite;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** Guava's tests of {@link java.util.concurrent.ConcurrentMap} for caches in which nothing expires meanwhile. */
@RunWith(AllTests.class)
public final class GuavaCacheTest {
    private static final Duration DAY = Duration.ofDays(1);

    private GuavaCacheTest() {}

    /** Returns the tests for JUnit to run. */
    public static junit.framework.Test suite() {
        TestSuite all = new TestSuite("caches");
        all.addTest(build("cache with a limit", settings -> settings.limitEntries(1_000)));
        all.addTest(build("cache with expiry and a listener", settings -> settings.expireAfterWrite(DAY)
            .expireAfterAccess(DAY).listener((_, _, _) -> { })));
        return all;
    }

    private static junit.framework.Test build(String name, UnaryOperator<CacheBuilder<String, String>> settings) {
        return ConcurrentMapTestSuiteBuilder.using(new TestStringMapGenerator() {
            @Override
            protected Map<String, String> create(Entry<String, String>[] entries) {
                return Fresh.filled(settings.apply(CacheMap.builder(String.class, String.class))
                    .open(Fresh.LOCAL.store(), Fresh.unused()), entries);
            }
        }).named(name).withFeatures(MapFeature.GENERAL_PURPOSE, CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
            Form.isFull() ? CollectionSize.ANY : CollectionSize.SEVERAL).withTearDown(Fresh.LOCAL::dropAll)
            .createTestSuite();
    }
}
