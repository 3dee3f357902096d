package io.teff.cluster.admin;

import io.teff.cluster.ClientConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Backups of running clusters in folders. A backup has each zone as it was at one number of the zone, and the names of
 * services. A folder gets its name when the backup is complete; nothing is ever overwritten. Thread-safe.
 * <pre>
 *  ClusterBackups backups = ClusterBackups.load();
 *  backups.take(config, Path.of("/backup/monday"), null, progress -&gt; { });
 *  backups.restore(configOfNewCluster, Path.of("/backup/monday"), false, progress -&gt; { });
 * </pre>
 */
public interface ClusterBackups {
    /**
     * How far a long operation is.
     *
     * @param step what was done last, for people
     * @param done number of finished zones or collections
     * @param all number of all of them, as far as known
     * @param chunks number of chunks until now
     * @param payloadBytes bytes of their contents
     */
    record Progress(String step, int done, int all, long chunks, long payloadBytes) {}

    /**
     * A backup, or what was made of it.
     *
     * @param cluster id of the cluster from which the backup was taken, in hexadecimal digits
     * @param backup id of the backup
     * @param base id of the backup on which the backup is based; null for a whole backup
     * @param zones number of zones
     * @param lost zones that were lost in the cluster, and are not in the backup
     * @param chunks number of chunks
     * @param payloadBytes bytes of their contents
     * @param fileBytes bytes of the files of the zones
     * @param names number of names of services
     */
    record Report(String cluster, String backup, @Nullable String base, int zones, List<Integer> lost, long chunks,
                  long payloadBytes, long fileBytes, int names) {
        /** Copies the list. */
        public Report {
            lost = List.copyOf(lost);
        }
    }

    /**
     * The contents that were moved between a cluster and a local store.
     *
     * @param chunks number of chunks outside of collections
     * @param collections number of collections
     * @param elements number of their entries and elements
     * @param moved creators of CIDs whose chunks have other CIDs now, as texts for people; empty if all CIDs were kept
     */
    record Transfer(long chunks, int collections, long elements, List<String> moved) {
        /** Copies the list. */
        public Transfer {
            moved = List.copyOf(moved);
        }
    }

    /** {@return the implementation, found by a service loader} */
    static ClusterBackups load() {
        return ServiceLoader.load(ClusterBackups.class, ClusterBackups.class.getClassLoader()).findFirst()
            .orElseThrow();
    }

    /**
     * Takes a backup of a running cluster. A backup that was stopped continues: finished zones are not read again.
     *
     * @param config addresses of the cluster, secret and TLS
     * @param folder folder of the backup, which must not exist
     * @param base folder of an earlier backup: blocks of chunks that have not changed are not stored again, and the new
     *     backup needs the earlier one; null for a whole backup
     * @param progress receives the progress of the backup
     * @return the backup
     * @throws IOException if the cluster does not answer, a zone has no owner for a minute, the base is of another
     *     cluster, or a file cannot be written; the message says which
     */
    Report take(ClientConfig config, Path folder, @Nullable Path base, Consumer<Progress> progress) throws IOException;

    /**
     * Reads the manifest of a backup.
     *
     * @param folder folder of the backup
     * @return the backup
     * @throws IOException if the manifest is missing or damaged
     */
    Report look(Path folder) throws IOException;

    /**
     * Reads a backup as a whole, with the backups on which it is based.
     *
     * @param folder folder of the backup
     * @param progress receives the progress of the check
     * @return what is damaged, in sentences with the names of files; empty if the backup is whole
     */
    List<String> verify(Path folder, Consumer<Progress> progress);

    /**
     * Fills a new cluster from a backup. The cluster keeps its own identity. It may have any number of peers. Its zones
     * and its names of services must be empty, and no client may use it meanwhile. Until the end the cluster has the
     * name {@code teff.restore}, with the backup and the zone that is being filled.
     *
     * @param config addresses of the new cluster, secret and TLS
     * @param folder folder of the backup
     * @param isAgain whether an unfinished restore of this backup continues, whose process has ended: filled zones stay
     * @param progress receives the progress of the restore
     * @return the backup
     * @throws IOException if a file is damaged, the cluster is not empty or does not answer; the message says which
     */
    Report restore(ClientConfig config, Path folder, boolean isAgain, Consumer<Progress> progress) throws IOException;

    /**
     * Copies a local store into a cluster: collections by their names, and all other chunks.
     *
     * @param config addresses of the cluster, secret and TLS
     * @param store folder of a durable store, which must not be open, or file of a snapshot
     * @param progress receives the progress of the import
     * @return what was copied
     * @throws IOException if the store cannot be read, a collection of a name exists, or the cluster does not answer
     */
    Transfer importStore(ClientConfig config, Path store, Consumer<Progress> progress) throws IOException;

    /**
     * Makes a durable store of a backup: collections by their names, and all other chunks with their CIDs.
     *
     * @param backup folder of a backup
     * @param store folder of the store, which must not exist
     * @param progress receives the progress of the export
     * @return what was copied
     * @throws IOException if a file is damaged, or the store cannot be written
     */
    Transfer exportStore(Path backup, Path store, Consumer<Progress> progress) throws IOException;
}
