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
 * A chunk, or a value of a map, as Chronicle's {@link Bytes}: in place, without copying, inside of a scope.
 *
 * <pre>{@code
 * store.views().read(cid, ChunkBytes.reading(in -> sum[0] += in.readLong(8)));
 * map.update("key", ChunkBytes.editing(bytes -> bytes.addAndGetLong(8, 1)));
 * }</pre>
 *
 * <p><b>Safety.</b> Each access by a position is checked for scope, thread and range, whatever {@code
 * bytes.bounds.unchecked} says; after the scope it throws {@link IllegalStateException}. What was derived inside of the
 * scope ({@code bytesForRead}, {@code bytesStore}) has lost its memory then and throws {@link NullPointerException} or
 * an exception about its range; {@code subBytes} is a copy. What Chronicle itself does not check ({@code
 * addressForRead}, {@code unsafe...}, {@code bytesStore()} beyond its end) is not checked inside of a scope either.
 * {@code Views.peek} is refused, because it does not hold the chunk.
 */
public final class ChunkBytes extends VanillaBytes<Void> {
    /** An address at which no machine has memory. */
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
     * A scope that reads.
     *
     * @param scope run with the bytes, from the first to the last; valid until it returns
     * @return what to give to {@code read} of {@link io.teff.engine.Views} or of a map
     * @throws IllegalStateException if the JVM lacks a flag that Chronicle needs, naming it
     */
    public static ReadScope reading(Consumer<? super BytesIn<?>> scope) {
        ChronicleFlags.require();
        return view -> run(view, false, scope);
    }

    /**
     * A scope that reads and writes. Others see all of it or nothing; the length stays.
     *
     * @param scope run with the bytes, to be read from the first to the last; to write from the beginning say {@code
     *     writePosition(0)} before. Valid until it returns
     * @return what to give to {@code edit} of {@link io.teff.engine.Views} or to {@code update} of a map
     * @throws IllegalStateException if the JVM lacks a flag that Chronicle needs, naming it
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
        if (refCount() > 0) {                                   // else the scope has released them itself
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
            throw new UnsupportedOperationException("a scope that reads, of read() or reading(), does not write");
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
