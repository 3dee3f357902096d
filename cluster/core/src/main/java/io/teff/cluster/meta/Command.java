package io.teff.cluster.meta;

import io.teff.cluster.net.identity.ClusterId;
import java.util.List;
import java.util.UUID;

/**
 * A command of the {@link MetadataMachine}.
 *
 * <p>A command may be repeated: each command names its life, epoch or request, so a repetition finds the work done and
 * has the same reply.
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
     * A node ends its life itself, or the kernel has reported the end of the node's process, so the death is a fact.
     *
     * @param node the life that ends
     */
    record Ended(NodeRef node) implements Command {}

    /**
     * A superpeer begins a new life. Votes of earlier lives do not count any more. Votes of earlier lives that are
     * applied later do not count either.
     *
     * <p>A superpeer begins a life at its start, because a starting superpeer has forgotten its promises. A superpeer
     * also begins a life to promise again to a node against which it has voted. A superpeer answers heartbeats only
     * after applying this command, and so every earlier command. The command names the life that ends. So a late
     * command, such as a command of an ended process, never makes an earlier life current again.
     *
     * @param superpeer number of the superpeer, from 0
     * @param before the life that ends, or 0 before the first life
     * @param life random number of the life, not 0
     */
    record SuperpeerLife(int superpeer, long before, long life) implements Command {}

    /**
     * The first command of a cluster: the settings.
     *
     * @param superpeers number of the first superpeers
     * @param backups backups of each zone
     */
    record Begin(int superpeers, int backups) implements Command {}

    /**
     * A person adds a superpeer. The superpeer counts after {@link SuperpeerStands}.
     *
     * @param address of the superpeer, with the scheme of a transport
     */
    record AddSuperpeer(String address) implements Command {}

    /**
     * A person removes a superpeer. The superpeer counts until {@link SuperpeerStands}.
     *
     * @param superpeer number of the superpeer
     */
    record RemoveSuperpeer(int superpeer) implements Command {}

    /**
     * A superpeer has another address.
     *
     * @param superpeer number of the superpeer
     * @param life the current life of the superpeer
     * @param address of the superpeer, with the scheme of a transport
     */
    record SuperpeerMoved(int superpeer, long life, String address) implements Command {}

    /**
     * The leading superpeer does the next step of a change of the superpeers.
     *
     * @param superpeer number of the superpeer that is added or removed
     * @param version of the set to which the step belongs
     * @param standing the next standing of the superpeer
     */
    record SuperpeerStands(int superpeer, long version, SuperpeerRow.Standing standing) implements Command {}

    /**
     * A superpeer's promise to a node has run out, and the superpeer makes no further promise to this life of the node.
     * The node expires when a majority of the superpeers has voted.
     *
     * @param superpeer number of the superpeer, from 0
     * @param life the superpeer's life
     * @param node the life of the node
     */
    record Vote(int superpeer, long life, NodeRef node) implements Command {}

    /**
     * A node asks for new zones.
     *
     * @param node the future owner
     * @param request the node's number of the request, from 1, rising by one with each request
     * @param count number of zones
     */
    record NewZones(NodeRef node, long request, int count) implements Command {}

    /**
     * The owner creates no more chunks in a zone.
     *
     * @param zone id of the zone
     * @param epoch the owner's epoch
     */
    record ZoneFull(int zone, int epoch) implements Command {}

    /**
     * A backup holds up the owner's writes, or cannot catch up with a restoring owner; the owner asks for a
     * configuration without the backup. An owner that serves cannot give up the last backup.
     *
     * @param zone id of the zone
     * @param epoch the owner's epoch
     * @param backup life of the backup to give up
     */
    record BackupFailed(int zone, int epoch, NodeRef backup) implements Command {}

    /**
     * A candidate has fenced its copy. A fence is the refusal of all lower epochs: the candidate reports the last
     * number of the copy.
     *
     * @param zone id of the zone
     * @param epoch the epoch of the row seen by the candidate
     * @param node the candidate
     * @param last number of the last change in the candidate's copy
     */
    record Fenced(int zone, int epoch, NodeRef node, long last) implements Command {}

    /**
     * Candidates without a report are slow: the recovery continues without them if at least one candidate has reported.
     *
     * @param zone id of the zone
     * @param epoch of the fenced row; in another epoch the command is stale
     */
    record Hedge(int zone, int epoch) implements Command {}

    /**
     * The new owner has restored a zone, the backups have the same content, and the owner serves.
     *
     * @param zone id of the zone
     * @param epoch of the restoring row; in another epoch the command is stale
     * @param node the new owner
     */
    record Owned(int zone, int epoch, NodeRef node) implements Command {}

    /**
     * The owner of a served zone wants a further backup. The machine chooses a node. The node becomes a learner.
     *
     * @param zone id of the zone
     * @param epoch the owner's epoch
     * @param without nodes not to be chosen: these nodes have recently held up the owner's writes
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
     * A learner has logged the whole zone, and every change acknowledged by the owner: the learner becomes a backup.
     *
     * @param zone id of the zone
     * @param epoch the owner's epoch
     * @param learner life of the learner
     */
    record Learned(int zone, int epoch, NodeRef learner) implements Command {}

    /**
     * A peer wants to own a zone of another peer, because the other peer owns more zones. If the claiming peer is no
     * backup of the zone, the peer becomes a learner.
     *
     * @param zone id of the zone
     * @param epoch the epoch of the row seen by the peer
     * @param node the peer
     */
    record ClaimZone(int zone, int epoch, NodeRef node) implements Command {}

    /**
     * The owner does not serve the zone any more in this epoch, and every change acknowledged by the owner is in all
     * backups: the heir of the row becomes the next owner.
     *
     * @param zone id of the zone
     * @param epoch the owner's epoch
     * @param node the owner
     */
    record HandOver(int zone, int epoch, NodeRef node) implements Command {}

    /**
     * The chosen owner cannot restore a zone. The machine chooses another candidate. If no candidate can restore the
     * zone, the owner keeps the zone and tries again.
     *
     * @param zone id of the zone
     * @param epoch of the restoring row; in another epoch the command is stale
     * @param node the owner
     * @param copy number of the owner's copy. The copy has every change shipped by the owner; 0 if the copy is damaged
     * @param hindrance the reason
     * @param neededBytes approximate memory needed by the zone, if memory is short; else 0
     * @param freeBytes free memory of the owner, if memory is short; else 0
     */
    record CannotRestore(int zone, int epoch, NodeRef node, int copy, Hindrance hindrance, long neededBytes,
                         long freeBytes) implements Command {}

    /**
     * A client asks whether a zone exists that is missing in the client's tables. The command changes nothing; as a
     * command, the question is answered after every zone given before. The tables of a single superpeer may lag behind.
     *
     * @param zone id of the zone
     */
    record ZoneSought(int zone) implements Command {}

    /**
     * The cluster gets its identity. The first identity counts, and stays for the life of the cluster.
     *
     * @param cluster the identity, with a random id
     */
    record Founded(ClusterId cluster) implements Command {}

    /**
     * A client opens a session.
     *
     * @param key random number of the session: a repetition opens no second session
     */
    record ClientOpen(long key) implements Command {}

    /**
     * A client's session ends: the client closes the session, or the leading superpeer has heard no heartbeat of the
     * session for its lease.
     *
     * @param session number of the session
     */
    record ClientGone(int session) implements Command {}

    /**
     * The owner of a served zone acknowledges changes from now on that the kept copies of the row lack: the kept copies
     * are outdated. Refused if the row has no backup, because then only a kept copy has every acknowledged change.
     *
     * @param zone id of the zone
     * @param epoch the owner's epoch
     */
    record DoWithout(int zone, int epoch) implements Command {}

    /**
     * A node has returned with the copy of an earlier life. If the zone waits, and its row keeps the copy, the node
     * proposes this, and becomes a candidate. If the zone is served, its owner proposes this, and the node becomes a
     * learner that catches up from the copy.
     *
     * @param zone id of the zone
     * @param epoch the epoch of the row seen by the node
     * @param node the new life
     * @param copy number of the copy
     * @param last number of the copy's last change, 0 for a copy without changes
     * @param state completeness of the copy
     */
    record Returned(int zone, int epoch, NodeRef node, int copy, long last, CopyState state) implements Command {}

    /**
     * A person gives up the copies for which a zone waits. The zone continues with the returned copies. If no copy has
     * returned, the zone continues with a chosen outdated copy. Without such a copy the zone is lost. If the zone is
     * served without backups, its changes wait no more for the copies that have not come back.
     *
     * @param zone id of the zone
     * @param epoch the epoch of the row seen by the person
     * @param nid node with the chosen outdated copy; 0 for none
     * @param copy number of the chosen copy; 0 for none
     */
    record AcceptLoss(int zone, int epoch, int nid, int copy) implements Command {}

    /**
     * A part of metadata made from the folders of peers at the request of a person, because the superpeers have lost
     * the metadata. Parts are taken in order. Only a cell without peers and zones takes the first part; all client
     * sessions end with the first part. Until the last part is taken, no node joins, and no client opens a session. In
     * the order of names this command is the last in this file.
     *
     * @param key random number of the rebuild
     * @param part number of the part, from 0
     * @param parts number of all parts
     * @param tables the rows of this part; the version rises by one with each part
     */
    record ZonesRebuilt(long key, int part, int parts, RebuiltTables tables) implements Command {}

    /**
     * A step of the registry of services. The classes of these commands have files of their own, because their names
     * then come behind all names in this file.
     */
    sealed interface OfServices extends Command permits RegistryChange {}

    /** An order of a person for peers and zones. The classes have files of their own, for the same reason. */
    sealed interface OfOperators extends Command permits UnbindNode, UnloadNode, ZoneSent, ZoneSpread {}

    /** A command about the places of zones and copies. The classes have files of their own, for the same reason. */
    sealed interface OfPlaces extends Command permits ZoneSite, ZoneVacant, ZoneWidth {}
}
