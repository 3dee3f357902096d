package io.teff.cluster.client;

import io.teff.cluster.client.EntryGroups.Group;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.operation.BatchAnswer;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.operation.RequestBytes;
import io.teff.engine.Cid;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.FailureText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends the entries of a batch to their owners, all owners at once, and repeats the entries that were not done until
 * there are none. For one thread.
 */
final class BatchCall {
    /** More entries, or longer requests, are long ones. */
    private static final int SHORT_ENTRIES_MAX = 512;
    private static final int SHORT_BYTES_MAX = OperationFormat.SHORT_BYTES_MAX / 2;

    private final ClusterClient client;
    private final Call call;
    private final OperationType type;
    /** Result of each entry, or NOT_DONE. */
    final long[] results;
    private @Nullable StoreException refusal;
    private boolean mustPause;
    private boolean isLong;

    /** Writes the request for a group. */
    interface Writer {
        void write(RequestBytes bytes, int[] entries);
    }

    /** Takes the result of an entry that was done from the answer. */
    interface Reader {
        Reader NONE = (_, _, _) -> { };

        void read(int entry, BatchAnswer answer, int index);
    }

    BatchCall(ClusterClient client, Call call, OperationType type, int count) {
        this.client = client;
        this.call = call;
        this.type = type;
        results = new long[count];
        Arrays.fill(results, OperationFormat.NOT_DONE);
    }

    /** Makes all requests long ones. */
    void sendLong() {
        isLong = true;
    }

    /**
     * Sends the entries until all are done.
     *
     * @param cids the chunks, from index {@code from} on
     * @throws StoreException if the store of a peer ends the batch; results that had arrived are kept
     */
    void run(long[] cids, int from, EntryGroups.Lengths lengths, Writer writer, Reader reader) {
        client.checkOpen();
        for (int i = 0; i < results.length; i++) {
            if (!ClusterClient.isZone(Cid.nid(cids[from + i]))) {
                results[i] = Status.ABSENT;
            }
        }
        endMissing(cids, from);
        int[] pending = pending();
        while (pending.length > 0) {
            final List<Group> groups = EntryGroups.of(cids, from, pending, zone -> client.owner(call, zone), lengths);
            round(groups, writer, reader);
            throwRefusal();
            final int[] rest = pending();
            next(rest.length < pending.length, rest.length);
            pending = rest;
        }
    }

    /** Ends the entries of zones that do not exist. */
    private void endMissing(long[] cids, int from) {
        final Map<Integer, Boolean> missing = new HashMap<>();
        for (int entry : pending()) {
            final int zone = Cid.nid(cids[from + entry]);
            if (client.tables().isUnknown(zone) && missing.computeIfAbsent(zone, it -> client.isMissing(call, it))) {
                results[entry] = Status.ABSENT;
            }
        }
    }

    /** Waits before the next round, unless there was progress. */
    void next(boolean hasProgressed, int rest) {
        if (rest == 0) {
            return;
        }
        if (hasProgressed && !mustPause) {
            call.progressed();
            isLong = true;                                      // short answers may have had no room
            if (call.isOver()) {
                throw call.timedOut();
            }
        } else {
            isLong |= !mustPause;
            call.pause();
        }
    }

    int[] pending() {
        int count = 0;
        for (long result : results) {
            count += result == OperationFormat.NOT_DONE ? 1 : 0;
        }
        final int[] pending = new int[count];
        for (int i = 0, at = 0; at < count; i++) {
            if (results[i] == OperationFormat.NOT_DONE) {
                pending[at++] = i;
            }
        }
        return pending;
    }

    /** Sends one request for each group, all before the first answer is awaited. */
    void round(List<Group> groups, Writer writer, Reader reader) {
        mustPause = groups.isEmpty();
        final List<ClusterClient.@Nullable Attempt> attempts = new ArrayList<>(groups.size());
        for (Group group : groups) {
            final RequestBytes bytes = RequestBytes.own();
            writer.write(bytes, group.entries());
            attempts.add(client.begin(call, group.owner(), bytes, isLong || group.entries().length > SHORT_ENTRIES_MAX
                || bytes.length() > SHORT_BYTES_MAX, groups.size() == 1));
        }
        RuntimeException failure = null;
        for (int i = 0; i < attempts.size(); i++) {
            final ClusterClient.Attempt attempt = attempts.get(i);
            try {
                if (attempt == null) {
                    mustPause = true;
                } else {
                    await(attempt, groups.get(i), reader);
                }
            } catch (RuntimeException e) {                      // the others are to be taken, too
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void await(ClusterClient.Attempt attempt, Group group, Reader reader) {
        final byte[] bytes = client.await(call, attempt, group.zone(), type);
        if (bytes == null) {
            mustPause = true;
            return;
        }
        try {
            take(BatchAnswer.read(bytes, group.entries().length, type), group.entries(), reader);
        } catch (MalformedException e) {
            call.failed("the answer is malformed", e);
            client.lost(call, type);
            mustPause = true;
        }
    }

    private void take(BatchAnswer answer, int[] entries, Reader reader) {
        int index = 0;
        for (int section = 0; section < answer.sections(); section++) {
            final int code = answer.code(section);
            final int count = answer.count(section);
            switch (code) {
                case OperationFormat.DONE, OperationFormat.BUSY, OperationFormat.REFUSED ->
                    take(answer, entries, index, count, reader);
                case OperationFormat.NOT_HERE -> call.failed("an owner does not serve a zone", null);
                default -> {
                    call.failed("an owner has lost a zone", null);
                    client.lost(call, type);
                    mustPause = true;
                }
            }
            if (code == OperationFormat.BUSY) {
                call.failed("an owner is busy", null);
                mustPause = true;
            }
            index += count;
        }
        final StoreException thrown = answer.refusal();
        refusal = refusal == null ? thrown : refusal;
        if (!client.tables().update(answer.rows())) {
            mustPause |= isAnyNotHere(answer);
        }
    }

    private static boolean isAnyNotHere(BatchAnswer answer) {
        for (int section = 0; section < answer.sections(); section++) {
            if (answer.code(section) == OperationFormat.NOT_HERE) {
                return true;
            }
        }
        return false;
    }

    private void take(BatchAnswer answer, int[] entries, int from, int count, Reader reader) {
        for (int i = from; i < from + count; i++) {
            final long result = answer.result(i);
            reader.read(entries[i], answer, i);
            results[entries[i]] = result;
        }
    }

    /** Throws the exception of a peer's store, after the results have been taken. */
    void throwRefusal() {
        if (refusal != null) {
            final int done = results.length - pending().length;
            throw new StoreException(refusal.category(), FailureText.of(refusal) + "; " + done + " of " + results.length
                + " chunks were processed", refusal);
        }
    }

    /** Counts results that are no status. */
    int done() {
        int count = 0;
        for (long result : results) {
            count += Status.isStatus(result) || result == OperationFormat.NOT_DONE ? 0 : 1;
        }
        return count;
    }

    /** Returns the owner of a zone, or null. */
    @Nullable NodeRef owner(int zone) {
        return client.owner(call, zone);
    }
}
