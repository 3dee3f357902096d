package io.teff.recovery.log.file;

import io.teff.engine.os.Disk;
import io.teff.recovery.event.LogLeftoverEvent;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Deletes files that no longer count. A file that cannot be deleted costs room and nothing else: the deletion is
 * retried whenever others are deleted, and when the log is opened next. Thread-safe.
 */
public final class Leftovers {
    private final Disk disk;
    private final Set<Path> left = new LinkedHashSet<>();

    public Leftovers(Disk disk) {
        this.disk = disk;
    }

    /**
     * Deletes files, and retries earlier failed deletions.
     *
     * @param files paths; a missing file counts as deleted
     */
    public synchronized void delete(List<Path> files) {
        for (Iterator<Path> it = left.iterator(); it.hasNext();) {
            if (isDeleted(it.next(), false)) {
                it.remove();
            }
        }
        for (Path file : files) {
            if (!isDeleted(file, true)) {
                left.add(file);
            }
        }
    }

    private boolean isDeleted(Path file, boolean isTold) {
        try {
            disk.delete(file);
        } catch (NoSuchFileException _) {
            return true;
        } catch (IOException e) {
            if (isTold) {
                LogLeftoverEvent.emit(file, e);
            }
            return false;
        }
        return true;
    }
}
