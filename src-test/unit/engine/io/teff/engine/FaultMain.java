package io.teff.engine;

import io.teff.engine.config.DebugLevel;
import io.teff.engine.config.StoreConfig;

/** Plants a fault in its own process, which the fault may end. */
public final class FaultMain {
    static final String NOTICED = "noticed: ";

    private FaultMain() {}

    /**
     * Prints the detected fault.
     *
     * @param args the fault, the debug level, and the length of the misused memory
     */
    public static void main(String[] args) {
        StoreConfig config = Stores.small().debugLevel(DebugLevel.valueOf(args[1])).build();
        try (Store store = Store.open(config)) {
            String noticed = Fault.valueOf(args[0]).plant(store, Integer.parseInt(args[2]));
            System.out.println(noticed == null ? "nothing" : NOTICED + noticed);
        }
    }
}
