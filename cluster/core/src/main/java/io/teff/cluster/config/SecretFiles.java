package io.teff.cluster.config;

import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A secret that can be replaced while its users run, in three steps. FILE has the secret that is used. FILE.next and
 * FILE.before, if they exist, have secrets that are accepted as well.
 * <pre>
 *  step  FILE  FILE.next  FILE.before
 *   0    old                           nothing is being replaced
 *   1    old   new                     the new secret is accepted
 *   2    new              old          the new secret is used, the old secret is accepted
 *   0    new                           the old secret has ended
 * </pre>
 * Users in one step and users in the step before or behind accept each other. The files are looked at once in
 * {@link #LOOK_NS} at most; a file that cannot be read changes nothing. Thread-safe.
 */
public final class SecretFiles {
    /** Shortest time between two looks at the files. */
    public static final long LOOK_NS = TlsSource.LOOK_NS;
    private static final String NEXT = ".next";
    private static final String BEFORE = ".before";

    private final @Nullable Path file;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile State state;
    private volatile long lookedNs;
    private volatile @Nullable String fault;

    /** The contents of the files; the first secret is the used secret. */
    private record State(List<Secret> secrets, int step) {}

    private SecretFiles(@Nullable Path file, State state, Clock clock) {
        this.file = file;
        this.state = state;
        this.clock = clock;
        lookedNs = clock.nowNs();
    }

    /**
     * Returns a secret that never changes.
     *
     * @param secret the secret, or none
     * @return the secret without files
     */
    public static SecretFiles of(Secret secret) {
        return new SecretFiles(null, new State(List.of(secret), 0), () -> 0);
    }

    /**
     * Reads the files, with the clock of the system.
     *
     * @param file with the secret
     * @return the secret
     * @throws IOException as {@link Secret#read}
     */
    public static SecretFiles read(Path file) throws IOException {
        return read(file, Clock.SYSTEM);
    }

    /** {@return the clock that measures the time between looks} */
    public Clock clock() {
        return clock;
    }

    /**
     * Reads the files.
     *
     * @param file with the secret
     * @param clock measures the time between looks
     * @return the secret
     * @throws IOException as {@link Secret#read}
     */
    public static SecretFiles read(Path file, Clock clock) throws IOException {
        return new SecretFiles(file, state(file), clock);
    }

    /**
     * {@return the file of the next secret}
     *
     * @param file file of the used secret
     */
    public static Path next(Path file) {
        return file.resolveSibling(file.getFileName() + NEXT);
    }

    /**
     * {@return the file of the earlier secret}
     *
     * @param file file of the used secret
     */
    public static Path before(Path file) {
        return file.resolveSibling(file.getFileName() + BEFORE);
    }

    private static State state(Path file) throws IOException {
        final List<Secret> secrets = new ArrayList<>();
        secrets.add(Secret.read(file));
        int step = 0;
        if (Files.exists(next(file))) {
            secrets.add(Secret.read(next(file)));
            step = 1;
        }
        if (Files.exists(before(file))) {
            secrets.add(Secret.read(before(file)));
            step = 2;
        }
        return new State(List.copyOf(secrets), step);
    }

    private State look() {
        final Path its = file;
        if (its != null && clock.nowNs() - lookedNs >= LOOK_NS && lock.tryLock()) {
            try {
                lookedNs = clock.nowNs();
                state = state(its);
                fault = null;
            } catch (IOException e) {
                fault = "the present secret stays in use, because its files cannot be read: " + FailureText.of(e);
            } finally {
                lock.unlock();
            }
        }
        return state;
    }

    /** {@return the secret to be used} */
    public Secret used() {
        return look().secrets.getFirst();
    }

    /** {@return all accepted secrets, the used secret first} */
    public List<Secret> accepted() {
        return look().secrets;
    }

    /** {@return the step of a replacement: 0 if nothing is being replaced, 1, or 2} */
    public int step() {
        return look().step;
    }

    /** {@return why the files are not used as they are; null if they are used} */
    public @Nullable String fault() {
        return fault;
    }
}
