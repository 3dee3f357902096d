package io.teff.bridge.jcache;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.SchemaException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * The form of objects of several classes: the number of the class, then the object. A class gets its number with its
 * first object and keeps it as long as the cache is open, so equal objects have equal bytes if their codec writes equal
 * bytes.
 *
 * <pre>
 *  0                    1 to 5
 * +--------------------+--------------------------+
 * | number (LEB128)    | object, to the end       |     number 0: serialized by the JDK
 * +--------------------+--------------------------+
 * </pre>
 *
 * @param <T> the common type of the classes
 */
final class TaggedForm<T> implements Form<T> {
    private static final Kind SERIALIZED = new Kind(0, null);

    private final ConcurrentMap<Class<?>, Kind> kinds = new ConcurrentHashMap<>();
    private final SerialForm serial;
    /** The classes by number. Written while synchronized on this, read by all threads. */
    private volatile Kind[] numbered = {SERIALIZED};

    TaggedForm(ClassLoader loader) {
        serial = new SerialForm(loader);
    }

    /** The number of a class, and its codec unless it is serialized. */
    private record Kind(int number, @Nullable Codec<?> codec) {}

    @Override
    @SuppressWarnings("unchecked")
    public void write(T object, Output out) {
        Class<?> type = object instanceof Enum<?> constant ? constant.getDeclaringClass() : object.getClass();
        Kind kind = kinds.get(type);
        if (kind == null) {
            kind = made(type);
        }
        out.putVar(kind.number);
        if (kind.codec == null) {
            serial.write(object, out);
        } else {
            ((Codec<Object>) kind.codec).write(object, out);
        }
    }

    private synchronized Kind made(Class<?> type) {
        return kinds.computeIfAbsent(type, same -> {
            Codec<?> codec;
            try {
                codec = Forms.codecOf(same);
            } catch (SchemaException e) {
                throw new CacheException(same.getName() + " has no codec (" + e.getMessage()
                    + "), and does not implement java.io.Serializable", e);
            }
            return codec == null ? SERIALIZED : added(codec);
        });
    }

    private Kind added(Codec<?> codec) {
        int number = numbered.length;
        Kind kind = new Kind(number, codec);
        Kind[] more = Arrays.copyOf(numbered, number + 1);
        more[number] = kind;
        numbered = more;
        return kind;
    }

    @Override
    @SuppressWarnings("unchecked")
    public T read(Input in) {
        int number = (int) in.getVar();
        Codec<?> codec = numbered[number].codec;
        return (T) (codec == null ? serial.read(in) : codec.read(in));
    }
}
