package io.teff.cluster.access;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Names that a principal may use: whole names, and prefixes followed by a star.
 *
 * @param patterns names and prefixes; null for all names
 */
record NameList(@Nullable List<String> patterns) {
    /** All names. */
    static final NameList ALL = new NameList(null);
    private static final String STAR = "*";

    boolean isAll() {
        return patterns == null;
    }

    /** Returns whether a name is in the list. */
    boolean has(String name) {
        return isAny(pattern -> pattern.endsWith(STAR) ? name.startsWith(prefix(pattern)) : name.equals(pattern));
    }

    /** Returns whether all names with a prefix are in the list. */
    boolean hasAllOf(String prefix) {
        return isAny(pattern -> pattern.endsWith(STAR) && prefix.startsWith(prefix(pattern)));
    }

    private boolean isAny(Predicate<String> test) {
        final List<String> its = patterns;
        return its == null || its.stream().anyMatch(test);
    }

    private static String prefix(String pattern) {
        return pattern.substring(0, pattern.length() - STAR.length());
    }
}
