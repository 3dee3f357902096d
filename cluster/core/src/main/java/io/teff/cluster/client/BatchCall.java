package io.teff.cluster.client;

import io.teff.cluster.client.ClientSession.Turn;
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
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sends the entries of a batch to their owners, all owners at once, and repeats the entries without a result until
 * every entry has a result. Changes are sent in sections, each under one ticket until the whole section is answered.
 * For one thread.
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
    /** Whether an owner has no such collection any more. */
    private boolean isDropped;
    /** Whether a later holder of a lock has come to a fence. */
    private boolean isFenced;
    /** Changes under way. */
    private final List<Section> open = new ArrayList<>();

    /** Writes the request for a group. */
    interface Writer {
        void write(RequestBytes bytes, int[] entries);
    }

    /** Takes the result of an entry from the answer. */
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
     * @throws StoreException if the store of a peer ends the batch; results of earlier answers are kept
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
        try {
            while (pending.length > 0) {
                round(groups(cids, from, pending, lengths), writer, reader);
                throwRefusal();
                final int[] rest = pending();
                next(rest.length < pending.length, rest.length);
                pending = rest;
            }
        } finally {
            endSections();
        }
    }

    private List<Group> groups(long[] cids, int from, int[] pending, EntryGroups.Lengths lengths) {
        if (!type.isChange()) {
            return EntryGroups.of(cids, from, pending, zone -> client.owner(call, zone), lengths);
        }
        add(EntryGroups.sections(cids, from, unassigned(), lengths));
        return groups(lengths);
    }

    // ---- sections ----

    /** Returns the entries without a result and without a section. */
    int[] unassigned() {
        final BitSet assigned = new BitSet(results.length);
        open.forEach(section -> Arrays.stream(section.entries).forEach(assigned::set));
        return Arrays.stream(pending()).filter(entry -> !assigned.get(entry)).toArray();
    }

    /** Adds sections to be sent. */
    void add(List<Section> sections) {
        open.addAll(sections);
    }

    /**
     * Returns the messages for all sections. A batch waits for a free slot only if the batch has no slot at all, so two
     * batches never wait for each other. Sections without a slot are sent in a later round.
     */
    List<Group> groups(EntryGroups.Lengths lengths) {
        boolean hasTurn = open.stream().anyMatch(section -> section.turn != null);
        for (Section section : open) {
            if (section.turn == null) {
                section.turn = hasTurn ? client.tryTurn(call, section.zone) : client.turn(call, section.zone);
                hasTurn |= section.turn != null;
            }
        }
        return EntryGroups.of(open, zone -> client.owner(call, zone), lengths, type == OperationType.BATCH_CREATE);
    }

    /** Ends the sections whose entries all have results. */
    private void endDone() {
        for (Iterator<Section> sections = open.iterator(); sections.hasNext(); ) {
            final Section section = sections.next();
            if (Arrays.stream(section.entries).noneMatch(entry -> results[entry] == OperationFormat.NOT_DONE)) {
                section.end();
                sections.remove();
            }
        }
        call.settled();
        if (open.stream().anyMatch(section -> section.mayBeDone)) {
            call.isUnknown();
        }
    }

    /** Ends all sections; idempotent. */
    void endSections() {
        open.forEach(Section::end);
        open.clear();
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
            bytes.tickets(group.sections().size());
            writer.write(bytes, group.entries());
            for (int i = 0; i < group.sections().size(); i++) {
                final Turn turn = Objects.requireNonNull(group.sections().get(i).turn);
                bytes.putTicket(turn.session().number(), i, turn.ticket());
            }
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
            } catch (RuntimeException e) {                      // the remaining answers are taken, too
                failure = failure == null ? e : failure;
            }
        }
        endDone();
        if (failure != null) {
            throw failure;
        }
    }

    private void await(ClusterClient.Attempt attempt, Group group, Reader reader) {
        call.settled();
        try {
            final byte[] bytes = client.await(call, attempt, group.zone(), type);
            if (bytes == null) {
                mustPause = true;
                return;
            }
            take(BatchAnswer.read(bytes, group.entries().length, type), group, reader);
        } catch (MalformedException e) {
            call.failed("the answer is malformed", e);
            client.lost(call, type);
            mustPause = true;
        } finally {
            if (call.mayBeDone()) {
                group.sections().forEach(section -> section.mayBeDone = true);
            }
        }
    }

    private void take(BatchAnswer answer, Group group, Reader reader) {
        final int[] entries = group.entries();
        if (type.isChange() && answer.sections() != group.sections().size()) {
            throw new MalformedException(0, "another number of sections", (Throwable) null);
        }
        int index = 0;
        for (int section = 0; section < answer.sections(); section++) {
            final int code = answer.code(section);
            final int count = answer.count(section);
            switch (code) {
                case OperationFormat.DONE, OperationFormat.BUSY, OperationFormat.REFUSED ->
                    take(answer, entries, index, count, reader);
                case OperationFormat.NOT_HERE -> call.failed("an owner does not serve a zone", null);
                case OperationFormat.ABSENT -> isDropped = true;
                case OperationFormat.FENCED -> {
                    take(answer, entries, index, count, reader);
                    isFenced = true;
                }
                case OperationFormat.EXPIRED -> expired(group.sections().get(section));
                default -> {
                    call.failed("an owner has lost a zone", null);
                    deposed(group, section);
                    mustPause = true;
                }
            }
            if (type.isChange() && (code == OperationFormat.DONE || code == OperationFormat.REFUSED
                || code == OperationFormat.FENCED)) {
                group.sections().get(section).mayBeDone = false;
            }
            if (code == OperationFormat.BUSY) {
                call.failed("an owner is busy" + client.tables().problem(group.zone()), null);
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

    private void deposed(Group group, int section) {
        client.checkOpen();
        if (type.isChange()) {
            group.sections().get(section).mayBeDone = true;
        }
    }

    /**
     * The session of a section has ended. A section is sent again in the next session if no attempt can have been
     * executed.
     */
    private void expired(Section section) {
        if (section.turn != null) {
            client.expired(section.turn);
        }
        section.end();
        open.remove(section);
        call.failed("the session of this client has ended", null);
        if (section.mayBeDone) {
            throw call.sessionLost();
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
        if (isDropped) {
            throw MapCalls.dropped();
        }
        if (isFenced) {
            throw LaterHolder.exception();
        }
        if (refusal != null) {
            final int done = results.length - pending().length;
            throw new StoreException(refusal.category(), FailureText.of(refusal) + "; " + done + " of " + results.length
                + (type.isOfMaps() ? " entries" : " chunks") + " were processed", refusal);
        }
    }

    /** Counts the results that are not a status. */
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
