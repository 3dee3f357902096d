package io.teff.engine.alloc;

import io.teff.engine.error.StoreException;
import io.teff.engine.memory.Memory;
import io.teff.engine.memory.RegionLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Levels 1 to 3 of memory checking around the {@link Allocator}. Level 0 does not use this class.
 *
 * <pre>
 *  level 1, 2     +-----------+----------------------+-----------+
 *                 | canary (8)|       payload        | canary (8)|      canary = constant ^ payload address
 *                 +-----------+----------------------+-----------+
 *  level 3        | own run ... | canary (8) | payload | pad (0, 1) |XXXX guard unit XXXX|
 * </pre>
 * <ol>
 * <li>Level 1: both canaries are checked at free. A freed payload's front canary changes, so a second free is detected.
 * <li>Level 2: also, a freed payload is filled and kept in quarantine, and checked when it leaves. Reads of it return
 * the filling ({@code 0xDE}), writes to it are detected.
 * <li>Level 3: every allocation has a run of its own that ends at an inaccessible unit, and is wholly inaccessible in
 * quarantine: a stray access ends the process with SIGSEGV at the offending instruction. For child processes in
 * tests.
 * </ol>
 * Thread-safe: the quarantine has a lock, all other state belongs to the caller.
 */
public final class DebugLadder {
    private static final int CANARY_BYTES = 8;
    private static final int FRAME_BYTES = 2 * CANARY_BYTES;
    private static final long LIVE = 0x7EFF_CA9A_21E5_600DL;
    private static final long FREED = 0x7EFF_CA9A_21E5_0DEDL;
    private static final byte FILLING = (byte) 0xDE;
    private static final long FILLING_LONG = 0xDEDE_DEDE_DEDE_DEDEL;
    private static final int QUARANTINE_COUNT = 256;
    private static final int FILL_LEVEL = 2;
    private static final int GUARD_LEVEL = 3;

    /** Guards units against access. */
    @FunctionalInterface
    public interface Guard {
        /**
         * Guards whole units, or lifts the guard.
         *
         * @param address address of the first byte
         * @param bytes size in bytes, whole units
         * @param accessible false to guard, true to lift the guard
         */
        void protect(long address, long bytes, boolean accessible);
    }

    private final Allocator allocator;
    private final Memory memory;
    private final RunMap runs;
    private final Guard guard;
    private final int level;
    private volatile BooleanSupplier refuse = () -> false;
    /** Ring of addresses and sizes; guarded by this. */
    private final long[] quarantine = new long[2 * QUARANTINE_COUNT];
    private int quarantineNext;
    private int quarantineCount;
    /** Level 3: the size of each payload in use, by address; guarded by this. */
    private final Map<Long, Long> guarded = new HashMap<>();

    DebugLadder(Allocator allocator, RunMap runs, Guard guard, int level) {
        this.allocator = allocator;
        this.memory = allocator.memory();
        this.runs = runs;
        this.guard = guard;
        this.level = level;
    }

    void refuseWhen(BooleanSupplier refusal) {
        refuse = refusal;
    }

    long allocate(AllocStripe stripe, long bytes) {
        if (refuse.getAsBoolean()) {
            return Allocator.FULL;
        }
        if (level == GUARD_LEVEL) {
            return allocateGuarded(bytes);
        }
        long frame = allocator.allocate(stripe, bytes + FRAME_BYTES);
        if (frame == Allocator.FULL) {
            return frame;
        }
        long address = frame + CANARY_BYTES;
        memory.putFieldLong(frame, LIVE ^ address);
        memory.putFieldLong(address + bytes, LIVE ^ address);
        return address;
    }

    void free(long address, long bytes) {
        if (level == GUARD_LEVEL) {
            freeGuarded(address, bytes);
            return;
        }
        check(address, bytes);
        memory.putFieldLong(address - CANARY_BYTES, FREED ^ address);
        if (level < FILL_LEVEL) {
            allocator.free(address - CANARY_BYTES, bytes + FRAME_BYTES);
            return;
        }
        memory.fill(address, bytes, FILLING);
        synchronized (this) {
            if (quarantineCount == QUARANTINE_COUNT) {
                leaveQuarantine();
            }
            enterQuarantine(address, bytes);
        }
    }

    private void check(long address, long bytes) {
        if (!allocator.isTaken(address - CANARY_BYTES, bytes + FRAME_BYTES)) {
            throw damage(address, bytes, "is not in use, or has another size");
        }
        long front = memory.getFieldLong(address - CANARY_BYTES);
        if (front == (FREED ^ address)) {
            throw damage(address, bytes, "was freed before");
        }
        if (front != (LIVE ^ address)) {
            throw damage(address, bytes, "was written in front of its start");
        }
        if (memory.getFieldLong(address + bytes) != (LIVE ^ address)) {
            throw damage(address, bytes, "was written behind its end");
        }
    }

    private static StoreException damage(long address, long bytes, String what) {
        return StoreException.fatal("memory at 0x" + Long.toHexString(address) + " of " + bytes + " bytes " + what);
    }

    private void enterQuarantine(long address, long bytes) {
        int at = (quarantineNext + quarantineCount++) % QUARANTINE_COUNT;
        quarantine[2 * at] = address;
        quarantine[2 * at + 1] = bytes;
    }

    private void leaveQuarantine() {
        long address = quarantine[2 * quarantineNext];
        long bytes = quarantine[2 * quarantineNext + 1];
        quarantineNext = (quarantineNext + 1) % QUARANTINE_COUNT;
        quarantineCount--;
        if (level == GUARD_LEVEL) {
            long run = runOf(address, bytes);
            guard.protect(run, guardedUnits(bytes) << RegionLayout.UNIT_SHIFT, true);
            runs.release(run, guardedUnits(bytes));
            return;
        }
        long touched = firstTouched(address, bytes);
        if (touched < bytes) {
            throw damage(address, bytes, "was written after free at offset " + touched);
        }
        allocator.free(address - CANARY_BYTES, bytes + FRAME_BYTES);
    }

    /** Returns the offset of the first byte that differs from the filling, or {@code bytes}. */
    private long firstTouched(long address, long bytes) {
        long at = 0;
        while (at + Long.BYTES <= bytes && memory.getFieldLong(address + at) == FILLING_LONG) {
            at += Long.BYTES;
        }
        while (at < bytes && memory.getFieldByte(address + at) == FILLING) {
            at++;
        }
        return at;
    }

    synchronized void drain() {
        while (quarantineCount > 0) {
            leaveQuarantine();
        }
    }

    synchronized int quarantined() {
        return quarantineCount;
    }

    boolean isInUse(long address, long bytes) {
        if (level == GUARD_LEVEL) {
            synchronized (this) {
                return guarded.getOrDefault(address, 0L) == bytes;
            }
        }
        return allocator.isInUse(address - CANARY_BYTES, bytes + FRAME_BYTES)
            && memory.getFieldLong(address - CANARY_BYTES) == (LIVE ^ address);
    }

    synchronized int guarded() {
        return guarded.size();
    }

    long takenBytes(long bytes) {
        return takenBytes(bytes, level);
    }

    static long takenBytes(long bytes, int level) {
        return level == GUARD_LEVEL ? guardedUnits(bytes) << RegionLayout.UNIT_SHIFT
            : SizeClasses.takenBytes(bytes + FRAME_BYTES);
    }

    // ---- level 3 ----

    private static long guardedUnits(long bytes) {
        return SizeClasses.unitsOf(CANARY_BYTES + even(bytes)) + 1;
    }

    /** Rounds up to an even number. Addresses are even, so a payload of odd length has one byte of padding. */
    private static long even(long bytes) {
        return bytes + 1 & -2L;
    }

    private static long runOf(long address, long bytes) {
        return address + even(bytes) + RegionLayout.UNIT_BYTES - (guardedUnits(bytes) << RegionLayout.UNIT_SHIFT);
    }

    private long allocateGuarded(long bytes) {
        long units = guardedUnits(bytes);
        long run = runs.takeRun(units);
        if (run == RunMap.FULL) {
            return Allocator.FULL;
        }
        long guardUnit = run + (units - 1 << RegionLayout.UNIT_SHIFT);
        guard.protect(guardUnit, RegionLayout.UNIT_BYTES, false);
        long address = guardUnit - even(bytes);
        memory.putFieldLong(address - CANARY_BYTES, LIVE ^ address);
        memory.putFieldByte(guardUnit - 1, even(bytes) > bytes ? FILLING : 0);
        synchronized (this) {
            guarded.put(address, bytes);
        }
        return address;
    }

    private synchronized void freeGuarded(long address, long bytes) {
        if (guarded.getOrDefault(address, 0L) != bytes) {
            throw damage(address, bytes, "is not in use, or has another size");
        }
        if (memory.getFieldLong(address - CANARY_BYTES) != (LIVE ^ address)) {
            throw damage(address, bytes, "was written in front of its start");
        }
        if (even(bytes) > bytes && memory.getFieldByte(address + bytes) != FILLING) {
            throw damage(address, bytes, "was written behind its end");
        }
        guarded.remove(address);
        guard.protect(runOf(address, bytes), guardedUnits(bytes) << RegionLayout.UNIT_SHIFT, false);
        if (quarantineCount == QUARANTINE_COUNT) {
            leaveQuarantine();
        }
        enterQuarantine(address, bytes);
    }
}
