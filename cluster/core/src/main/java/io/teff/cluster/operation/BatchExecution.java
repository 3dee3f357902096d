package io.teff.cluster.operation;

import static io.teff.cluster.operation.OperationFormat.HEAD_BYTES;
import static io.teff.cluster.operation.OperationFormat.NOT_DONE;

import io.teff.cluster.access.SessionCaller;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.slot.RecordedZone;
import io.teff.cluster.slot.Slot;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.os.FailureText;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Executes one batch: section by section. A section is a run of entries of one zone. An entry has the result NOT_DONE
 * if the peer does not serve the zone, is busy, or if the answer has no room for the content. The host is asked about
 * the answer after all sections, so that their changes are shipped together. Changes of a session are executed by
 * {@link BatchChangesOnce}. Used once.
 */
final class BatchExecution {
    private final ZoneHost host;
    private final OperationRequest request;
    private final Scratch scratch;
    private final int count;
    private final long[] cids;
    private final long[] results;
    private final SectionsAnswer held;
    /** Longest contents of the answer. */
    private final int contentMax;
    private final boolean isLong;
    /** Executes the sections of a batch for maps. */
    private @Nullable MapSections maps;
    private int contentsAt;
    private int contentLength;
    /** First byte of the next content in the request. */
    private long sourceAt;
    private final List<byte[]> rows = new ArrayList<>();
    /**
     * Number of the last record of each section of changes. 0 if an entry was changed without a record, or by an
     * earlier execution: then the answer waits for all changes of the zone until now.
     */
    private long[] numbers = {};
    private @Nullable StoreException refusal;

    /**
     * Begins a batch.
     *
     * @param contentMax longest contents of the answer in bytes
     * @param isLong whether the thread is one of the long requests
     */
    BatchExecution(ZoneHost host, HeldBytes bytesHeld, OperationRequest request, int contentMax, boolean isLong,
                   Scratch scratch, Reply reply) {
        this.host = host;
        this.request = request;
        this.scratch = scratch;
        this.contentMax = contentMax;
        this.isLong = isLong;
        count = request.length;
        cids = scratch.cids(count);
        results = scratch.results(count);
        held = new SectionsAnswer(reply, bytesHeld);
    }

    void execute() {
        Arrays.fill(results, 0, count, NOT_DONE);
        if (request.type == OperationType.BATCH_CREATE) {
            Arrays.fill(cids, 0, count, request.cid);
        } else {
            request.copyCids(cids);
        }
        sourceAt = request.contentsAt();
        final int sections = sections();
        if (request.type.isChange()) {
            numbers = new long[sections];
        }
        contentsAt = HEAD_BYTES + sections * OperationFormat.SECTION_BYTES + count * Long.BYTES;
        contentLength = request.type == OperationType.BATCH_GET_LONG ? count * Long.BYTES : 0;
        scratch.ensure(contentsAt + contentLength);
        Arrays.fill(scratch.bytes(), contentsAt, contentsAt + contentLength, (byte) 0);
        if (request.type.isOfMap()) {
            maps = new MapSections(host, request, scratch, isLong, cids, results, contentMax, contentsAt);
        }
        checkRights();
        int from = 0;
        for (int section = 0; section < sections; section++) {
            final int end = sectionEnd(from);
            executeSection(section, from, end - from);
            from = end;
        }
        if (maps == null) {
            awaitSections(sections);
        } else {
            maps.await();
            contentLength = maps.contentLength();
        }
        finish(sections);
    }

    /** Checks the collections of all sections before the first section is executed. */
    private void checkRights() {
        final SessionCaller caller = SessionCaller.now();
        if (caller != null && request.type.isOfMap()) {
            OperationRights.checkNames(caller, request);
            for (int from = 0; from < count; from = sectionEnd(from)) {
                final int zone = Cid.nid(cids[from]);
                final ChunkStore store = host.serving(zone);
                final SlotTable slots = host.slots(zone);
                if (store != null && slots != null) {
                    checkRights(caller, store, slots, from, sectionEnd(from) - from);
                }
            }
        }
    }

    private void checkRights(SessionCaller caller, ChunkStore store, SlotTable slots, int from, int entries) {
        OperationRights.checkRoots(caller, request, store, slots.maps(), cids, from, entries, host.clock().nowNs());
    }

    private int sections() {
        int sections = 0;
        for (int from = 0; from < count; from = sectionEnd(from)) {
            sections++;
        }
        return sections;
    }

    private int sectionEnd(int from) {
        int end = from + 1;
        while (end < count && Cid.nid(cids[end]) == Cid.nid(cids[from])) {
            end++;
        }
        return end;
    }

    private void finish(int sections) {
        final byte[] text = refusal == null ? new byte[0]
            : FailureText.of(refusal).getBytes(StandardCharsets.UTF_8);
        final int rowBytes = rows.stream().mapToInt(row -> row.length).sum();
        int at = contentsAt + contentLength;
        scratch.ensure(at + rowBytes + text.length);
        final MemorySegment memory = scratch.memory();
        OperationFormat.putBatchHead(memory, refusal == null ? 0 : refusal.category().ordinal(), sections, count,
            text.length);
        MemorySegment.copy(results, 0, memory, OperationFormat.LONG, OperationFormat.sectionAt(sections), count);
        for (byte[] row : rows) {
            System.arraycopy(row, 0, scratch.bytes(), at, row.length);
            at += row.length;
        }
        System.arraycopy(text, 0, scratch.bytes(), at, text.length);
        if (request.type.isChange()) {
            held.finish(scratch.bytes(), memory, at + text.length);
        } else {
            held.finish(scratch.bytes(), memory, at + text.length, () -> busy(sections));
        }
    }

    /**
     * Writes the answer that nothing was done, because too many answers wait already. Returns the length of the answer.
     */
    private int busy(int sections) {
        final MemorySegment memory = scratch.memory();
        OperationFormat.putBatchHead(memory, 0, sections, count, 0);
        int from = 0;
        for (int section = 0; section < sections; section++) {
            final int end = sectionEnd(from);
            OperationFormat.putSection(memory, section, OperationFormat.BUSY, end - from, 0);
            from = end;
        }
        Arrays.fill(results, 0, count, NOT_DONE);
        MemorySegment.copy(results, 0, memory, OperationFormat.LONG, OperationFormat.sectionAt(sections), count);
        final int length = (int) OperationFormat.sectionAt(sections) + count * Long.BYTES;
        if (request.type == OperationType.BATCH_GET_LONG) {
            Arrays.fill(scratch.bytes(), length, length + count * Long.BYTES, (byte) 0);
            return length + count * Long.BYTES;
        }
        return length;
    }

    // ---- a section ----

    private void executeSection(int section, int from, int entries) {
        final int zone = Cid.nid(cids[from]);
        final ChunkStore store = host.serving(zone);
        final SlotTable slots = request.needsSlots() ? host.slots(zone) : null;
        int code = OperationFormat.DONE;
        byte[] row = {};
        final long before = sourceAt;
        if (store == null || slots == null && request.needsSlots()) {
            final ZoneRow newest = host.row(zone);
            row = newest == null ? row : RowBytes.of(newest);
            rows.add(row);
            code = OperationFormat.NOT_HERE;
        } else if (refusal == null) {
            final SessionCaller caller = SessionCaller.now();
            if (caller != null && slots != null && maps != null) {  // the zone may have come meanwhile
                checkRights(caller, store, slots, from, entries);
            }
            code = slots == null ? runSection(zone, () -> run(store, from, entries))
                : request.type.isChange() ? change(store, slots, section, from, entries)
                : codeOf(zone, () -> maps().read(store, slots, range(from, entries)));
            if (maps != null) {
                maps.end(zone, request.type.isChange() ? numbers[section] : 0, part(section));
            }
        }
        sourceAt = before;
        skip(from, entries);
        OperationFormat.putSection(scratch.memory(), section, code, entries, row.length);
    }

    private MapSections maps() {
        return Objects.requireNonNull(maps);
    }

    private MapSections.Range range(int from, int entries) {
        return new MapSections.Range(from, entries, sourceAt);
    }

    /** Executes a section of changes, unless its slot is in use or has ended; returns the code. */
    private int change(ChunkStore store, SlotTable slots, int section, int from, int entries) {
        final RecordedZone zone;
        try {
            zone = slots.recorded().take(store, host);
        } catch (ZoneDroppedException _) {
            return OperationFormat.DEPOSED;
        }
        try {
            return request.session == 0 ? codeOf(slots.zone(), () -> change(slots, zone, null, range(from, entries)))
                : runOnce(slots, zone, section, from, entries);
        } finally {
            numbers[section] = maps != null || zone.writer().records() == changedCount(from, from + entries)
                ? zone.writer().number() : 0;
            slots.recorded().give(zone);
        }
    }

    private int runOnce(SlotTable slots, RecordedZone zone, int section, int from, int entries) {
        final Slot slot = slots.enter(request.session, request.ticket(section));
        if (slot == SlotTable.IN_USE || slot == SlotTable.ENDED) {
            return slot == SlotTable.IN_USE ? OperationFormat.BUSY : OperationFormat.EXPIRED;
        }
        try {
            return codeOf(slots.zone(), () -> change(slots, zone, slot, range(from, entries)));
        } finally {
            slot.leave();
        }
    }

    /** Executes the entries of a section of changes, with a slot or without; returns the code. */
    private int change(SlotTable slots, RecordedZone zone, @Nullable Slot slot, MapSections.Range range) {
        if (maps != null) {
            return maps.change(zone, slots, slot, range);
        }
        if (slot == null) {
            run(zone.store(), range.from(), range.count());
        } else {
            new BatchChangesOnce(request, zone, slots, slot, results).run(cids, range.from(), range.count(), sourceAt);
        }
        return OperationFormat.DONE;
    }

    private int runSection(int zone, Runnable entries) {
        return codeOf(zone, () -> {
            entries.run();
            return OperationFormat.DONE;
        });
    }

    private int codeOf(int zone, IntSupplier entries) {
        try {
            return entries.getAsInt();
        } catch (StoreException e) {
            final int code = RefusalCode.of(e, host, zone);
            refusal = code == OperationFormat.REFUSED ? e : null;
            return code;
        } catch (StoreClosedException | ZoneDroppedException e) {
            return OperationFormat.DEPOSED;
        }
    }

    /** Passes over the contents of entries. */
    private void skip(int from, int entries) {
        final boolean hasContents = request.type.hasContents();
        for (int i = from; hasContents && i < from + entries; i++) {
            sourceAt += request.entryLength(i);
        }
    }

    /** Announces the awaited verdicts of the host: no verdict for a section without an executed entry. */
    private void awaitSections(int sections) {
        if (request.type == OperationType.BATCH_CREATE) {       // one section; the CIDs are results now
            awaitChanges(0, Cid.nid(request.cid), 0, count);
            return;
        }
        int from = 0;
        for (int section = 0; section < sections; section++) {
            final int end = sectionEnd(from);
            if (request.type.isChange()) {
                awaitChanges(section, Cid.nid(cids[from]), from, end);
            } else if (isAnyDone(from, end)) {
                awaitReads(section, from, end);
            }
            from = end;
        }
    }

    private void awaitReads(int section, int from, int end) {
        final int zone = Cid.nid(cids[from]);
        if (request.isReadAtOwner) {
            host.afterOwnerRead(zone, part(section).await());
        } else {
            host.afterReads(zone, cids, from, end - from, part(section).await());
        }
    }

    private void awaitChanges(int section, int zone, int from, int end) {
        final SectionsAnswer.Section part = part(section);
        for (int i = from; i < end; i++) {
            if (Status.isStatus(results[i]) && request.type != OperationType.BATCH_CREATE) {
                host.afterRead(zone, cids[i], part.await());
            }
        }
        if (changedCount(from, end) > 0) {
            host.afterChange(zone, numbers[section], request.level, part.await());
        }
    }

    private int changedCount(int from, int end) {
        int changed = 0;
        for (int i = from; i < end; i++) {
            changed += Status.isStatus(results[i]) || results[i] == NOT_DONE ? 0 : 1;
        }
        return changed;
    }

    private boolean isAnyDone(int from, int end) {
        for (int i = from; i < end; i++) {
            if (results[i] != NOT_DONE) {
                return true;
            }
        }
        return false;
    }

    private SectionsAnswer.Section part(int section) {
        return held.section((int) OperationFormat.sectionAt(section));
    }

    // ---- the operations ----

    private void run(ChunkStore store, int from, int entries) {
        switch (request.type) {
            case BATCH_GET -> get(store, from, entries);
            case BATCH_SIZE -> {
                for (int i = from; i < from + entries; i++) {
                    results[i] = store.size(cids[i]);
                }
            }
            case BATCH_GET_LONG -> getLong(store, from, entries);
            case BATCH_CREATE -> create(store, from, entries);
            case BATCH_PUT -> put(store, from, entries);
            case BATCH_RESIZE -> resize(store, from, entries);
            case BATCH_REMOVE -> remove(store, from, entries);
            default -> throw new AssertionError(request.type);
        }
    }

    private void get(ChunkStore store, int from, int entries) {
        final int[] lengths = scratch.ints(entries);
        final int at = contentsAt + contentLength;
        final int room = room(store, from, entries);
        scratch.ensure(at + room);
        final MemorySegment target = scratch.memory().asSlice(0, at + room);
        contentLength += (int) store.batch().get(cids, from, entries, target, at, lengths);
        for (int i = 0; i < entries; i++) {
            results[from + i] = lengths[i] == Status.TOO_SMALL ? tooSmall(store, cids[from + i]) : lengths[i];
        }
    }

    /** Returns the room for the contents of a section: small ones are not measured before. */
    private int room(ChunkStore store, int from, int entries) {
        final int most = (int) Math.min(request.cid, contentMax - contentLength);
        if (most <= OperationFormat.SHORT_BYTES_MAX) {
            return most;
        }
        long size = 0;
        for (int i = from; i < from + entries && size < most; i++) {
            size += Math.max(store.size(cids[i]), 0);
        }
        return (int) Math.min(size, most);
    }

    /** Returns the result for a chunk that has no room in the answer: the caller may have room for it. */
    private long tooSmall(ChunkStore store, long cid) {
        final long size = store.size(cid);
        return size < 0 ? size : size > request.cid ? Status.TOO_SMALL : NOT_DONE;
    }

    private void getLong(ChunkStore store, int from, int entries) {
        final long[] values = new long[entries];
        for (int i = 0; i < entries; i++) {
            results[from + i] = getLong(store, cids[from + i], values, i);
        }
        MemorySegment.copy(values, 0, scratch.memory(), OperationFormat.LONG, contentsAt + (long) from * Long.BYTES,
            entries);
    }

    private long getLong(ChunkStore store, long cid, long[] values, int index) {
        try {
            values[index] = store.fields().getLong(cid, request.cid, 0);
            final boolean isThere = values[index] != 0 || store.fields().getLong(cid, request.cid, 1) != 1;
            return isThere ? Status.OK : absent(store, cid);
        } catch (IndexOutOfBoundsException e) {
            return Status.OUT_OF_RANGE;
        } catch (StoreException e) {
            if (e.status() == Status.LOCKED) {
                return Status.LOCKED;
            }
            throw e;
        }
    }

    /** The field was 0 and then 1, or the chunk is absent. */
    private static long absent(ChunkStore store, long cid) {
        return store.exists(cid) ? NOT_DONE : Status.ABSENT;
    }

    private void create(ChunkStore store, int from, int entries) {
        assert from == 0 && entries == count : "creates have one section";
        Arrays.fill(cids, 0, count, NOT_DONE);
        final boolean isConsecutive = request.has(OperationFormat.CONSECUTIVE);
        try {
            if (request.has(OperationFormat.UNIFORM)) {
                store.batch().create(request.entryLength(0), cids, 0, count, isConsecutive);
            } else {
                final MemorySegment source = request.has(OperationFormat.ZEROS) ? null
                    : request.memory.asSlice(sourceAt);
                store.batch().create(source, request.entryLengths(0, count), cids, 0, isConsecutive);
            }
        } finally {
            System.arraycopy(cids, 0, results, 0, count);
        }
    }

    private void put(ChunkStore store, int from, int entries) {
        final int[] statuses = scratch.ints(entries);
        Arrays.fill(statuses, 0, entries, Integer.MIN_VALUE);
        try {
            store.batch().put(cids, from, request.memory.asSlice(sourceAt), request.entryLengths(from, entries),
                statuses);
        } finally {
            takeStatuses(statuses, from, entries);
        }
    }

    private void resize(ChunkStore store, int from, int entries) {
        final int[] statuses = scratch.ints(entries);
        Arrays.fill(statuses, 0, entries, Integer.MIN_VALUE);
        final long[] lengths = Arrays.stream(request.entryLengths(from, entries)).asLongStream().toArray();
        try {
            store.batch().resize(cids, from, lengths, statuses);
        } finally {
            takeStatuses(statuses, from, entries);
        }
    }

    private void takeStatuses(int[] statuses, int from, int entries) {
        for (int i = 0; i < entries; i++) {
            results[from + i] = statuses[i] == Integer.MIN_VALUE ? NOT_DONE : statuses[i];
        }
    }

    private void remove(ChunkStore store, int from, int entries) {
        final long[] lengths = new long[entries];
        Arrays.fill(lengths, NOT_DONE);
        try {
            store.batch().remove(cids, from, entries, lengths);
        } finally {
            System.arraycopy(lengths, 0, results, from, entries);
        }
    }
}
