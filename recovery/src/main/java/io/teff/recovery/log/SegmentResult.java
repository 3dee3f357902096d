package io.teff.recovery.log;

import io.teff.recovery.format.SegmentReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found in the file of a segment that counts.
 *
 * @param fileBytes size of the file
 * @param report what the reader says of it, or null if there is no file
 * @param damage what should be there and cannot be read
 */
public record SegmentResult(long fileBytes, @Nullable SegmentReport report, List<FileDamage> damage) {}
