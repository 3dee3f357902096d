package io.teff.engine.memory;

import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.Clock;
import io.teff.engine.os.LinuxMemory;
import java.lang.ref.Cleaner;

/** Address space that lives as long as an object is reachable: who reads at the last moment meets mapped memory. */
final class Reserve {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final int ATTEMPTS = 5;
    private static final long PAUSE_NS = 20_000_000;

    private Reserve() {}

    /**
     * Reserves address space. That of closed stores comes back when they are collected; being short of it is worth a
     * collection.
     *
     * @param owner when it becomes unreachable, the space is unmapped
     * @param bytes the size
     * @return the space; its memory is zero, and committed when it is touched
     * @throws StoreException of category RETRY if the kernel refuses
     */
    static LinuxMemory.Reservation untilUnreachable(Object owner, long bytes) {
        LinuxMemory.Reservation reservation = LinuxMemory.reserve(bytes);
        for (int attempt = 0; reservation == null && attempt < ATTEMPTS; attempt++) {
            System.gc();
            Clock.SYSTEM.park(CLEANER, PAUSE_NS);
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
