package io.teff.test.conformance;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkSet;
import org.apache.commons.collections4.set.AbstractSetTest;
import org.junit.jupiter.api.AfterEach;

/** Tests of sets from Apache Commons Collections. */
public class CommonsSetTest extends AbstractSetTest<String> {
    /** Returns the kind of the store. */
    Fresh kind() {
        return Fresh.LOCAL;
    }

    @Override
    public ChunkSet<String> makeObject() {
        return kind().store().set(Fresh.unused(), Codecs.STRING);
    }

    @AfterEach
    void drop() {
        kind().dropAll();
    }

    @Override
    public boolean isNullSupported() {
        return false;
    }

    /** A set belongs to its store and is opened by name instead. */
    @Override
    public boolean isTestSerialization() {
        return false;
    }

    /** Iteration is weakly consistent, so it never fails. */
    @Override
    public boolean isFailFastSupported() {
        return false;
    }

    @Override
    public String[] getFullElements() {
        return new String[] {"", "a", "b", "abc", "\u2603", "x".repeat(1000)};
    }

    @Override
    public String[] getOtherElements() {
        return new String[] {"z", "y", "w".repeat(2000)};
    }
}
