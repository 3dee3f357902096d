package io.teff.cluster.admin;

import io.teff.cluster.ClientConfig;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a cluster for administrators. The connection is no member of the cluster and holds no lease.
 * Thread-safe.
 * <pre>
 *  try (ClusterAdmin admin = ClusterAdmin.connect("10.0.0.1:7400")) {
 *      admin.status().nodes().forEach(System.out::println);
 *  }
 * </pre>
 * A cluster without an answer is no error: {@link ClusterStatus#problem} has the reason. Calls after {@link #close}
 * have the results of a cluster without an answer. In a cluster with roles, a call for which this process lacks the
 * right throws {@link io.teff.cluster.MissingRightException}.
 */
public interface ClusterAdmin extends AutoCloseable {
    /** The result of {@link #acceptLoss}. */
    enum Acceptance {
        /** The copies are given up. */
        ACCEPTED,
        /** The zone has changed since the status was read. Nothing was given up. */
        CHANGED,
        /** No superpeer led in time. A superpeer may still accept the loss later. */
        UNANSWERED
    }

    /**
     * The roles of a node, as the node itself says.
     *
     * @param life the node
     * @param caller the asking process as the node knows it: a principal with its roles, or the secret of the cluster
     * @param state roles and secret of the node, for people
     */
    record NodeAccess(NodeLife life, String caller, String state) {}

    /**
     * A watch of a cluster. Closing ends the watch, and waits for a look or an event under way, but not for an event of
     * the closing thread. Idempotent, thread-safe.
     */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Connects to a cluster without secret and without TLS.
     *
     * @param superpeers addresses of superpeers in any order, all or some, for example {@code tcp:127.0.0.1:7400}
     * @return the connection, also if no superpeer answers
     * @throws IllegalArgumentException if there is no address, or a text is no address
     * @throws IOException as {@link #connect(ClientConfig)} does
     */
    static ClusterAdmin connect(String... superpeers) throws IOException {
        return connect(ClientConfig.builder(superpeers).build());
    }

    /**
     * Connects to a cluster. The first answering superpeer names all superpeers; the call waits at most about four
     * seconds for the answer. Without an answer, the given addresses count as the addresses of all superpeers.
     *
     * @param config addresses, secret and TLS; all other settings have no meaning here
     * @return the connection, also if no superpeer answers
     * @throws IOException if this process cannot open a network or lacks the transport of the addresses, or if the
     *     superpeers have another secret or other TLS; the message names the remedy
     */
    static ClusterAdmin connect(ClientConfig config) throws IOException {
        return AdminProvider.load().connect(config);
    }

    /**
     * Reads the tables of the superpeers, and asks each superpeer and each living peer for a status. Takes at most
     * about four seconds for all superpeers together, and four seconds for all peers together.
     *
     * @return the status; zones and copies of peers are listed
     */
    ClusterStatus status();

    /**
     * Reads the changed rows of the tables, and asks no further node. Takes at most about four seconds, however many
     * superpeers are silent.
     *
     * @return the status; {@link ClusterStatus.Member#status} is null for all nodes
     */
    ClusterStatus tables();

    /**
     * Asks each superpeer and each living peer for its figures. Takes at most about four seconds for all superpeers
     * together, and four seconds for all peers together.
     *
     * @return the figures of the nodes that have answered
     */
    ClusterFigures figures();

    /**
     * Asks a node for the figures of the last hour or day. Takes at most about four seconds.
     *
     * @param nid the node, as of the last {@link #tables} or {@link #status}
     * @param span the time
     * @return the figures; null if the node does not answer
     */
    @Nullable FigureHistory history(int nid, FigureHistory.Span span);

    /**
     * Asks a node for the last lines of its log. Takes at most about four seconds.
     *
     * @param nid the node, as of the last {@link #tables} or {@link #status}
     * @param lines most lines; nodes keep 256
     * @return the lines with their times, oldest first; null if the node does not answer
     */
    @Nullable List<String> log(int nid, int lines);

    /**
     * Orders a node to end, because its manager starts its process again. Does not wait for the end. Takes at most
     * about four seconds.
     *
     * @param nid the node, as of the last {@link #tables} or {@link #status}
     * @param process number of the process that is to end, as of the status of the node
     * @return why the node goes on, for people; empty if the node ends. Without an answer the node may end, too
     */
    String restart(int nid, long process);

    /**
     * Asks each superpeer and each living peer for its roles, and for the rights of this process. Takes at most about
     * four seconds.
     *
     * @return the roles of the nodes that have answered
     */
    default List<NodeAccess> access() {
        return List.of();
    }

    /**
     * Begins to read changed rows from all superpeers, without waiting. Keeps the sessions with the superpeers open, so
     * that a later call needs no new session.
     */
    void warm();

    /**
     * Reports that the process of a peer has ended, so that the peer's zones are restored without waiting for the end
     * of the lease. The caller must know the end for certain: a living peer begins a new life after the report.
     *
     * @param life the last life of the peer
     * @param patienceNs longest time until a superpeer leads, in nanoseconds
     * @return whether the superpeers know the end, from this report or from before; false if no superpeer led in time
     */
    boolean reportEnd(NodeLife life, long patienceNs);

    /**
     * Gives up the copies for which a zone waits, for good. The zone goes on with the copies of living nodes, and may
     * lack changes of the time before a power cut. Without such a copy, the zone goes on with a chosen older copy, and
     * lacks all changes behind its end. Without an older copy, the zone is lost with all chunks. If the zone is served,
     * and only its changes wait, nothing is lost now: until the zone has a backup, the end of the owner loses the zone.
     *
     * @param zone a waiting zone of a status
     * @param chosen an older copy of the zone at a living node; null for none
     * @param patienceNs longest time until a superpeer leads, in nanoseconds
     * @return whether the loss is accepted
     * @throws IllegalArgumentException if the zone does not wait, or has no such copy
     */
    Acceptance acceptLoss(ZoneStatus zone, ZoneStatus.@Nullable Copy chosen, long patienceNs);

    /**
     * Adds a superpeer. The superpeer gets a number at once, and is started next with this number as
     * {@code superpeer.number}. The superpeer counts once the superpeer has the log of the others: see
     * {@link #awaitSuperpeers}. Another change of the superpeers must have ended before.
     *
     * @param address listening address of the new superpeer, such as {@code tcp:10.0.0.4:7400}. A superpeer whose
     *     address is in the tables is not added again
     * @param patienceNs longest time until a superpeer leads and no other change is under way, in nanoseconds
     * @return the number of the superpeer
     * @throws IllegalArgumentException if the text is no address
     * @throws IOException if the superpeers refuse the change, for example as there are five, or no superpeer led in
     *     time; the message says which
     */
    int addSuperpeer(String address, long patienceNs) throws IOException;

    /**
     * Removes a superpeer, whether it runs or not. The superpeer counts until all nodes know that it leaves: see
     * {@link #awaitSuperpeers}; end the process afterwards. A superpeer that is being added is removed, too.
     *
     * @param number number of the superpeer
     * @param patienceNs longest time until a superpeer leads and no other change is under way, in nanoseconds
     * @throws IOException if there is no such superpeer, it is the only one, or no superpeer led in time; the message
     *     says which
     */
    void removeSuperpeer(int number, long patienceNs) throws IOException;

    /**
     * Waits until no superpeer is being added or removed.
     *
     * @param patienceNs longest time, in nanoseconds
     * @return whether no change is under way; false also if no superpeer answers
     */
    boolean awaitSuperpeers(long patienceNs);

    /** {@return the moves of zones between living peers; ends with this connection} */
    ClusterMoves moves();

    /**
     * Watches the tables until the watch or this connection is closed. The first look reports no event.
     *
     * @param listener receives the events in their order, on a thread of the watch. An exception of the listener ends
     *     the watch
     * @return the watch
     */
    Watch watch(Consumer<ClusterEvent> listener);

    /** Closes the connection and ends all watches. Idempotent. */
    @Override
    void close();
}
