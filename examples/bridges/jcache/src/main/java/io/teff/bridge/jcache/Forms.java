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

/** Chooses the {@link Form} of a type: a codec of the engine if there is one, otherwise serialization of the JDK. */
final class Forms {
    /** Methods by which a class replaces the default serialization of its fields. */
    private static final Set<String> OWN_FORM = Set.of("writeObject", "readObject", "writeReplace", "readResolve");

    private Forms() {}

    /**
     * Returns the form of the keys or values of a cache.
     *
     * @param type declared type; objects of its subclasses can be stored if it may have any
     * @param loader class loader of serialized objects
     */
    static <T> Form<T> of(Class<T> type, ClassLoader loader) {
        boolean closed = type.isArray() ? type.getComponentType().isPrimitive()
            : type.isSealed() || type.isEnum() || Modifier.isFinal(type.getModifiers());
        try {
            return closed && !hasOwnForm(type) ? new OfCodec<>(Codecs.of(type)) : new TaggedForm<>(loader);
        } catch (SchemaException e) {
            return new TaggedForm<>(loader);                    // fails with the reason when a value is stored
        }
    }

    /** The form of objects of one class, or of a sealed type. */
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
     * Returns the codec of the objects of a class.
     *
     * @return the codec, or null if the objects must be serialized
     * @throws SchemaException if the objects cannot be serialized either
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

    /**
     * Returns whether serialization of a class is not the default one. The engine has codecs for classes of the JDK.
     */
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
