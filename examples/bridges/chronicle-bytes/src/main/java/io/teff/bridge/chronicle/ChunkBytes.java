package io.teff.bridge.chronicle;

import io.teff.engine.view.ChunkView;
import io.teff.engine.view.EditScope;
import io.teff.engine.view.ReadScope;
import java.util.function.Consumer;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesIn;
import net.openhft.chronicle.bytes.PointerBytesStore;
import net.openhft.chronicle.bytes.VanillaBytes;
import net.openhft.chronicle.bytes.util.DecoratedBufferOverflowException;
import net.openhft.chronicle.bytes.util.DecoratedBufferUnderflowException;

/**
 * A chunk, or a value of a map, as {@link Bytes} of Chronicle: in place and without copying, inside a scope.
 *
 * <pre>{@code
 * store.views().read(cid, ChunkBytes.reading(in -> sum[0] += in.readLong(8)));
 * map.update("key", ChunkBytes.editing(bytes -> bytes.addAndGetLong(8, 1)));
 * }</pre>
 *
 * <p><b>Safety.</b> Each access at a position is checked for scope, thread and range, even with
 * {@code bytes.bounds.unchecked}; after the scope it throws {@link IllegalStateException}. Objects derived inside the
 * scope ({@code bytesForRead}, {@code bytesStore}) lose their memory when it ends, and throw
 * {@link NullPointerException} or an exception about the range; {@code subBytes} is a copy. Operations that Chronicle
 * does not check ({@code addressForRead}, {@code unsafe...}, {@code bytesStore()} beyond its end) are not checked
 * inside a scope either. {@code Views.peek} is refused, because it does not hold the chunk.
 */
public final class ChunkBytes extends VanillaBytes<Void> {
    /** An address that is never mapped. */
    private static final long NOWHERE = 0x7FFF_FFFF_FFFF_0000L;

    private final PointerBytesStore place;
    private final long length;
    private final boolean writable;
    private final Thread owner = Thread.currentThread();
    private boolean open = true;

    private ChunkBytes(PointerBytesStore place, long length, boolean writable) {
        super(place, length, length);
        this.place = place;
        this.length = length;
        this.writable = writable;
    }

    /**
     * Returns a scope that reads.
     *
     * @param scope receives the bytes, from the first to the last; they are valid until it returns
     * @return the argument of {@code read} of {@link io.teff.engine.Views} or of a map
     * @throws IllegalStateException if the JVM lacks a flag that Chronicle needs; the message names it
     */
    public static ReadScope reading(Consumer<? super BytesIn<?>> scope) {
        ChronicleFlags.require();
        return view -> run(view, false, scope);
    }

    /**
     * Returns a scope that reads and writes. Other threads see all changes or none; the length does not change.
     *
     * @param scope receives the bytes, readable from the first to the last; to write from the beginning call {@code
     *     writePosition(0)} first. They are valid until it returns
     * @return the argument of {@code edit} of {@link io.teff.engine.Views} or to {@code update} of a map
     * @throws IllegalStateException if the JVM lacks a flag that Chronicle needs; the message names it
     */
    public static EditScope editing(Consumer<? super Bytes<?>> scope) {
        ChronicleFlags.require();
        return editor -> run(editor, true, scope);
    }

    private static void run(ChunkView view, boolean writable, Consumer<? super Bytes<?>> scope) {
        PointerBytesStore place = new PointerBytesStore();
        if (view.length() > 0) {
            place.set(view.address(), view.length());
        }
        ChunkBytes bytes = new ChunkBytes(place, view.length(), writable);
        try {
            scope.accept(bytes);
        } finally {
            bytes.end();
        }
    }

    private void end() {
        open = false;
        place.set(NOWHERE, 0);
        place.memory = null;
        if (refCount() > 0) {                                   // else the scope has released them
            release(INIT);
        }
        place.release(INIT);
    }

    @SuppressWarnings("ReferenceEquality")                    // threads are compared by identity
    private void checkScope() {
        if (!open || owner != Thread.currentThread()) {
            throw new IllegalStateException("bytes of a chunk are used outside of their scope, or by another thread");
        }
    }

    private boolean isInside(long offset, long adding) {
        return (offset | adding) >= 0 && adding <= length - offset;
    }

    @Override
    protected void readCheckOffset(long offset, long adding, boolean given) {
        checkScope();
        if (!isInside(offset, adding)) {
            throw new DecoratedBufferUnderflowException(range(offset, adding));
        }
        super.readCheckOffset(offset, adding, given);
    }

    @Override
    protected void writeCheckOffset(long offset, long adding) {
        checkScope();
        if (!writable) {
            throw new UnsupportedOperationException("bytes of read() or reading() cannot be written to");
        }
        if (!isInside(offset, adding)) {
            throw new DecoratedBufferOverflowException(range(offset, adding));
        }
        super.writeCheckOffset(offset, adding);
    }

    private String range(long offset, long adding) {
        return "offset=" + offset + " of " + adding + " bytes is not inside of " + length + " bytes";
    }
}
