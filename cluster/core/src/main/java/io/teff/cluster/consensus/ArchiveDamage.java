package io.teff.cluster.consensus;

import io.teff.engine.os.FailureText;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Whether the archive of a member cannot read its own log, judged by the errors of the archive. The log is read again
 * and again, so damage gives the same error each time. Any error that occurs now and then is no damage. The archive
 * also passes on errors of another member's archive, in the same words. Thread-safe.
 */
final class ArchiveDamage {
    /** Begins of the errors. */
    private static final List<String> TEXTS = List.of("ERROR - unexpected end of recording",
        "ERROR - CRC checksum mismatch");
    /** The class of the archive that reads the archive's own recordings. */
    private static final String OWN_READ = "io.aeron.archive.ReplaySession";
    private static final int ERRORS = 10;

    private final AtomicInteger errors = new AtomicInteger();
    private volatile @Nullable String found;

    /** Takes an error of the archive. */
    void note(Throwable failure) {
        String text = FailureText.of(failure);
        if (TEXTS.stream().anyMatch(text::startsWith) && isOfOwnRead(failure) && errors.incrementAndGet() == ERRORS) {
            found = text;
        }
    }

    private static boolean isOfOwnRead(Throwable failure) {
        return Arrays.stream(failure.getStackTrace()).anyMatch(frame -> frame.getClassName().equals(OWN_READ));
    }

    /** Returns the last error if the log is damaged, or null. */
    @Nullable String found() {
        return found;
    }
}
