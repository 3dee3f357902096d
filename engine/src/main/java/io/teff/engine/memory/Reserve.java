package io.teff.engine.memory;

import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.Clock;
import io.teff.engine.os.LinuxMemory;
import java.lang.ref.Cleaner;

/**
 * Reserves address space that stays mapped as long as an object is reachable, so that late readers meet mapped memory.
 */
final class Reserve {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final int ATTEMPTS = 5;
    private static final long PAUSE_NS = 20_000_000;

    private Reserve() {}

    /**
     * Reserves address space. The space of closed stores is unmapped when they are garbage-collected, so a shortage
     * triggers a collection.
     *
     * @param owner object on whose unreachability the space is unmapped
     * @param bytes size in bytes
     * @return the space; its memory reads as zero, and is committed when touched
     * @throws StoreException of category RETRY if the kernel refuses
     */
    static LinuxMemory.Reservation untilUnreachable(Object owner, long bytes) {
        LinuxMemory.Reservation reservation = LinuxMemory.reserve(bytes);
        for (int attempt = 0; reservation == null && attempt < ATTEMPTS; attempt++) {
            System.gc();
            Clock.SYSTEM.pause(CLEANER, PAUSE_NS);
            reservation = LinuxMemory.reserve(bytes);
        }
        if (reservation == null) {
            throw new StoreException(Category.RETRY, "the kernel refused to reserve " + bytes
                + " bytes of address space; lower memoryLimit, or see vm.overcommit_memory and ulimit -v");
        }
        CLEANER.register(owner, reservation::unmap);
        return reservation;
    }
}
