package io.teff.recovery.format;

import io.teff.engine.Cid;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Names a segment.
 *
 * @param owner NID of the store of the segment's chunks, 0 to {@link Cid#NID_MAX}
 * @param zone of the owner, unsigned
 * @param number of the segment, unique in the log
 */
public record SegmentId(int owner, int zone, long number) {
    private static final int OWNER_DIGITS = 4;
    private static final int ZONE_AT = OWNER_DIGITS + 1;
    private static final int ZONE_DIGITS = 8;
    private static final int NUMBER_AT = ZONE_AT + ZONE_DIGITS + 1;
    private static final int NUMBER_DIGITS = 16;

    /** Rejects values that no file can name. */
    public SegmentId {
        if (!ZoneId.isOwner(owner)) {
            throw new IllegalArgumentException("owner=" + owner + " is not in 0 to " + Cid.NID_MAX);
        }
    }

    /** {@return its zone} */
    public ZoneId zoneId() {
        return new ZoneId(owner, zone);
    }

    /** {@return the name of its file} */
    public String fileName() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(owner, OWNER_DIGITS) + '-' + hex.toHexDigits(zone) + '-' + hex.toHexDigits(number);
    }

    /**
     * Returns the segment of a file name.
     *
     * @param name of a file
     * @return the segment, or null if the name is not that of a segment
     */
    public static @Nullable SegmentId ofFileName(String name) {
        try {
            if (name.length() != NUMBER_AT + NUMBER_DIGITS) {
                return null;
            }
            SegmentId id = new SegmentId(HexFormat.fromHexDigits(name, 0, OWNER_DIGITS),
                HexFormat.fromHexDigits(name, ZONE_AT, ZONE_AT + ZONE_DIGITS),
                HexFormat.fromHexDigitsToLong(name, NUMBER_AT, name.length()));
            return id.fileName().equals(name) ? id : null;
        } catch (IllegalArgumentException _) {
            return null;                                        // no digits, or no owner: not a file of the log
        }
    }
}
