package io.teff.cluster.meta;

/** The reply of the {@link MetadataMachine} to a command. */
public sealed interface CommandReply {

    /** The command was applied, now or earlier. */
    record Done() implements CommandReply {}

    /**
     * The command belongs to a life, an epoch or a request that no longer counts. The command changed nothing; the
     * proposer reads the tables and decides anew.
     */
    record Stale() implements CommandReply {}

    /**
     * The command is impossible, or not possible now.
     *
     * @param reason why, for people
     * @param isFinal whether a repetition is useless
     */
    record Refused(String reason, boolean isFinal) implements CommandReply {}

    /**
     * The node has joined.
     *
     * @param node NID and life of the node
     */
    record Joined(NodeRef node) implements CommandReply {}

    /**
     * Consecutive new zones.
     *
     * @param first id of the first zone
     * @param count number of zones; less than asked for if ids run out
     */
    record Zones(int first, int count) implements CommandReply {}

    /**
     * A superpeer is in the tables.
     *
     * @param number of the superpeer
     */
    record SuperpeerGiven(int number) implements CommandReply {}

    /**
     * A session of a client is open.
     *
     * @param session number of the session, never given to another session
     */
    record SessionOpened(int session) implements CommandReply {}

    /** A reply to a command of services; its class comes behind all classes in this file. */
    sealed interface OfServices extends CommandReply permits RegistryReply {}
}
