package io.teff.bridge.jcache;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import javax.cache.CacheException;

/**
 * Serialization of the JDK, to the end of the input. The bytes were written by this process and never come from
 * outside, so they are trusted.
 *
 * @param loader class loader of the objects' classes
 */
record SerialForm(ClassLoader loader) implements Form<Object> {
    @Override
    public void write(Object object, Output out) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream stream = new ObjectOutputStream(bytes)) {
            stream.writeObject(object);
        } catch (IOException e) {
            throw new CacheException("an object of " + object.getClass().getName() + " cannot be serialized: " + e, e);
        }
        out.putBytes(bytes.toByteArray(), 0, bytes.size());
    }

    @Override
    public Object read(Input in) {
        int length = in.left();
        int from = in.take(length);
        try (ObjectInputStream stream = new Reader(new ByteArrayInputStream(in.array(), from, length), loader)) {
            return stream.readObject();
        } catch (IOException | ClassNotFoundException e) {
            throw new CacheException("a serialized object cannot be read: " + e, e);
        }
    }

    /** Resolves classes by the manager's class loader, then as the JDK does. */
    private static final class Reader extends ObjectInputStream {
        private final ClassLoader loader;

        Reader(InputStream in, ClassLoader loader) throws IOException {
            super(in);
            this.loader = loader;
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
            try {
                return Class.forName(description.getName(), false, loader);
            } catch (ClassNotFoundException e) {
                return super.resolveClass(description);         // primitive types, and classes of other loaders
            }
        }
    }
}
