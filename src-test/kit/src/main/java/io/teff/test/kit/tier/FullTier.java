package io.teff.test.kit.tier;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks a test class or a test method whose first tier is <em>full</em>: {@code ./teff test --full} and
 * {@code ./teff test --long} run the test, the gate does not. docs/TIERS.md lists these tests with their reasons.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Tag("full")
@net.jqwik.api.Tag("full")
public @interface FullTier {
    /** Why the gate leaves the test out: its cost, and the test of the gate that shows the most of the same. */
    String value();
}
