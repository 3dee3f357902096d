package io.teff.test.reads;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What is true of the chunks of an owner, in a file that both processes map. The steps of a slot have numbers, and the
 * number says what the step does: one of eight creates a chunk with a new CID, one removes it, the others change it.
 * <pre>
 *  slot (64 bytes)   | done | begun | cid of even lives | cid of odd lives | zeros |
 * </pre>
 * The owner stores {@code begun} before a step, and the CID of a new chunk and {@code done} behind it. A reader that
 * loads {@code done} before its read, and {@code begun} behind it, knows which contents it may find.
 */
public final class Truth implements AutoCloseable {
    /** Number of slots. */
    public static final int SLOTS = 64;
    /** The number of the first step of a slot, which creates a chunk. */
    public static final long FIRST = 7;

    private static final int STEPS = 8;
    private static final int REMOVE = 6;
    private static final int CREATE = 7;
    private static final int SLOT_BYTES = 64;
    private static final int DONE = 0;
    private static final int BEGUN = 8;
    private static final int CIDS = 16;
    private static final int STOP = SLOTS * SLOT_BYTES;
    private static final int BYTES = STOP + SLOT_BYTES;
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;

    /** Maps a file, which is made if it does not exist. */
    public Truth(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
            memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static boolean isRemoval(long step) {
        return step % STEPS == REMOVE;
    }

    static boolean isCreation(long step) {
        return step % STEPS == CREATE;
    }

    /** Returns the first removal behind a step. */
    static long nextRemoval(long step) {
        return step + 1 + Math.floorMod(REMOVE - (step + 1), STEPS);
    }

    private static long life(long step) {
        return (step + 1) / STEPS;
    }

    private static long cidPlace(int slot, long step) {
        return (long) slot * SLOT_BYTES + CIDS + life(step) % 2 * Long.BYTES;
    }

    long done(int slot) {
        return (long) WORD.getVolatile(memory, (long) slot * SLOT_BYTES + DONE);
    }

    long begun(int slot) {
        return (long) WORD.getVolatile(memory, (long) slot * SLOT_BYTES + BEGUN);
    }

    void begin(int slot, long step) {
        WORD.setVolatile(memory, (long) slot * SLOT_BYTES + BEGUN, step);
    }

    void end(int slot, long step) {
        WORD.setVolatile(memory, (long) slot * SLOT_BYTES + DONE, step);
    }

    /** Returns the CID of the life that a step belongs to. */
    long cid(int slot, long step) {
        return (long) WORD.getVolatile(memory, cidPlace(slot, step));
    }

    void cid(int slot, long step, long cid) {
        WORD.setVolatile(memory, cidPlace(slot, step), cid);
    }

    /** Asks the owner to end. */
    public void stop() {
        WORD.setVolatile(memory, STOP, 1L);
    }

    boolean isStopped() {
        return (long) WORD.getVolatile(memory, STOP) != 0;
    }

    @Override
    public void close() {
        arena.close();
    }
}
