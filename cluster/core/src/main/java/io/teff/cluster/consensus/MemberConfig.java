package io.teff.cluster.consensus;

import io.teff.cluster.config.Secret;
import io.teff.cluster.meta.MachineState.Settings;
import java.nio.file.Path;
import java.util.List;

/**
 * Configuration of one member.
 *
 * @param number number of the member, from 0
 * @param members addresses of all members, in the order of their numbers
 * @param folder folder of the member's log and snapshots; the caller holds the lock of the folder
 * @param settings of the cluster, for the first start of the cluster
 * @param bound how long the log may become until the next snapshot
 * @param secret of the cluster, which all members prove to each other; or none
 */
public record MemberConfig(int number, List<Member> members, Path folder, Settings settings, SnapshotBound bound,
                           Secret secret) {
    /** Number of consecutive UDP ports needed by a member. */
    public static final int PORTS = 5;

    /**
     * Where a member listens.
     *
     * @param host host name or address
     * @param port the first of {@link #PORTS} UDP ports
     */
    public record Member(String host, int port) {
        String endpoint(int number) {
            return host + ":" + (port + number);
        }
    }

    /** Copies the list, and checks the numbers. */
    public MemberConfig {
        members = List.copyOf(members);
        if (number < 0 || number >= members.size()) {
            throw new IllegalArgumentException("member " + number + " of " + members.size());
        }
        if (settings.superpeers() != members.size()) {
            throw new IllegalArgumentException(members.size() + " members for " + settings.superpeers()
                + " superpeers");
        }
    }
}
