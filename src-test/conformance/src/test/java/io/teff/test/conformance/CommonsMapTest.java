package io.teff.test.conformance;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkMap;
import org.apache.commons.collections4.map.AbstractMapTest;
import org.junit.jupiter.api.AfterEach;

/** Tests of maps from Apache Commons Collections. */
public class CommonsMapTest extends AbstractMapTest<ChunkMap<String, String>, String, String> {
    /** Returns the kind of the store. */
    Fresh kind() {
        return Fresh.LOCAL;
    }

    @Override
    public ChunkMap<String, String> makeObject() {
        return kind().store().map(Fresh.unused(), Codecs.STRING, Codecs.STRING);
    }

    @AfterEach
    void drop() {
        kind().dropAll();
    }

    @Override
    public boolean isAllowNullKey() {
        return false;
    }

    @Override
    public boolean isAllowNullValue() {
        return false;
    }

    /** A search for a null value throws, as in the concurrent maps of the JDK. */
    @Override
    public boolean isAllowNullValueGet() {
        return false;
    }

    /** A map belongs to its store and is opened by name instead. */
    @Override
    public boolean isTestSerialization() {
        return false;
    }

    /** Iteration is weakly consistent, so it never fails. */
    @Override
    public boolean isFailFastExpected() {
        return false;
    }
}
