package io.teff.engine.query;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;

/** Reads nothing of a value, for queries that show keys or count entries. */
final class Nothing implements Codec<Boolean> {
    @Override
    public void write(Boolean value, Output out) {
        throw new UnsupportedOperationException("nothing is written");
    }

    @Override
    public Boolean read(Input in) {
        in.take(in.left());
        return Boolean.TRUE;
    }

    @Override
    public long fingerprint() {
        return 0;
    }
}
