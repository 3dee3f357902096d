package io.teff.cluster.net.agent;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the address for each dial of a host whose name has one or more addresses, for one called node. By the agent
 * only.
 *
 * <p>Each dial looks the name up, so a changed name counts from the next dial on. The next dial goes to the address
 * with the fewest failures. Among addresses with equal failures, the address reached last comes first, then the order
 * of the resolver counts. A host with some silent addresses is reached within a round over all addresses. A round has
 * no pauses, and a silent address has a limited time in the round: {@link #stepNs}.
 *
 * <p>The memory belongs to the called node. If a name has the addresses of several nodes, each node answers at its own
 * address, and every other address refuses.
 */
final class HostAddresses {
    /** The time of the first dial of an address, in nanoseconds. The time doubles with each failure of the address. */
    static final long STEP_NS = 250_000_000;
    /** From this many failures on, the time of a dial does not grow. */
    static final int FAILURES_MAX = 4;
    private static final int GREETING_STEPS = 4;

    /** Failures of the addresses of the last look-up, since the address was reached. */
    private Map<InetAddress, Integer> failures = Map.of();
    private @Nullable InetAddress dialed;
    private @Nullable InetAddress reached;
    /** Whether the next dial goes to the same address again, as the node there has named another port. */
    private boolean isToStay;

    /** Called when a dial begins whose address may have no name. */
    void begin() {
        dialed = isToStay ? dialed : null;
    }

    /** Returns the address for the dial that has begun. */
    InetAddress choose(List<InetAddress> found) {
        final InetAddress before = dialed;
        final Map<InetAddress, Integer> known = failures;
        final Map<InetAddress, Integer> counts = HashMap.newHashMap(found.size());
        InetAddress best = found.getFirst();
        for (InetAddress address : found) {
            counts.putIfAbsent(address, known.getOrDefault(address, 0));
        }
        for (InetAddress address : found) {
            final int more = counts.getOrDefault(address, 0) - counts.getOrDefault(best, 0);
            if (more < 0 || more == 0 && address.equals(reached) && !best.equals(reached)) {
                best = address;
            }
        }
        failures = counts;
        dialed = isToStay && before != null && counts.containsKey(before) ? before : best;
        isToStay = false;
        return dialed;
    }

    /** Notes that the node at the dialed address has named another port of the same host. */
    void stay() {
        isToStay = true;
    }

    /**
     * Notes that the dial has failed.
     *
     * @return whether the host has another address with fewer failures, to be dialed at once
     */
    boolean failed() {
        final InetAddress address = dialed;
        if (address == null) {
            return false;
        }
        dialed = null;
        final int count = Math.min(failures.getOrDefault(address, 0) + 1, Integer.MAX_VALUE - 1);
        failures.put(address, count);
        return failures.values().stream().anyMatch(it -> it < count);
    }

    /** Notes that the dial has opened a link. */
    void reached() {
        if (dialed != null) {
            failures.put(dialed, 0);
            reached = dialed;
            dialed = null;
        }
    }

    /**
     * Returns the longest time of the dial in nanoseconds; {@link Long#MAX_VALUE} if the host has no other address.
     *
     * @param hasConnected whether the address has taken the link, so that a greeting is awaited
     */
    long stepNs(boolean hasConnected) {
        final InetAddress address = dialed;
        if (address == null || failures.size() < 2) {
            return Long.MAX_VALUE;
        }
        final int shift = Math.min(failures.getOrDefault(address, 0), FAILURES_MAX);
        return (STEP_NS << shift) * (hasConnected ? GREETING_STEPS : 1);
    }
}
