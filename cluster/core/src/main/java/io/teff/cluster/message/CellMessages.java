package io.teff.cluster.message;

import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.codec.schema.Schema;

/** The types of messages between nodes and superpeers. */
public final class CellMessages {
    private static final int HEARTBEAT_ID = 1;
    private static final int COMMAND_ID = 2;
    private static final int TABLE_ID = 3;
    private static final int STATUS_ID = 4;
    private static final int SESSION_ID = 5;
    private static final int PART_ID = 6;
    private static final int SUPERPEERS_ID = 7;
    private static final int ENTER_ID = 8;
    private static final int RAFT_ID = 9;
    private static final int SERVICE_ID = 10;
    private static final int FIGURES_ID = 21;
    private static final int LINES_ID = 22;
    private static final int ACCESS_ID = 23;
    private static final int RESTART_ID = 24;
    private static final int SERVICE_BYTES_MAX = 64 << 10;
    private static final int TABLE_BYTES_MAX = 32 << 20;

    /** A heartbeat. */
    public static final RequestType<Heartbeat, HeartbeatAnswer> HEARTBEAT =
        RequestType.of(HEARTBEAT_ID, Schema.of(Heartbeat.class), Schema.of(HeartbeatAnswer.class));

    /** A command for the metadata machine. */
    public static final RequestType<Command, CommandAnswer> COMMAND =
        RequestType.of(COMMAND_ID, Schema.of(Command.class), Schema.of(CommandAnswer.class));

    /** Rows of the tables. */
    public static final RequestType<TableRequest, TableAnswer> TABLE = new RequestType<>(
        MessageType.of(TABLE_ID, Schema.of(TableRequest.class)),
        new MessageType<>(TABLE_ID, Schema.of(TableAnswer.class), TABLE_BYTES_MAX));

    /** The status of any node: superpeer or peer. */
    public static final RequestType<StatusRequest, NodeStatus> STATUS = new RequestType<>(
        MessageType.of(STATUS_ID, Schema.of(StatusRequest.class)),
        new MessageType<>(STATUS_ID, Schema.of(NodeStatus.class), TABLE_BYTES_MAX));

    /** A sign of life of a client's session. */
    public static final RequestType<SessionBeat, SessionBeatAnswer> SESSION =
        RequestType.of(SESSION_ID, Schema.of(SessionBeat.class), Schema.of(SessionBeatAnswer.class));

    /** Whether a superpeer has had a part in the cell. */
    public static final RequestType<PartRequest, PartAnswer> PART =
        RequestType.of(PART_ID, Schema.of(PartRequest.class), Schema.of(PartAnswer.class));

    /** A superpeer wants to be taken into the cell. */
    public static final RequestType<EnterRequest, EnterAnswer> ENTER =
        RequestType.of(ENTER_ID, Schema.of(EnterRequest.class), Schema.of(EnterAnswer.class));

    /** A message of the replicated log. */
    public static final MessageType<byte[]> RAFT = new MessageType<>(RAFT_ID, Codecs.BYTES, TABLE_BYTES_MAX);

    /** The addresses of all superpeers. */
    public static final RequestType<SuperpeersRequest, SuperpeersAnswer> SUPERPEERS =
        RequestType.of(SUPERPEERS_ID, Schema.of(SuperpeersRequest.class), Schema.of(SuperpeersAnswer.class));

    /** A step of a client of services, or a question. */
    public static final RequestType<ServiceRequest, ServiceAnswer> SERVICE = new RequestType<>(
        new MessageType<>(SERVICE_ID, Schema.of(ServiceRequest.class), SERVICE_BYTES_MAX),
        new MessageType<>(SERVICE_ID, Schema.of(ServiceAnswer.class), TABLE_BYTES_MAX));

    /** Figures of any node. */
    public static final RequestType<FiguresRequest, FiguresAnswer> FIGURES = new RequestType<>(
        MessageType.of(FIGURES_ID, Schema.of(FiguresRequest.class)),
        new MessageType<>(FIGURES_ID, Schema.of(FiguresAnswer.class), TABLE_BYTES_MAX));

    /** The last lines of the log of any node. */
    public static final RequestType<LinesRequest, LinesAnswer> LINES = new RequestType<>(
        MessageType.of(LINES_ID, Schema.of(LinesRequest.class)),
        new MessageType<>(LINES_ID, Schema.of(LinesAnswer.class), TABLE_BYTES_MAX));

    /** Roles of any node, and the rights of the asking process. */
    public static final RequestType<AccessRequest, AccessAnswer> ACCESS =
        RequestType.of(ACCESS_ID, Schema.of(AccessRequest.class), Schema.of(AccessAnswer.class));

    /** An order to any node to end, because its process is started again. */
    public static final RequestType<RestartRequest, RestartAnswer> RESTART =
        RequestType.of(RESTART_ID, Schema.of(RestartRequest.class), Schema.of(RestartAnswer.class));

    private CellMessages() {}

    /** {@return the number of a superpeer by its NID} */
    public static int superpeer(int nid) {
        return nid - 1;
    }

    /**
     * {@return whether a NID is that of a superpeer, also of a superpeer that a cell may have later}
     *
     * @param nid any NID
     */
    public static boolean isSuperpeer(int nid) {
        return nid < MetadataMachine.NID_FIRST;
    }

    /** {@return the NID of a superpeer} */
    public static int nid(int superpeer) {
        return superpeer + 1;
    }
}
