package io.teff.cluster.superpeer;

import io.teff.cluster.consensus.SuperpeerLog;
import io.teff.cluster.meta.MachineState;

/** Makes replicated logs of one member in memory, for tests of other packages. */
public final class MemoryLogs {
    private MemoryLogs() {}

    /** Returns the only member, which leads. */
    public static SuperpeerLog member(MachineState.Settings settings) {
        return new MemoryLog(settings).member(true);
    }
}
