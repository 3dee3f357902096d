package io.teff.cluster.peer;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Wraps disks and their files for planted faults. */
final class PlantedDisk {
    private PlantedDisk() {}

    /** Answers a call in place of the disk or the file, or returns null. */
    @FunctionalInterface
    interface Fault {
        @Nullable Object instead(Object its, String method, Object[] arguments) throws Throwable;
    }

    /** What a call without a result returns that a fault has answered. */
    static final Object NOTHING = new Object();

    static Disk of(Disk its, Fault ofDisk, Fault ofFiles) {
        return wrapped(Disk.class, its, ofDisk, ofFiles);
    }

    private static <T> T wrapped(Class<T> type, T its, Fault fault, Fault ofFiles) {
        return type.cast(Proxy.newProxyInstance(PlantedDisk.class.getClassLoader(), new Class<?>[] {type},
            (_, method, arguments) -> {
                Object[] given = arguments == null ? new Object[0] : arguments;
                Object instead = fault.instead(its, method.getName(), given);
                if (instead != null) {
                    return instead.equals(NOTHING) ? null : instead;
                }
                try {
                    Object result = method.invoke(its, given);
                    return result instanceof DiskFile file ? wrapped(DiskFile.class, file, ofFiles, ofFiles) : result;
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            }));
    }
}
