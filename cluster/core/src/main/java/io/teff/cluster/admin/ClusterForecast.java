package io.teff.cluster.admin;

import java.util.ServiceLoader;

/**
 * What the death of one peer would mean for a cluster of a size, and how probable losses are. Immutable.
 *
 * @param sizes the cluster
 * @param zones number of zones of the cluster
 * @param zoneLogBytes bytes of a zone in the log of a backup
 * @param restorers number of peers that restore zones of the dead peer
 * @param restoredMost most zones that one of these peers restores
 * @param recoveryS seconds from the death until all chunks can be read
 * @param copiedBytes bytes sent for new backups
 * @param copyingS seconds from the first of these bytes until each zone has its backups again, as far as the peers can
 * @param memoryBytes memory of the chunks of a peer, and of the tables
 * @param diskBytes bytes of backups on the disk of a peer, without garbage
 * @param groups number of different groups of peers that hold all copies of a zone
 * @param lossPerYear probability that a zone is lost within a year by deaths of peers with their disks
 * @param lossByOutage probability that a zone is lost if the part {@link Sizes#outagePart} of all peers is lost at
 *     once, with their disks
 */
public record ClusterForecast(Sizes sizes, int zones, long zoneLogBytes, int restorers, int restoredMost,
                              double recoveryS, long copiedBytes, double copyingS, long memoryBytes, long diskBytes,
                              int groups, double lossPerYear, double lossByOutage) {
    private static final int CHUNK_BYTES = 64;
    private static final double RESTORED_PER_S = 4.4e6;
    private static final double DETECTION_S = 0.05;
    private static final double MTBF_HOURS = 8_766;
    private static final double OUTAGE_PART = 0.01;

    /**
     * The size of a cluster.
     *
     * @param peers number of peers, from 2 to 32,000
     * @param backups backups of each zone, from 1
     * @param diskBytesPerS bytes that the disk of a peer reads or writes in a second
     * @param netBytesPerS bytes that a peer sends, and receives at the same time, in a second
     * @param chunks chunks of each peer
     * @param chunkBytes bytes of a chunk
     * @param restoredPerS chunks that a peer restores from memory in a second
     * @param detectionS seconds from the death until the superpeers know: some ten milliseconds for a reported death,
     *     else the term of leases
     * @param mtbfHours mean hours between two deaths of one peer with its disk
     * @param outagePart part of the peers that an outage takes at once
     */
    public record Sizes(int peers, int backups, double diskBytesPerS, double netBytesPerS, long chunks, int chunkBytes,
                        double restoredPerS, double detectionS, double mtbfHours, double outagePart) {
        private static final int PEERS_MAX = 32_000;

        /** Checks the ranges. */
        public Sizes {
            check(peers > backups && peers <= PEERS_MAX, "peers", peers);
            check(backups > 0, "backups", backups);
            check(diskBytesPerS > 0, "diskBytesPerS", diskBytesPerS);
            check(netBytesPerS > 0, "netBytesPerS", netBytesPerS);
            check(chunks > 0, "chunks", chunks);
            check(chunkBytes > 0, "chunkBytes", chunkBytes);
            check(restoredPerS > 0, "restoredPerS", restoredPerS);
            check(mtbfHours > 0, "mtbfHours", mtbfHours);
            check(outagePart >= 0 && outagePart <= 1, "outagePart", outagePart);
        }

        private static void check(boolean holds, String name, double value) {
            if (!holds) {
                throw new IllegalArgumentException(name + "=" + value);
            }
        }

        /**
         * Makes sizes with defaults: chunks of 64 bytes, 4.4 million restored chunks a second, a reported death, one
         * death of each peer a year, and outages of a hundredth.
         *
         * @param peers number of peers
         * @param backups backups of each zone
         * @param diskBytesPerS bytes of a disk in a second
         * @param netBytesPerS bytes of a network card in a second
         * @param chunks chunks of each peer
         * @return the sizes
         */
        public static Sizes of(int peers, int backups, double diskBytesPerS, double netBytesPerS, long chunks) {
            return new Sizes(peers, backups, diskBytesPerS, netBytesPerS, chunks, CHUNK_BYTES, RESTORED_PER_S,
                DETECTION_S, MTBF_HOURS, OUTAGE_PART);
        }

        /**
         * Replaces what a chunk costs.
         *
         * @param bytes bytes of a chunk
         * @param perS chunks that a peer restores in a second
         * @return sizes with other chunks
         */
        public Sizes withChunks(int bytes, double perS) {
            return new Sizes(peers, backups, diskBytesPerS, netBytesPerS, chunks, bytes, perS, detectionS, mtbfHours,
                outagePart);
        }

        /**
         * Replaces what is known of deaths.
         *
         * @param detection seconds until a death is known
         * @param mtbf mean hours between two deaths of a peer
         * @param outage part of the peers that an outage takes
         * @return sizes with other deaths
         */
        public Sizes withDeaths(double detection, double mtbf, double outage) {
            return new Sizes(peers, backups, diskBytesPerS, netBytesPerS, chunks, chunkBytes, restoredPerS, detection,
                mtbf, outage);
        }
    }

    /**
     * Plays the death of a peer with the placement of the product.
     *
     * @param sizes the cluster
     * @return what the death means
     */
    public static ClusterForecast of(Sizes sizes) {
        return ServiceLoader.load(Simulation.class, Simulation.class.getClassLoader()).findFirst().orElseThrow()
            .play(sizes);
    }

    /** Plays deaths of peers; a service loader finds the implementation. Applications call {@link #of}. */
    public interface Simulation {
        /**
         * Implements {@link ClusterForecast#of}.
         *
         * @param sizes the cluster
         * @return the forecast
         */
        ClusterForecast play(Sizes sizes);
    }
}
