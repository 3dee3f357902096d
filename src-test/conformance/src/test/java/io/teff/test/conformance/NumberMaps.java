package io.teff.test.conformance;

import com.google.common.collect.testing.TestMapGenerator;
import java.util.Map.Entry;

/** Generators of maps whose keys are numbers: the arrays that Guava's tests ask for. */
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
