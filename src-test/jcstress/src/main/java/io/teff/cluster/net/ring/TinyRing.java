package io.teff.cluster.net.ring;

import io.teff.cluster.net.wire.Frame;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A ring for eight numbered frames, far smaller than real rings, so that many can exist. */
public final class TinyRing {
    /** Size of a frame in bytes. */
    public static final int FRAME_BYTES = Frame.HEAD_BYTES + Long.BYTES;
    /** Result of {@link #frames}: the content of a frame is missing. */
    public static final int TORN = -1;

    private static final int CAPACITY = 256;
    private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L;
    private static final VarHandle TAIL;
    private static final VarHandle LAST_TAIL;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(SendRing.class, MethodHandles.lookup());
            TAIL = lookup.findVarHandle(SendRing.class, "tail", long.class);
            LAST_TAIL = lookup.findVarHandle(SendRing.class, "lastTail", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final MemorySegment memory = MemorySegment.ofArray(new long[SendRing.bytes(CAPACITY) / Long.BYTES]);
    private final SendRing ring = new SendRing(memory, CAPACITY, 0);

    /** Makes an empty ring. */
    public TinyRing() {}

    /** Puts a frame; its position, or why there is none. */
    public long put(int type) {
        long position = ring.claim(FRAME_BYTES, Long.MAX_VALUE);
        if (position >= 0) {
            write(position, type);
            ring.commit(position, FRAME_BYTES);
        }
        return position;
    }

    /** Puts a frame that is committed before it is written. */
    public void putTorn(int type) {
        long position = ring.claim(FRAME_BYTES, Long.MAX_VALUE);
        ring.commit(position, FRAME_BYTES);
        write(position, type);
    }

    private void write(long position, int type) {
        long at = ring.offset(position);
        Frame.begin(memory, at, type, 0, 0, 0);
        memory.set(ValueLayout.JAVA_LONG, at + Frame.HEAD_BYTES, type * FACTOR);
    }

    /** As the agent: how many frames are there, whole; else {@link #TORN}. */
    public int frames() {
        int count = 0;
        long end = ring.committed();
        for (long position = 0; position < end; position += FRAME_BYTES) {
            long at = ring.offset(position);
            int type = Frame.type(memory, at);
            if (type == 0 || memory.get(ValueLayout.JAVA_LONG, at + Frame.HEAD_BYTES) != type * FACTOR) {
                return TORN;
            }
            count++;
        }
        return count;
    }

    /** Ends claims; returns the end of the last frame. */
    public long close() {
        return ring.close();
    }

    /** The same by a load and a store. */
    public long closeTorn() {
        long end = (long) TAIL.getVolatile(ring);
        LAST_TAIL.setVolatile(ring, end);
        TAIL.setVolatile(ring, Long.MIN_VALUE);
        return end;
    }
}
