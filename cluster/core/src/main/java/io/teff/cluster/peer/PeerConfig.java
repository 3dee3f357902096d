package io.teff.cluster.peer;

import io.teff.cluster.cell.CellTls;
import io.teff.cluster.cell.KnownSuperpeers;
import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.meta.MachineState.Settings;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.ship.ShipRing;
import io.teff.engine.os.Platform;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Configuration of a peer. Immutable.
 *
 * @param folder data folder of this node alone; created if missing
 * @param listen address to listen at, such as {@code tcp:127.0.0.1:7410}
 * @param address where other nodes find this node; differs from {@code listen} if {@code listen} names all interfaces
 * @param superpeers what is known of the superpeers before the peer joins
 * @param secret the cluster's secret; if empty, other machines must not reach this node
 * @param tls TLS of the networks of the peer, or none
 * @param terms the terms of leases, the same for all nodes of a cluster
 * @param memoryLimitBytes largest memory of the chunks
 * @param ringBytes bytes of the ring through which changes leave, a power of two from 8 MiB to 1 GiB: a change of a
 *     chunk of 1 MiB must have room
 * @param logBytes bytes of the write buffer of the log of backups, a power of two from 16 MiB to 1 GiB: a run with such
 *     a change must have room
 * @param zonesMin smallest number of zones open for new chunks, from 1
 * @param backups wanted number of backups of new zones: the peer asks for zones when so many other peers live
 * @param settleNs how long the set of peers must be unchanged before the peer asks for zones, or for new backups
 * @param handlerThreads threads that execute operations, from 1
 * @param restoreThreads threads that restore zones, from 1
 * @param platform clock, threads, chance and disk
 * @param log receives the events of the node
 * @param cluster name of the cluster; empty if the peer joins any cluster
 * @param copyRate most bytes recorded for new backups in a second, as long as no change waits for a backup
 * @param jars hashes of the uploaded jars that the peer may load
 * @param rack name of the rack of the peer; empty for a rack of its own
 */
public record PeerConfig(Path folder, String listen, String address, KnownSuperpeers superpeers, byte[] secret,
                         CellTls tls, LeaseTerms terms, long memoryLimitBytes, int ringBytes, int logBytes,
                         int zonesMin, int backups, long settleNs, int handlerThreads, int restoreThreads,
                         Platform platform, NodeLog log, String cluster, long copyRate,
                         Set<String> jars, String rack) {
    /** The smallest ring. */
    public static final int RING_BYTES_MIN = ShipRing.CAPACITY_MIN;
    /** The smallest write buffer of a log that takes every run. */
    public static final int LOG_BYTES_MIN = 16 << 20;

    /** The highest rate of copies. */
    private static final long COPY_RATE_MAX = 1L << 44;

    private static final long MEMORY_BYTES = 1L << 30;
    private static final int RING_BYTES = 32 << 20;
    private static final int RING_BYTES_MAX = 1 << 30;
    private static final int ZONES = 8;
    private static final int BACKUPS = 2;
    private static final long SETTLE_NS = 1_000_000_000L;
    private static final int THREADS = 2;
    private static final long ZONE_BYTES_MAX = 256 << 20;
    /** A zone takes at most this part of the memory. */
    private static final int ZONES_PER_LIMIT = 32;

    /** Copies the secret, and checks the ranges. */
    public PeerConfig {
        secret = secret.clone();
        jars = Set.copyOf(jars);
        final int count = superpeers.set().counting().size();
        check(count > 0 && count <= Settings.SUPERPEERS_MAX, "superpeers", count);
        checkRing("ringBytes", ringBytes, RING_BYTES_MIN);
        checkRing("logBytes", logBytes, LOG_BYTES_MIN);
        check(memoryLimitBytes > 0, "memoryLimitBytes", memoryLimitBytes);
        check(zonesMin > 0, "zonesMin", zonesMin);
        check(backups > 0, "backups", backups);
        check(settleNs >= 0, "settleNs", settleNs);
        check(handlerThreads > 0, "handlerThreads", handlerThreads);
        check(restoreThreads > 0, "restoreThreads", restoreThreads);
        check(copyRate > 0, "copyRate", copyRate);
    }

    private static void checkRing(String name, int bytes, int min) {
        if (bytes < min || bytes > RING_BYTES_MAX || Integer.bitCount(bytes) != 1) {
            throw new IllegalArgumentException(name + '=' + bytes + " is no power of two from " + min + " to "
                + RING_BYTES_MAX + "; chunks of 1 MiB need at least " + min);
        }
    }

    private static void check(boolean holds, String name, long value) {
        if (!holds) {
            throw new IllegalArgumentException(name + "=" + value);
        }
    }

    /**
     * Makes a configuration with defaults: 1 GiB of chunks, rings of 32 MiB, at least 8 open zones, 2 backups.
     *
     * @param folder data folder
     * @param listen address to listen at, and where other nodes find this node
     * @param superpeers addresses of all superpeers
     * @return the configuration
     */
    public static PeerConfig of(Path folder, String listen, List<String> superpeers) {
        return new PeerConfig(folder, listen, listen, KnownSuperpeers.of(superpeers), new byte[0], CellTls.NONE,
            LeaseTerms.DEFAULT, MEMORY_BYTES, RING_BYTES, RING_BYTES, ZONES, BACKUPS, SETTLE_NS, THREADS, THREADS,
            Platform.SYSTEM, NodeLog.NONE, "", COPY_RATE_MAX, Set.of(), "");
    }

    /** Returns the size in bytes at which a zone is full. */
    long zoneBytesMax() {
        return Math.min(ZONE_BYTES_MAX, memoryLimitBytes / ZONES_PER_LIMIT);
    }

    /** {@return the cluster's secret, a copy} */
    @Override
    public byte[] secret() {
        return secret.clone();
    }

    /** {@return this configuration with another address for other nodes} */
    public PeerConfig withAddress(String value) {
        return new PeerConfig(folder, listen, value, superpeers, secret, tls, terms, memoryLimitBytes, ringBytes,
            logBytes, zonesMin, backups, settleNs, handlerThreads, restoreThreads, platform, log, cluster,
            copyRate, jars, rack);
    }

    /** {@return this configuration with other superpeers} */
    public PeerConfig withSuperpeers(KnownSuperpeers value) {
        return new PeerConfig(folder, listen, address, value, secret, tls, terms, memoryLimitBytes, ringBytes, logBytes,
            zonesMin, backups, settleNs, handlerThreads, restoreThreads, platform, log, cluster,
            copyRate, jars, rack);
    }

    /** {@return this configuration on another platform} */
    public PeerConfig withPlatform(Platform value) {
        return new PeerConfig(folder, listen, address, superpeers, secret, tls, terms, memoryLimitBytes, ringBytes,
            logBytes, zonesMin, backups, settleNs, handlerThreads, restoreThreads, value, log, cluster,
            copyRate, jars, rack);
    }

    /** {@return this configuration with another secret} */
    public PeerConfig withSecret(byte[] value) {
        return new PeerConfig(folder, listen, address, superpeers, value, tls, terms, memoryLimitBytes, ringBytes,
            logBytes, zonesMin, backups, settleNs, handlerThreads, restoreThreads, platform, log, cluster,
            copyRate, jars, rack);
    }

    /**
     * Encrypts all connections.
     *
     * @param value TLS of the networks of the peer, or none
     * @return this configuration with TLS
     */
    public PeerConfig withTls(CellTls value) {
        return new PeerConfig(folder, listen, address, superpeers, secret, value, terms, memoryLimitBytes, ringBytes,
            logBytes, zonesMin, backups, settleNs, handlerThreads, restoreThreads, platform, log, cluster,
            copyRate, jars, rack);
    }

    /** {@return this configuration with another log of the node's events} */
    public PeerConfig withLog(NodeLog value) {
        return new PeerConfig(folder, listen, address, superpeers, secret, tls, terms, memoryLimitBytes, ringBytes,
            logBytes, zonesMin, backups, settleNs, handlerThreads, restoreThreads, platform, value, cluster,
            copyRate, jars, rack);
    }

    /** {@return this configuration with other terms of leases} */
    public PeerConfig withTerms(LeaseTerms value) {
        return new PeerConfig(folder, listen, address, superpeers, secret, tls, value, memoryLimitBytes, ringBytes,
            logBytes, zonesMin, backups, settleNs, handlerThreads, restoreThreads, platform, log, cluster,
            copyRate, jars, rack);
    }

    /**
     * Replaces the sizes.
     *
     * @param memory largest memory of the chunks in bytes
     * @param ring bytes of the ring through which changes leave
     * @param buffer bytes of the write buffer of the log of backups
     * @return this configuration with other sizes
     */
    public PeerConfig withBytes(long memory, int ring, int buffer) {
        return new PeerConfig(folder, listen, address, superpeers, secret, tls, terms, memory, ring, buffer, zonesMin,
            backups, settleNs, handlerThreads, restoreThreads, platform, log, cluster,
            copyRate, jars, rack);
    }

    /**
     * Replaces the values for new zones.
     *
     * @param min smallest number of open zones
     * @param copies wanted number of backups of new zones
     * @param settle how long the set of peers must be unchanged, in nanoseconds
     * @return this configuration with other zones
     */
    public PeerConfig withZones(int min, int copies, long settle) {
        return new PeerConfig(folder, listen, address, superpeers, secret, tls, terms, memoryLimitBytes, ringBytes,
            logBytes, min, copies, settle, handlerThreads, restoreThreads, platform, log, cluster,
            copyRate, jars, rack);
    }

    /**
     * Replaces the numbers of threads.
     *
     * @param handlers threads that execute operations
     * @param restores threads that restore zones
     * @return this configuration with other numbers of threads
     */
    public PeerConfig withThreads(int handlers, int restores) {
        return new PeerConfig(folder, listen, address, superpeers, secret, tls, terms, memoryLimitBytes, ringBytes,
            logBytes, zonesMin, backups, settleNs, handlers, restores, platform, log, cluster,
            copyRate, jars, rack);
    }

    /**
     * Returns this configuration of a peer of a named cluster.
     *
     * @param name of the cluster; empty for any cluster
     * @return this configuration with the name
     */
    public PeerConfig withCluster(String name) {
        return new PeerConfig(folder, listen, address, superpeers, secret, tls, terms, memoryLimitBytes, ringBytes,
            logBytes, zonesMin, backups, settleNs, handlerThreads, restoreThreads, platform, log, name,
            copyRate, jars, rack);
    }

    /**
     * Returns this configuration with another rate of copies.
     *
     * @param bytes most bytes recorded for new backups in a second
     * @return this configuration with the rate
     */
    public PeerConfig withCopyRate(long bytes) {
        return new PeerConfig(folder, listen, address, superpeers, secret, tls, terms, memoryLimitBytes, ringBytes,
            logBytes, zonesMin, backups, settleNs, handlerThreads, restoreThreads, platform, log, cluster, bytes,
            jars, rack);
    }

    /**
     * Returns this configuration of a peer that may load uploaded jars.
     *
     * @param hashes of the jars
     * @return this configuration with jars
     */
    public PeerConfig withJars(Set<String> hashes) {
        return new PeerConfig(folder, listen, address, superpeers, secret, tls, terms, memoryLimitBytes, ringBytes,
            logBytes, zonesMin, backups, settleNs, handlerThreads, restoreThreads, platform, log, cluster,
            copyRate, hashes, rack);
    }

    /**
     * Returns this configuration of a peer in a rack.
     *
     * @param name of the rack; empty for a rack of its own
     * @return this configuration with the rack
     */
    public PeerConfig withRack(String name) {
        return new PeerConfig(folder, listen, address, superpeers, secret, tls, terms, memoryLimitBytes, ringBytes,
            logBytes, zonesMin, backups, settleNs, handlerThreads, restoreThreads, platform, log, cluster,
            copyRate, jars, name);
    }

    /** Begins the configuration of one of the peer's networks. The first network of a folder learns the cluster. */
    NetworkConfig.Builder network(int nid, NodeFolder of) {
        final ClusterId known = of.cluster();
        final NetworkConfig.Builder builder = NetworkConfig.builder(nid).secret(secret)
            .cluster(known.isKnown() ? known : ClusterId.expected(cluster)).adoptsCluster(true);
        return tls.on(builder);
    }

    /** {@return the values for people, without the secret} */
    @Override
    public String toString() {
        return "PeerConfig[" + folder + ", " + listen + ", superpeers " + superpeers.set() + ']';
    }
}
