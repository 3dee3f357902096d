package io.teff.cluster.figure;

import com.sun.management.UnixOperatingSystemMXBean;
import io.teff.cluster.admin.Figure;
import io.teff.cluster.admin.NodeFigures;
import io.teff.engine.os.SystemInfo;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the figures of this process, its JVM and its machine. Thread-safe. */
public final class ProcessFigures {
    private static final int THOUSAND = 1000;

    private final Path folder;
    private final long machineBytes;

    /**
     * Begins to read.
     *
     * @param folder on the disk whose room counts; the folder exists
     */
    public ProcessFigures(Path folder) {
        this.folder = folder;
        machineBytes = SystemInfo.memoryBytes();
    }

    /**
     * Reads figures.
     *
     * @param to receives the figures
     */
    public void read(NodeFigures.Builder to) {
        Runtime runtime = Runtime.getRuntime();
        to.set(Figure.JVM_HEAP_USED, runtime.totalMemory() - runtime.freeMemory())
            .set(Figure.JVM_HEAP_MAX, runtime.maxMemory())
            .set(Figure.JVM_THREADS, ManagementFactory.getThreadMXBean().getThreadCount())
            .set(Figure.MACHINE_PROCESSORS, runtime.availableProcessors())
            .set(Figure.MACHINE_MEMORY, machineBytes)
            .set(Figure.MACHINE_MEMORY_FREE, Math.min(SystemInfo.availableBytes(), machineBytes))
            .set(Figure.PROCESS_MEMORY, SystemInfo.residentBytes())
            .set(Figure.PROCESS_DISK_READ, SystemInfo.diskReadBytes())
            .set(Figure.PROCESS_DISK_WRITTEN, SystemInfo.diskWrittenBytes());
        readCollections(to);
        readSystem(to);
        readDisk(to);
    }

    private static void readCollections(NodeFigures.Builder to) {
        long collections = 0;
        long timeMs = 0;
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            collections += Math.max(bean.getCollectionCount(), 0);
            timeMs += Math.max(bean.getCollectionTime(), 0);
        }
        to.set(Figure.JVM_GC_COUNT, collections).set(Figure.JVM_GC_TIME, timeMs);
    }

    private static void readSystem(NodeFigures.Builder to) {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        if (system instanceof com.sun.management.OperatingSystemMXBean known) {
            double load = known.getCpuLoad();                   // below 0 before the second call
            to.set(Figure.PROCESS_CPU, known.getProcessCpuTime())
                .set(Figure.MACHINE_LOAD, load >= 0 ? Math.round(load * THOUSAND) : NodeFigures.ABSENT);
        }
        if (system instanceof UnixOperatingSystemMXBean unix) {
            to.set(Figure.PROCESS_FILES_OPEN, unix.getOpenFileDescriptorCount())
                .set(Figure.PROCESS_FILES_MAX, unix.getMaxFileDescriptorCount());
        }
    }

    private void readDisk(NodeFigures.Builder to) {
        try {
            FileStore disk = Files.getFileStore(folder);
            to.set(Figure.DISK_SIZE, disk.getTotalSpace()).set(Figure.DISK_FREE, disk.getUsableSpace());
        } catch (IOException _) {
            return;                                             // the disk does not answer: the figures are absent
        }
    }
}
