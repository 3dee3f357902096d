package io.teff.cluster.control;

import io.teff.cluster.admin.NodeStatus.PeerFigures;
import io.teff.cluster.admin.NodeStatus.ZoneUse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;

/**
 * Finds whether zones fit into the free memory of peers. Each zone, the largest first, goes to the peer with the most
 * free memory, so a zone finds no room only if no peer has room for the zone. Pure functions.
 */
final class ZoneRoom {
    private static final double MEBIBYTE = 1 << 20;

    private ZoneRoom() {}

    /**
     * Returns how much memory is missing for the zones of a peer; 0 if all zones fit.
     *
     * @param peer figures of the peer, with zones
     * @param freeBytes free memory of each other peer
     */
    static long missingBytes(PeerFigures peer, Collection<Long> freeBytes) {
        final long payload = peer.chunkBytes();
        final double perByte = payload == 0 ? 1 : Math.max(1, (double) peer.room().usedBytes() / payload);
        final List<Long> sizes = new ArrayList<>();
        for (ZoneUse zone : peer.zones()) {
            sizes.add((long) Math.ceil(zone.bytes() * perByte));
        }
        return missingBytes(sizes, freeBytes);
    }

    /** Returns how much memory is missing for zones of some sizes. */
    static long missingBytes(Collection<Long> sizes, Collection<Long> freeBytes) {
        final PriorityQueue<Long> free = new PriorityQueue<>(Comparator.reverseOrder());
        free.addAll(freeBytes);
        long missing = 0;
        for (long size : sizes.stream().sorted(Comparator.reverseOrder()).toList()) {
            final Long most = free.poll();
            if (most == null || most < size) {
                missing += size - (most == null ? 0 : most);
                free.add(0L);
            } else {
                free.add(most - size);
            }
        }
        return missing;
    }

    /** Returns a number of bytes for people. */
    static String text(long bytes) {
        return String.format(Locale.ROOT, "%.1f MiB", bytes / MEBIBYTE);
    }
}
