package io.teff.cluster.job;

import io.teff.cluster.operation.RegisteredFunctions;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The class loader of a jar, the same one for all nodes of this process. The functions of the jar are those of the
 * process while a node uses the loader. Thread-safe.
 */
final class JarLoader {
    /** The loaders in use, by the hash of their jars. Guarded by the class. */
    private static final Map<String, JarLoader> IN_USE = new HashMap<>();

    private final URLClassLoader classes;
    private int users;

    private JarLoader(URLClassLoader classes) {
        this.classes = classes;
    }

    /** Begins to use the jar with a hash; {@code file} is the jar if no other node of this process uses it. */
    static ClassLoader use(String hash, Path file) throws IOException {
        synchronized (JarLoader.class) {
            JarLoader loader = IN_USE.get(hash);
            if (loader == null) {
                loader = new JarLoader(new URLClassLoader(hash, new URL[] {file.toUri().toURL()},
                    JarLoader.class.getClassLoader()));
                RegisteredFunctions.found().addAll(loader.classes);
                IN_USE.put(hash, loader);
            }
            loader.users++;
            return loader.classes;
        }
    }

    /** Ends a use. Code that runs keeps its classes. */
    static void release(String hash) throws IOException {
        synchronized (JarLoader.class) {
            final JarLoader loader = IN_USE.get(hash);
            if (loader != null && --loader.users == 0) {
                IN_USE.remove(hash);
                RegisteredFunctions.found().removeAll(loader.classes);
                loader.classes.close();
            }
        }
    }
}
