package io.teff.test.jcstress;

import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.hash.SplitTable;
import org.openjdk.jcstress.annotations.State;

/** A map that all states share, one bucket of which is split and merged. */
@State
public class SplitState {
    static final SplitTable TABLE = new SplitTable(Store.open(StoreConfig.builder().name("jcstress-split")
        .memoryLimitBytes(64L << 20).build()).longMap("split", Codecs.BYTES));
}
