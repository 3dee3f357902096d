package io.teff.cluster.node;

import io.teff.cluster.access.Right;
import io.teff.cluster.archive.ArchiveMessages;
import io.teff.cluster.job.JobMessages;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.operation.OperationMessages;
import io.teff.cluster.operation.WaitMessages;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The right that each type of messages needs, before a byte of a message is read. Types with {@link Right#ANY} have
 * contents that need different rights: their handlers look at the content. A type without an entry needs the right of a
 * node.
 */
final class MessageRights {
    private static final Map<Integer, Right> RIGHTS = new HashMap<>();
    /** Changes on their way to backups, and the answers. */
    private static final int RUN_ID = 16;
    private static final int RUN_ANSWER_ID = 17;
    private static final @Nullable Right[] BY_TYPE = new Right[128];

    static {
        put(Right.ANY, CellMessages.COMMAND.request().id(), CellMessages.TABLE.request().id(),
            CellMessages.SUPERPEERS.request().id(),
            CellMessages.SERVICE.request().id(), CellMessages.ACCESS.request().id(), OperationMessages.SHORT_ID,
            OperationMessages.LONG_ID);
        put(Right.STATUS, CellMessages.STATUS.request().id(), CellMessages.FIGURES.request().id());
        put(Right.READ, WaitMessages.WAIT.request().id());
        put(Right.WRITE, CellMessages.SESSION.request().id());
        put(Right.OPERATE, CellMessages.LINES.request().id(), CellMessages.RESTART.request().id());
        put(Right.COMPUTE, JobMessages.JOB.request().id(), JobMessages.CANCEL.id(), JobMessages.STEP.request().id(),
            JobMessages.END.id());
        put(Right.ADMINISTER, ArchiveMessages.ARCHIVE.request().id());
        put(Right.NODE, CellMessages.HEARTBEAT.request().id(), CellMessages.PART.request().id(),
            CellMessages.ENTER.request().id(), CellMessages.RAFT.id(), JobMessages.BATCH.request().id(),
            JobMessages.FETCH.request().id(), RUN_ID, RUN_ANSWER_ID);
    }

    private MessageRights() {}

    private static void put(Right right, int... types) {
        for (int type : types) {
            final Right before = RIGHTS.put(type, right);
            assert before == null : type;
            BY_TYPE[type] = right;
        }
    }

    /** Returns the right for a type of messages. */
    static Right of(int type) {
        final Right right = type >= 0 && type < BY_TYPE.length ? BY_TYPE[type] : null;
        return right == null ? Right.NODE : right;
    }

    /** Returns the entry of a type of messages, or null. */
    static @Nullable Right entry(int type) {
        return RIGHTS.get(type);
    }
}
