package io.teff.cluster.config;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A certificate and the end of its time.
 *
 * @param name subject of the certificate, as in {@code CN=node}
 * @param file file of the certificate
 * @param end last moment of the certificate
 */
public record CertificateEnd(String name, Path file, Instant end) {
    /** The times before the end at which the end is announced, in days. */
    private static final int[] ANNOUNCED_DAYS = {30, 7, 1, 0};

    /**
     * {@return how many announcements of the end are due: 0 for more than 30 days before the end, 1 for 30 days or
     * less, 2 for 7 days, 3 for a day, 4 after the end}
     *
     * @param now the time
     */
    public int announcements(Instant now) {
        int due = 0;
        while (due < ANNOUNCED_DAYS.length && !now.plus(Duration.ofDays(ANNOUNCED_DAYS[due])).isBefore(end)) {
            due++;
        }
        return due;
    }

    /**
     * {@return the end in a sentence; null for more than 30 days before the end}
     *
     * @param now the time
     */
    public @Nullable String text(Instant now) {
        if (announcements(now) == 0) {
            return null;
        }
        Duration left = Duration.between(now, end);
        String certificate = "the certificate of " + name + " in " + file;
        return left.isZero() || left.isNegative() ? certificate + " has expired: it was valid until " + end
            : certificate + " is valid until " + end + ", for " + (left.toDays() > 1 ? left.toDays() + " more days"
                : left.toHours() + " more hours") + ": put a new one in its place";
    }
}
