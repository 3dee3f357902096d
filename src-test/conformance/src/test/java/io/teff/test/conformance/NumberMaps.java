package io.teff.test.conformance;

import com.google.common.collect.testing.TestMapGenerator;
import java.util.Map.Entry;

/** Base of generators of maps with keys of type {@code long}: makes the arrays that Guava's tests request. */
abstract class NumberMaps implements TestMapGenerator<Long, String> {
    @Override
    @SuppressWarnings({"unchecked", "rawtypes"})
    public final Entry<Long, String>[] createArray(int length) {
        return new Entry[length];
    }

    @Override
    public final Long[] createKeyArray(int length) {
        return new Long[length];
    }

    @Override
    public final String[] createValueArray(int length) {
        return new String[length];
    }
}
