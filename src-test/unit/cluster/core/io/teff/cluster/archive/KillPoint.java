package io.teff.cluster.archive;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;

/**
 * The moment at which a process is killed: the n-th call that changes something outside of the process. The call does
 * not happen, and no later call happens either. For one thread.
 */
final class KillPoint {
    private static final Set<String> SYNCS = Set.of("force", "forceFolder");
    private static final Set<String> CHANGES = Set.of("create", "reserve", "delete", "rename", "createFolders",
        "createSyncedFolders", "forceFolder", "write", "force");

    private int left;
    private boolean isOver;

    /** The end of a process. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    /** Kills before the call of a number, from 0. */
    KillPoint(int calls) {
        left = calls;
    }

    /** Lets a call happen, or kills. */
    void pass() {
        isOver |= left-- == 0;
        if (isOver) {
            throw new Killed();
        }
    }

    boolean isOver() {
        return isOver;
    }

    /** Returns the disk of this machine, as the process sees the disk. The end of a process ends its locks. */
    Disk disk() {
        return proxy(Disk.class, Disk.SYSTEM);
    }

    private <T> T proxy(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, method, words) -> {
            if (CHANGES.contains(method.getName())) {
                pass();
            }
            if (SYNCS.contains(method.getName())) {
                return null;                                    // the kernel keeps what a killed process has written
            }
            try {
                Object result = method.invoke(real, words);
                return result instanceof DiskFile file ? proxy(DiskFile.class, file) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    /** A part of a process. */
    interface Work {
        void run() throws IOException;
    }

    /** Runs a process; returns whether it has ended by itself. */
    boolean survives(Work work) throws IOException {
        try {
            work.run();
            return !isOver;
        } catch (Killed _) {
            return false;
        }
    }
}
