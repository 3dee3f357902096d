package io.teff.cluster.control;

import io.teff.cluster.archive.BackupId;
import io.teff.cluster.archive.RestoreClaim;
import io.teff.cluster.service.ClusterNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The name {@link #NAME} in the services of a cluster that is being restored. The value has the backup, and the zone
 * that is being filled. The name is put before the first zone is filled, and removed when the cluster has everything.
 * So a cluster in use has no such name, and its zones are never replaced. Each change names the version of the change
 * before: of two processes the earlier one stops. For one thread.
 */
public final class RestoreMark implements RestoreClaim {
    /** The name. */
    public static final String NAME = "teff.restore";
    private static final String FORM = "1";
    private static final int WORDS = 3;

    private final ClusterNames names;
    private final String backup;
    private final int begun;
    private long version;

    private RestoreMark(ClusterNames names, String backup, int begun, long version) {
        this.names = names;
        this.backup = backup;
        this.begun = begun;
        this.version = version;
    }

    /**
     * Continues a restore that was stopped.
     *
     * @param names the names of the cluster
     * @param backup the backup that is restored
     * @param isAgain whether the caller knows that the other process has ended
     * @return the claim; null if the cluster has no unfinished restore
     * @throws IOException if the restore may be under way, or is of another backup
     */
    public static @Nullable RestoreMark find(ClusterNames names, BackupId backup, boolean isAgain)
        throws IOException {
        final ClusterNames.Entry known = names.get(NAME).orElse(null);
        if (known == null) {
            return null;
        }
        final String[] words = new String(known.value(), StandardCharsets.UTF_8).split(" ", -1);
        if (words.length != WORDS || !words[0].equals(FORM)) {
            throw new IOException("the cluster has an unfinished restore by another version of this program: continue "
                + "with that version, or restore into another new cluster");
        }
        if (!words[1].equals(backup.hex())) {
            throw new IOException("the cluster has a part of backup " + words[1] + ", and this is backup "
                + backup.hex() + ": restore into another new cluster");
        }
        if (!isAgain) {
            throw new IOException("a restore of this backup into the cluster was stopped, or is under way: if its "
                + "process has ended, continue with --again");
        }
        final int begun = Integer.parseInt(words[2]);
        final RestoreMark mark = new RestoreMark(names, backup.hex(), begun, known.version());
        mark.begin(begun);
        return mark;
    }

    /**
     * Begins a restore.
     *
     * @param names the names of the cluster
     * @param backup the backup that is restored
     * @return the claim
     * @throws IOException if another process has begun a restore
     */
    public static RestoreMark begin(ClusterNames names, BackupId backup) throws IOException {
        final RestoreMark mark = new RestoreMark(names, backup.hex(), NONE, ClusterNames.ABSENT);
        mark.begin(NONE);
        return mark;
    }

    @Override
    public int begun() {
        return begun;
    }

    @Override
    public void begin(int zone) throws IOException {
        final String text = FORM + ' ' + backup + ' ' + zone;
        final long next = names.putIf(NAME, text.getBytes(StandardCharsets.UTF_8), version);
        if (next < 0) {
            throw taken();
        }
        version = next;
    }

    /**
     * Ends the restore: the cluster has everything.
     *
     * @throws IOException if another process has continued the restore
     */
    public void end() throws IOException {
        if (!names.removeIf(NAME, version)) {
            throw taken();
        }
    }

    private static IOException taken() {
        return new IOException("another process has continued this restore");
    }
}
