package io.teff.bridge.jcache;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.SchemaException;
import io.teff.engine.codec.schema.Codecs;
import java.io.Externalizable;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Chooses the {@link Form} of a type: Teff's own codec where there is one, else serialization of the JDK. */
final class Forms {
    /** Methods by which a class says that its fields alone are not what it is. */
    private static final Set<String> OWN_FORM = Set.of("writeObject", "readObject", "writeReplace", "readResolve");

    private Forms() {}

    /**
     * The form of the keys or values of a cache.
     *
     * @param type as declared; objects of subclasses may be stored if it can have some
     * @param loader finds classes of serialized objects
     */
    static <T> Form<T> of(Class<T> type, ClassLoader loader) {
        boolean closed = type.isArray() ? type.getComponentType().isPrimitive()
            : type.isSealed() || type.isEnum() || Modifier.isFinal(type.getModifiers());
        try {
            return closed && !hasOwnForm(type) ? new OfCodec<>(Codecs.of(type)) : new TaggedForm<>(loader);
        } catch (SchemaException e) {
            return new TaggedForm<>(loader);                    // says what is wrong with a value when it comes
        }
    }

    /** Objects of exactly one class, or of a sealed type. */
    private record OfCodec<T>(Codec<T> codec) implements Form<T> {
        @Override
        public void write(T object, Output out) {
            codec.write(object, out);
        }

        @Override
        public T read(Input in) {
            return codec.read(in);
        }
    }

    /**
     * The codec of the objects of a class.
     *
     * @return null if they must go through serialization
     * @throws SchemaException if they cannot be serialized either
     */
    static @Nullable Codec<?> codecOf(Class<?> type) {
        if (hasOwnForm(type)) {
            return null;
        }
        try {
            return Codecs.of(type);
        } catch (SchemaException e) {
            if (Serializable.class.isAssignableFrom(type)) {
                return null;
            }
            throw e;
        }
    }

    /** Whether serialization of a class differs from reading and writing its fields. Those of the JDK Teff knows. */
    private static boolean hasOwnForm(Class<?> type) {
        if (!Serializable.class.isAssignableFrom(type) || type.isEnum() || type.isRecord() || type.isArray()
            || type.getPackageName().startsWith("java.")) {
            return false;
        }
        return Externalizable.class.isAssignableFrom(type)
            || Arrays.stream(type.getDeclaredMethods()).map(Method::getName).anyMatch(OWN_FORM::contains)
            || Arrays.stream(type.getDeclaredFields()).map(Field::getModifiers)
                .anyMatch(modifiers -> Modifier.isTransient(modifiers) && !Modifier.isStatic(modifiers));
    }
}
