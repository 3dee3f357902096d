package io.teff.bridge.chronicle;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Objects;
import java.util.function.Supplier;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesIn;
import net.openhft.chronicle.bytes.BytesMarshallable;
import net.openhft.chronicle.bytes.BytesOut;
import net.openhft.chronicle.bytes.OnHeapBytes;
import net.openhft.chronicle.bytes.WriteBytesMarshallable;

/**
 * The codec of a class that says itself how it becomes bytes, in Chronicle's way.
 *
 * <pre>{@code
 * Codec<Position> positions = ChronicleCodec.of(Position.class, Position::new);
 * ChunkMap<String, Position> map = store.map("positions", Codecs.STRING, positions);
 * }</pre>
 *
 * <p>An object takes all bytes to the end of the input, so this is for keys, values and elements, not for parts of
 * other objects. Bytes that {@code readMarshallable} leaves over, or refuses, are a {@link MalformedException}; where
 * bytes are missing, Chronicle may read null or -1 instead of refusing them, and it trusts the lengths that it reads:
 * do not read what strangers wrote. Two keys are the same if their bytes are. Writing and reading allocate. Thread-safe
 * if the maker is.
 *
 * @param <T> the class
 */
public final class ChronicleCodec<T extends BytesMarshallable> implements Codec<T> {
    private static final int CAPACITY = 64;
    private static final long HASH_START = 0xCBF2_9CE4_8422_2325L; // FNV-1a
    private static final long HASH_FACTOR = 0x0000_0100_0000_01B3L;

    private final Supplier<? extends T> maker;
    private final String description;
    private final long fingerprint;

    private ChronicleCodec(Class<T> type, Supplier<? extends T> maker) {
        this.maker = Objects.requireNonNull(maker);
        this.description = "chronicle-bytes " + type.getName() + fields(type);
        this.fingerprint = hash(description);
    }

    /**
     * Makes the codec of a class.
     *
     * @param <T> the class
     * @param type the class. If it leaves {@code writeMarshallable} to Chronicle, which writes all fields one after
     *     the other, then they are in {@link #describe()}, and a collection that was written with other fields is
     *     refused; if it writes itself, it has to be able to read what it once wrote
     * @param maker makes the objects that are filled from bytes
     * @return the codec
     * @throws IllegalStateException if the JVM lacks a flag that Chronicle needs, naming it
     */
    public static <T extends BytesMarshallable> ChronicleCodec<T> of(Class<T> type, Supplier<? extends T> maker) {
        ChronicleFlags.require();
        return new ChronicleCodec<>(type, maker);
    }

    @Override
    public void write(T value, Output out) {
        OnHeapBytes bytes = Bytes.allocateElasticOnHeap(CAPACITY);
        try {
            value.writeMarshallable(bytes);
            int length = Math.toIntExact(bytes.readRemaining());
            int at = out.take(length);
            bytes.read(out.array(), at, length);
        } finally {
            bytes.releaseLast();
        }
    }

    @Override
    public T read(Input in) {
        int length = in.left();
        int at = in.take(length);
        // A copy, so that the object sees nothing else and its first byte has the number 0.
        Bytes<byte[]> bytes = Bytes.wrapForRead(Arrays.copyOfRange(in.array(), at, at + length));
        try {
            T value = maker.get();
            value.readMarshallable((BytesIn<?>) bytes);
            if (bytes.readRemaining() != 0) {
                throw in.malformed(bytes.readRemaining() + " bytes that " + description + " does not read");
            }
            return value;
        } catch (MalformedException e) {
            throw e;
        } catch (RuntimeException e) {
            MalformedException malformed = in.malformed(description + " does not read these bytes: " + e);
            malformed.addSuppressed(e);
            throw malformed;
        } finally {
            bytes.releaseLast();
        }
    }

    @Override
    public long fingerprint() {
        return fingerprint;
    }

    @Override
    public String describe() {
        return description;
    }

    @Override
    public String toString() {
        return description;
    }

    /** The fields that Chronicle writes, in its order; nothing for a class that writes itself. */
    private static String fields(Class<?> type) {
        if (writesItself(type)) {
            return "";
        }
        Deque<Class<?>> classes = new ArrayDeque<>();
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            classes.push(each);
        }
        StringBuilder text = new StringBuilder(" {");
        for (Class<?> each : classes) {
            for (Field field : each.getDeclaredFields()) {
                if ((field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0) {
                    text.append(' ').append(field.getType().getTypeName()).append(' ').append(field.getName())
                        .append(';');
                }
            }
        }
        return text.append(" }").toString();
    }

    private static boolean writesItself(Class<?> type) {
        try {
            Class<?> author = type.getMethod("writeMarshallable", BytesOut.class).getDeclaringClass();
            return author != BytesMarshallable.class && author != WriteBytesMarshallable.class;
        } catch (NoSuchMethodException e) {
            throw new AssertionError("every BytesMarshallable has this method", e);
        }
    }

    private static long hash(String text) {
        long hash = HASH_START;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * HASH_FACTOR;
        }
        return hash;
    }
}
