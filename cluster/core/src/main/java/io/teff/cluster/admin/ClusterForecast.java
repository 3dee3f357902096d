package io.teff.cluster.admin;

import java.util.ServiceLoader;

/**
 * A forecast for a cluster of a size: the cost of the death of one peer, and the probability of losses. Immutable.
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
 * @param groupsRandom number of different groups if backups were chosen at random
 * @param lossRandom probability of the same loss if backups were chosen at random
 * @param lossByRack probability that a zone is lost if all peers of one rack are lost at once, with their disks; 0
 *     without racks
 */
public record ClusterForecast(Sizes sizes, int zones, long zoneLogBytes, int restorers, int restoredMost,
                              double recoveryS, long copiedBytes, double copyingS, long memoryBytes, long diskBytes,
                              int groups, double lossPerYear, double lossByOutage, int groupsRandom, double lossRandom,
                              double lossByRack) {
    private static final int CHUNK_BYTES = 64;
    private static final double RESTORED_PER_S = 4.4e6;
    private static final double DETECTION_S = 0.05;
    private static final double MTBF_HOURS = 8_766;
    private static final double OUTAGE_PART = 0.01;
    private static final int SCATTER_WIDTH = 20;

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
     * @param scatterWidth with how many peers a peer shares zones, about; 0 for all peers
     * @param racks number of racks, with equal numbers of peers; 0 for a rack of its own for each peer
     */
    public record Sizes(int peers, int backups, double diskBytesPerS, double netBytesPerS, long chunks, int chunkBytes,
                        double restoredPerS, double detectionS, double mtbfHours, double outagePart, int scatterWidth,
                        int racks) {
        private static final int PEERS_MAX = 32_000;
        private static final int WIDTH_MAX = 10_000;

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
            check(scatterWidth >= 0 && scatterWidth <= WIDTH_MAX, "scatterWidth", scatterWidth);
            check(racks >= 0 && racks <= peers, "racks", racks);
        }

        private static void check(boolean holds, String name, double value) {
            if (!holds) {
                throw new IllegalArgumentException(name + "=" + value);
            }
        }

        /**
         * Makes sizes with defaults: chunks of 64 bytes, 4.4 million restored chunks a second, a reported death, one
         * death of each peer a year, outages of a hundredth, the scatter width of a new cluster, and no racks.
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
                DETECTION_S, MTBF_HOURS, OUTAGE_PART, SCATTER_WIDTH, 0);
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
                outagePart, scatterWidth, racks);
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
                mtbf, outage, scatterWidth, racks);
        }

        /**
         * Replaces where copies may be.
         *
         * @param width with how many peers a peer shares zones, about; 0 for all peers
         * @param count number of racks; 0 for a rack of its own for each peer
         * @return sizes with other places
         */
        public Sizes withPlaces(int width, int count) {
            return new Sizes(peers, backups, diskBytesPerS, netBytesPerS, chunks, chunkBytes, restoredPerS, detectionS,
                mtbfHours, outagePart, width, count);
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
