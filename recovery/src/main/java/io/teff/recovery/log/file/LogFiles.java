package io.teff.recovery.log.file;

import io.teff.engine.os.Disk;
import io.teff.recovery.format.ManifestRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * The files of an open log, and the objects shared by all zones for writing files.
 *
 * @param disk where the files are
 * @param folder of the log
 * @param log identity of the log: its id, salt and segment size
 * @param manifest lists zones and segments
 * @param failure remembers the first failure; after it nothing is written
 * @param buffers pool of write buffers
 * @param segmentNumbers issues numbers for new segments
 * @param sink receives a record for each segment when its head is synced (created), and when its end is synced (sealed)
 * @param leftovers deletes files that are no longer needed
 */
public record LogFiles(Disk disk, Path folder, ManifestRecord.Log log, ManifestFile manifest, LogFailure failure,
                       BlockPool buffers, LongSupplier segmentNumbers, RecordSink sink, Leftovers leftovers) {
    /** Receives records of the manifest. */
    @FunctionalInterface
    public interface RecordSink {
        /**
         * Appends a record.
         *
         * @param record to append
         * @throws IOException if the disk fails
         */
        void append(ManifestRecord record) throws IOException;
    }

    /** Files whose manifest is the sink. */
    public LogFiles(Disk disk, Path folder, ManifestRecord.Log log, ManifestFile manifest, LogFailure failure,
                    BlockPool buffers, LongSupplier segmentNumbers) {
        this(disk, folder, log, manifest, failure, buffers, segmentNumbers, manifest::append, new Leftovers(disk));
    }

    /** {@return the same files with another sink} */
    public LogFiles withSink(RecordSink newSink) {
        return new LogFiles(disk, folder, log, manifest, failure, buffers, segmentNumbers, newSink, leftovers);
    }
}
