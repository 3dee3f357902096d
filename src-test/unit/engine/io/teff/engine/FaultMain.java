package io.teff.engine;

import io.teff.engine.config.DebugLevel;
import io.teff.engine.config.StoreConfig;

/** Plants a fault in a process of its own, which it may end. */
public final class FaultMain {
    static final String NOTICED = "noticed: ";

    private FaultMain() {}

    /**
     * Prints what was noticed.
     *
     * @param args the fault, the level, and the length of the memory that is misused
     */
    public static void main(String[] args) {
        StoreConfig config = Stores.small().debugLevel(DebugLevel.valueOf(args[1])).build();
        try (Store store = Store.open(config)) {
            String noticed = Fault.valueOf(args[0]).plant(store, Integer.parseInt(args[2]));
            System.out.println(noticed == null ? "nothing" : NOTICED + noticed);
        }
    }
}
