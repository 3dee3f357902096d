package io.teff.cluster.client;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.client.EntryGroups.Group;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.operation.RequestBytes;
import io.teff.engine.Cid;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Batches of creates: consecutive parts go to the thread's next zones, whose owners create them at the same time.
 * Chunks with consecutive CIDs are all in one zone. Thread-safe.
 */
final class BatchCreates {
    /** Most chunks created in one zone before the next zone is used. */
    private static final int PART_ENTRIES_MAX = 1024;
    private static final long PART_BYTES_MAX = 1 << 20;
    /** Longest contents of chunks with consecutive CIDs. */
    private static final long CONSECUTIVE_BYTES_MAX = OperationFormat.LONG_BYTES_MAX / 2;

    private final ClusterClient client;
    private final ZonePicker zones;
    private final WriteLevel level;

    BatchCreates(ClusterClient client, ZonePicker zones, WriteLevel level) {
        this.client = client;
        this.zones = zones;
        this.level = level;
    }

    /** The chunks to be created. */
    private record Plan(@Nullable MemorySegment source, int @Nullable [] lengths, long[] starts, int length,
                        boolean isConsecutive) {
        long bytes(int entry) {
            return source == null || lengths == null ? 0 : lengths[entry];
        }
    }

    int create(@Nullable MemorySegment source, int @Nullable [] lengths, int length, long[] cids, int from, int count,
               boolean consecutive) {
        final Plan plan = new Plan(source, lengths, lengths == null ? new long[0] : RemoteBatch.starts(lengths), length,
            consecutive);
        checkConsecutive(plan, count);
        try (Call call = client.call(OperationType.BATCH_CREATE, count)) {
            client.checkOpen();
            final BatchCall batch = new BatchCall(client, call, OperationType.BATCH_CREATE, count);
            try {
                run(batch, call, plan);
            } finally {
                batch.endSections();
                for (int i = 0; i < count; i++) {
                    cids[from + i] = batch.results[i] == OperationFormat.NOT_DONE ? cids[from + i] : batch.results[i];
                }
            }
            return batch.done();
        }
    }

    private static void checkConsecutive(Plan plan, int count) {
        long bytes = 0;
        for (int i = 0; plan.isConsecutive && i < count; i++) {
            bytes += plan.bytes(i);
        }
        if (plan.isConsecutive && (count > OperationFormat.ENTRIES_MAX || bytes > CONSECUTIVE_BYTES_MAX)) {
            throw new IllegalArgumentException(count + " chunks of " + bytes + " bytes with consecutive CIDs: a cluster"
                + " creates at most " + OperationFormat.ENTRIES_MAX + " of " + CONSECUTIVE_BYTES_MAX + " bytes");
        }
    }

    private void run(BatchCall batch, Call call, Plan plan) {
        final FullOwners full = new FullOwners();
        final int[] zoneOf = new int[batch.results.length];
        int[] pending = batch.pending();
        while (pending.length > 0) {
            final int[] fresh = batch.unassigned();
            final List<Section> sections = new ArrayList<>();
            if (fresh.length > 0 && !assign(batch, call, plan, fresh, full, sections)) {
                for (int entry : fresh) {
                    batch.results[entry] = Status.FULL;
                }
            }
            sections.forEach(section -> Arrays.stream(section.entries).forEach(entry -> zoneOf[entry] = section.zone));
            batch.add(sections);
            final List<Group> groups = batch.groups(plan::bytes);
            batch.round(groups, (bytes, entries) -> write(bytes, plan, zoneOf[entries[0]], entries),
                BatchCall.Reader.NONE);
            batch.throwRefusal();
            if (plan.isConsecutive && isBroken(batch, pending)) {
                return;
            }
            final boolean isAnyFull = takeBackFull(batch, groups, full);
            final int[] rest = batch.pending();
            batch.next(rest.length < pending.length || isAnyFull, rest.length);
            pending = rest;
        }
    }

    /** Assigns parts of the entries to zones; returns false if no owner has room. */
    private boolean assign(BatchCall batch, Call call, Plan plan, int[] pending, FullOwners full,
                           List<Section> sections) {
        for (int from = 0; from < pending.length; ) {
            final int zone = zones.next(full);
            if (zone == ZonePicker.ALL_FULL) {
                return !sections.isEmpty();
            }
            final NodeRef owner = zone < 0 ? null : batch.owner(zone);
            if (owner == null) {
                call.failed(client.tables().noneOpen(), null);
                return true;
            }
            final int end = plan.isConsecutive ? pending.length : partEnd(plan, pending, from);
            sections.add(new Section(zone, Arrays.copyOfRange(pending, from, end)));
            from = end;
        }
        return true;
    }

    private static int partEnd(Plan plan, int[] pending, int from) {
        long bytes = 0;
        int end = from;
        while (end < pending.length && end - from < PART_ENTRIES_MAX && (end == from || bytes < PART_BYTES_MAX)) {
            bytes += plan.bytes(pending[end++]);
        }
        return end;
    }

    private void write(RequestBytes bytes, Plan plan, int zone, int[] entries) {
        final int[] lengths = plan.lengths;
        final int flags = (plan.source == null ? OperationFormat.ZEROS : 0)
            | (lengths == null ? OperationFormat.UNIFORM : 0)
            | (plan.isConsecutive ? OperationFormat.CONSECUTIVE : 0);
        bytes.begin(OperationType.BATCH_CREATE, level, flags, 0, entries.length, Cid.of(zone, 0));
        if (lengths == null) {
            bytes.putInt(plan.length);
            return;
        }
        RemoteBatch.putLengths(bytes, entries, entry -> lengths[entry]);
        if (plan.source != null) {
            RemoteBatch.putContents(bytes, plan.source, plan.starts, lengths, entries);
        }
    }

    /** Returns whether some chunks with consecutive CIDs exist, so that the rest cannot be created elsewhere. */
    private static boolean isBroken(BatchCall batch, int[] pending) {
        final int done = batch.done();
        if (done == 0 || done == batch.results.length) {
            return false;
        }
        if (batch.pending().length > 0) {
            throw new StoreException(Category.RETRY, "the owner became busy; " + done + " of " + pending.length
                + " chunks were processed");
        }
        return true;
    }

    /** Makes entries pending again if their owner was full, because a second owner may have room. */
    private static boolean takeBackFull(BatchCall batch, List<Group> groups, FullOwners full) {
        boolean isAny = false;
        for (Group group : groups) {
            for (int entry : group.entries()) {
                if (batch.results[entry] == Status.FULL) {
                    batch.results[entry] = OperationFormat.NOT_DONE;
                    full.add(group.owner().nid());
                    isAny = true;
                }
            }
        }
        return isAny;
    }
}
