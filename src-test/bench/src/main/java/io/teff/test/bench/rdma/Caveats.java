package io.teff.test.bench.rdma;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the figures of a machine do not say. */
final class Caveats {
    private static final int PROCESSORS_MIN = 4;

    private Caveats() {}

    /** Returns sentences about a machine, given its devices. */
    static List<String> of(@Nullable Devices devices, int processors) {
        final List<String> caveats = new ArrayList<>();
        caveats.add("Both ends are on one machine: no figure says anything about a network.");
        if (devices != null && (devices.left().isSoftware() || devices.right().isSoftware())) {
            caveats.add("The devices " + String.join(" and ", devices.names()) + " are software: figures on them "
                + "compare programs with each other, and say nothing about RDMA hardware.");
        }
        if (processors < PROCESSORS_MIN) {
            caveats.add(processors + (processors == 1 ? " processor: one thread drives all ends that poll, and threads "
                + "that wait for each other change places." : " processors: threads that poll take them from each "
                + "other and from the kernel."));
        }
        return caveats;
    }
}
