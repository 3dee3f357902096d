package io.teff.recovery.log.read;

import io.teff.recovery.format.SegmentReport;
import io.teff.recovery.log.file.FileDamage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of reading the file of a segment that counts.
 *
 * @param fileBytes size of the file
 * @param sealed whether the manifest states that the segment is sealed
 * @param report of the reader, or null if there is no file
 * @param damage parts that should be present and cannot be read
 */
public record SegmentResult(long fileBytes, boolean sealed, @Nullable SegmentReport report, List<FileDamage> damage) {
    /** {@return whether the end of a sealed segment was found} */
    public boolean hasEnd() {
        return report != null && report.sealed();
    }

    /**
     * {@return the offset behind which no checksum is correct, if the segment was never synced; else the file's size}
     */
    public long tailOffset() {
        return report == null || sealed || report.torn().isEmpty() ? fileBytes
            : Math.min(fileBytes, report.provenEnd());
    }
}
