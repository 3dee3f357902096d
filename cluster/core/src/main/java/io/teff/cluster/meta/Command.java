package io.teff.cluster.meta;

import java.util.List;
import java.util.UUID;

/**
 * A command of the {@link MetadataMachine}.
 *
 * <p>A command may be repeated: its content says to which life, epoch or request it belongs, so that the second one
 * finds its work done and has the same reply.
 */
public sealed interface Command {

    /**
     * A node begins a life. Refused while an earlier life of the same folder counts, unless {@code start} is equal.
     *
     * @param folder id of the node's data folder
     * @param start random number of the process's start
     * @param address where the node listens, or an empty text for a client
     * @param roles the node's roles
     */
    record Join(UUID folder, long start, String address, Roles roles) implements Command {}

    /**
     * A node ends its life by itself, or its death is a fact, because the kernel has reported the end of its process.
     *
     * @param node the node
     */
    record Ended(NodeRef node) implements Command {}

    /**
     * A superpeer begins a new life. Its votes of earlier lives count no longer, also those that are applied later.
     *
     * <p>A superpeer begins a life when it starts, because it has forgotten its promises, and when it wants to promise
     * to a node again that it has voted against. It answers heartbeats only after it has applied this command itself,
     * and with it every command before. The command names the life that it ends, so one that comes late, as that of an
     * ended process, makes no earlier life the current one again.
     *
     * @param superpeer number of the superpeer, from 0
     * @param before the life that ends, or 0 before the first one
     * @param life random number of the life, not 0
     */
    record SuperpeerLife(int superpeer, long before, long life) implements Command {}

    /**
     * A superpeer that has lost its disk marks a place in the log: a newcomer that has applied this command has all
     * that its superpeer had helped to commit before. It ends no life. An earlier mark of the same process that comes
     * late changes nothing.
     *
     * @param superpeer number of the superpeer, from 0
     * @param mark a {@link #mark} of the newcomer
     */
    record Newcomer(int superpeer, long mark) implements Command {
        private static final int COUNT_BITS = 24;

        /**
         * {@return a mark}
         *
         * @param process random number of the process
         * @param count number of the mark among those of the process, less than 2^24
         */
        public static long mark(long process, int count) {
            return process << COUNT_BITS | count;
        }

        /** Returns whether the mark comes after another one, or is of another process. */
        boolean follows(long other) {
            return mark >>> COUNT_BITS != other >>> COUNT_BITS || mark > other;
        }
    }

    /**
     * A superpeer's promise to a node has run out, and it will not make another one. The node expires when a majority
     * of the superpeers has voted.
     *
     * @param superpeer number of the superpeer, from 0
     * @param life the superpeer's life
     * @param node the node
     */
    record Vote(int superpeer, long life, NodeRef node) implements Command {}

    /**
     * A node asks for new zones.
     *
     * @param node the future owner
     * @param request the node's number of the request, from 1, rising by one
     * @param count number of zones
     */
    record NewZones(NodeRef node, long request, int count) implements Command {}

    /**
     * The owner creates no more chunks in a zone.
     *
     * @param zone the zone
     * @param epoch the owner's epoch
     */
    record ZoneFull(int zone, int epoch) implements Command {}

    /**
     * A backup holds up the owner's writes, or cannot catch up with an owner that restores; the owner asks for a
     * configuration without it. An owner that serves cannot do without its last backup.
     *
     * @param zone the zone
     * @param epoch the owner's epoch
     * @param backup the backup
     */
    record BackupFailed(int zone, int epoch, NodeRef backup) implements Command {}

    /**
     * A candidate has fenced its copy: it refuses lower epochs, and reports its last number.
     *
     * @param zone the zone
     * @param epoch the epoch of the row that the candidate has seen
     * @param node the candidate
     * @param last the last number that its copy has
     */
    record Fenced(int zone, int epoch, NodeRef node, long last) implements Command {}

    /**
     * The candidates that have not reported yet are slow: the recovery goes on without them if one has reported.
     *
     * @param zone the zone
     * @param epoch the epoch
     */
    record Hedge(int zone, int epoch) implements Command {}

    /**
     * The new owner has restored a zone, its backups have the same content, and it serves.
     *
     * @param zone the zone
     * @param epoch the epoch
     * @param node the new owner
     */
    record Owned(int zone, int epoch, NodeRef node) implements Command {}

    /**
     * The owner of a served zone wants another backup. The machine chooses a node, which becomes a learner.
     *
     * @param zone the zone
     * @param epoch the owner's epoch
     * @param without nodes that are not to be chosen: they have held up the owner's writes not long ago
     */
    record AddBackup(int zone, int epoch, List<NodeRef> without) implements Command {
        /** Copies the list. */
        public AddBackup {
            without = List.copyOf(without);
        }

        /** Makes the command for any node. */
        public AddBackup(int zone, int epoch) {
            this(zone, epoch, List.of());
        }
    }

    /**
     * A learner has logged the whole zone, and every change that the owner has acknowledged: it becomes a backup.
     *
     * @param zone the zone
     * @param epoch the owner's epoch
     * @param learner the learner
     */
    record Learned(int zone, int epoch, NodeRef learner) implements Command {}

    /**
     * A peer that owns fewer zones than another one wants to own a zone of that one. If it is no backup of the zone, it
     * becomes a learner.
     *
     * @param zone the zone
     * @param epoch the epoch of the row that the peer has seen
     * @param node the peer
     */
    record ClaimZone(int zone, int epoch, NodeRef node) implements Command {}

    /**
     * The owner serves the zone no more in this epoch, and every change that it has acknowledged is in all backups: the
     * heir of the row is to own the zone.
     *
     * @param zone the zone
     * @param epoch the owner's epoch
     * @param node the owner
     */
    record HandOver(int zone, int epoch, NodeRef node) implements Command {}

    /**
     * The chosen owner cannot restore a zone. Another candidate is to restore it; if there is none that could, the
     * owner keeps it and tries again.
     *
     * @param zone the zone
     * @param epoch the epoch
     * @param node the owner
     * @param copy number of its copy, which has all that it has shipped; 0 if it is damaged
     * @param hindrance the reason
     * @param neededBytes memory that the zone needs, about, if there is not as much; else 0
     * @param freeBytes memory that the owner has left, if it is not enough; else 0
     */
    record CannotRestore(int zone, int epoch, NodeRef node, int copy, Hindrance hindrance, long neededBytes,
                         long freeBytes) implements Command {}

    /**
     * A client asks whether a zone exists that its tables do not have. It changes nothing; as a command it is answered
     * after every zone that was given before, which the tables of one superpeer may not be.
     *
     * @param zone the zone
     */
    record ZoneSought(int zone) implements Command {}

    /**
     * A client opens a session.
     *
     * @param key random number of the session: a repetition opens no other one
     */
    record ClientOpen(long key) implements Command {}

    /**
     * A session of a client ends: the client closes it, or the leading superpeer has not heard of it for its lease.
     *
     * @param session number of the session
     */
    record ClientGone(int session) implements Command {}

    /**
     * The owner of a served zone acknowledges changes from now on that the kept copies of the row lack: these count no
     * longer.
     *
     * @param zone the zone
     * @param epoch the owner's epoch
     */
    record DoWithout(int zone, int epoch) implements Command {}

    /**
     * A node has come back with the copy of an earlier life, which the row of a waiting zone keeps.
     *
     * @param zone the zone
     * @param epoch the epoch of the row that the node has seen
     * @param node the new life
     * @param copy number of the copy
     * @param last the last number that the copy has, 0 if it has none
     * @param state what is left of it
     */
    record Returned(int zone, int epoch, NodeRef node, int copy, long last, CopyState state) implements Command {}

    /**
     * A person gives up the copies for which a zone waits. It goes on with what has come back; it is lost if nothing
     * has.
     *
     * @param zone the zone
     * @param epoch the epoch of the row that the person has seen
     */
    record AcceptLoss(int zone, int epoch) implements Command {}

    /**
     * A part of the metadata that a person has had made from the folders of peers, because the superpeers have lost
     * theirs. The parts are taken in their order, the first one only by a cell without peers and zones; all sessions of
     * clients end with it. Until the last one is there, no node joins, and no client opens a session. Its name is the
     * last one of all commands, so that the bytes of the others stay as they were.
     *
     * @param key random number of the rebuild
     * @param part number of the part, from 0
     * @param parts number of all parts
     * @param tables the rows of this part; the version rises by one with each part
     */
    record ZonesRebuilt(long key, int part, int parts, RebuiltTables tables) implements Command {}
}
