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
 * The codec of a class that implements {@link BytesMarshallable} of Chronicle.
 *
 * <pre>{@code
 * Codec<Position> positions = ChronicleCodec.of(Position.class, Position::new);
 * ChunkMap<String, Position> map = store.map("positions", Codecs.STRING, positions);
 * }</pre>
 *
 * <p>An object uses all bytes to the end of the input, so the codec is for keys, values and elements, not for
 * components of other objects. Bytes that {@code readMarshallable} does not read, or refuses, cause a {@link
 * MalformedException}. If bytes are missing, Chronicle may read null or -1 instead of failing, and it trusts the
 * lengths that it reads: do not read bytes from untrusted sources. Two keys are equal if their bytes are. Writing and
 * reading allocate. Thread-safe if the supplier is.
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
     * Creates the codec of a class.
     *
     * @param <T> the class
     * @param type the class. If Chronicle implements its {@code writeMarshallable}, which writes all fields one after
     *     the other, they are part of {@link #describe()}, and a collection written with other fields is refused. If
     *     the class implements it, the class must be able to read the bytes of its earlier versions
     * @param maker creates the objects that are filled from bytes
     * @return the codec
     * @throws IllegalStateException if the JVM lacks a flag that Chronicle needs; the message names it
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
        // A copy, so that the object cannot read other bytes and its first byte has offset 0.
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

    /**
     * Returns the fields that Chronicle writes, in its order; none for a class with its own {@code writeMarshallable}.
     */
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
