package io.teff.cluster.peer;

/** Kinds of faults of a simulated cluster. */
enum SimFault {
    /** A peer's process is killed, and starts again; its disk may be lost. */
    KILL,
    /** A peer is stopped, or its machine sleeps. */
    PAUSE,
    /** A superpeer is killed, and starts again. */
    KILL_SUPERPEER,
    /** A superpeer is stopped, or its machine sleeps. */
    PAUSE_SUPERPEER,
    /** A superpeer and the peers do not reach each other. */
    CUT_OFF_SUPERPEER,
    /** All nodes are divided into two parts. */
    SPLIT,
    /** Parts that overlap: some nodes reach both sides of a cut, and who reaches whom may be any relation. */
    OVERLAP,
    /** A peer and the superpeers do not reach each other. */
    CUT_OFF,
    /** A peer does not reach another one. */
    CUT_ONE_WAY,
    /** The log of a peer has no room for a while. */
    FULL_DISK,
    /** The disk of a peer refuses a sync: its log has failed for good. */
    FAIL_SYNC,
    /** The same for some peers at once, or all. */
    FAIL_SYNC_OF_SOME,
    /** The logs of some peers cannot be read for a while. */
    REFUSED_READS,
    /** The copies in the logs of some peers are damaged, as it seems, until the end of all faults. */
    DAMAGE,
    /** Some peers have no memory for further zones for a while. */
    NO_MEMORY,
    /** A peer does not reach its backups, changes chunks meanwhile, and is killed. */
    KILL_BEHIND_A_CUT,
    /** All processes end at once, and start again in any order; the disk of a peer may be lost. */
    KILL_ALL,
    /** The machine of a peer has no power: its disk keeps what was synced, and perhaps some of the rest. */
    CUT_POWER,
    /** The same for all machines at once. */
    CUT_POWER_OF_ALL,
    /** Peers, and some superpeers, are killed in a row; most start again after the next kill. All disks are there. */
    STORM,
    /** A person adds or removes a superpeer. */
    CHANGE_SUPERPEERS,
    /** A person unloads a peer, or moves zones to any peers. */
    UNLOAD,
    /** All peers of a rack are killed at once; the first time their disks are lost. */
    KILL_RACK
}
