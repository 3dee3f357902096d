package io.teff.cluster.registry;

import java.util.List;

/**
 * The whole state of a registry, for snapshots. Fields may be added; none changes.
 *
 * @param revision the last given number of a change
 * @param sessions the open sessions, in the order of their numbers
 * @param names the names, in their order
 * @param queues the queues, in the order of their names
 */
public record RegistryState(long revision, List<SessionRow> sessions, List<NameRow> names, List<QueueRow> queues) {
    /** A registry without content. */
    public static final RegistryState EMPTY = new RegistryState(0, List.of(), List.of(), List.of());

    /** Copies the lists. */
    public RegistryState {
        sessions = List.copyOf(sessions);
        names = List.copyOf(names);
        queues = List.copyOf(queues);
    }

    /**
     * {@return an empty registry whose numbers are above all numbers from before a rebuild of the metadata}
     *
     * @param rebuilds number of rebuilds until now
     */
    public static RegistryState rebuilt(long rebuilds) {
        return new RegistryState(rebuilds << 48, List.of(), List.of(), List.of());
    }

    /**
     * An open session.
     *
     * @param number of the session
     * @param key random number by which the client has opened the session
     * @param leaseMs lease in milliseconds
     * @param renewals signs of life until now
     * @param slots the slots with a step
     */
    public record SessionRow(long number, long key, int leaseMs, long renewals, List<SlotRow> slots) {
        /** Copies the list. */
        public SessionRow {
            slots = List.copyOf(slots);
        }
    }

    /**
     * The newest step of a slot.
     *
     * @param slot number of the slot
     * @param sequence of the step
     * @param result of the step
     */
    public record SlotRow(int slot, long sequence, RegistryResult result) {}
}
