package io.teff.recovery.log.read;

import io.teff.recovery.format.SegmentReport;
import io.teff.recovery.log.file.FileDamage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found in the file of a segment that counts.
 *
 * @param fileBytes size of the file
 * @param sealed whether the manifest says that it was sealed
 * @param report what the reader says of it, or null if there is no file
 * @param damage what should be there and cannot be read
 */
public record SegmentResult(long fileBytes, boolean sealed, @Nullable SegmentReport report, List<FileDamage> damage) {
    /** {@return the offset behind which nothing has a right checksum, if it was never synced; else the file's size} */
    public long tailOffset() {
        return report == null || sealed || report.torn().isEmpty() ? fileBytes
            : Math.min(fileBytes, report.provenEnd());
    }
}
