package io.teff.test.kit.tier;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks a test class or a test method whose first tier is <em>long</em>: {@code ./teff test --long} alone runs the
 * test. docs/TIERS.md lists these tests with their reasons.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Tag("long")
@net.jqwik.api.Tag("long")
public @interface LongTier {
    /** Why lower tiers leave the test out: its cost, and the test of a lower tier that shows the most of the same. */
    String value();
}
