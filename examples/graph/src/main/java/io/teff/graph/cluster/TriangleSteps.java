package io.teff.graph.cluster;

import io.teff.engine.TaskContext;
import io.teff.graph.algorithms.program.Partition;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Counts triangles: each vertex has the list of its later neighbours, by degree and then by number, and sends this list
 * to each worker with one of them, which counts the common members of two lists. Each triangle counts once, at its
 * second vertex. Lists go in slices of the vertices, so that the waiting messages have a bound. For one thread.
 *
 * <p>A slice needs nothing of the slices before, so a worker that is lost counts its step again, and nothing else.
 * Memory: a bit and a degree for each vertex of the graph, and the lists of the parts of the worker.
 *
 * <pre>
 *  message   bytes behind 4 | last 4 | members: first, then distances, 1 to 5 bytes each
 * </pre>
 */
final class TriangleSteps {
    private static final int MESSAGE_BYTES_MAX = 32 << 10;
    private static final int HEAD_BYTES = 2 * Integer.BYTES;
    private static final int NUMBER_BYTES_MAX = 5;
    private static final int DIGIT_BITS = 7;
    private static final int MORE = 1 << DIGIT_BITS;
    private static final int WORD_SHIFT = 6;
    private static final int MEMBERS_FIRST = 64;

    private final Partition partition;
    private final int[] workers;
    private final int worker;
    private final Lists[] parts;
    private final @Nullable Lists[] byPart;
    private final long[] marks;
    private final byte[] message = new byte[MESSAGE_BYTES_MAX];
    private int[] members = new int[MEMBERS_FIRST];
    private long sentCount;
    private long sentBytes;

    /** The lists of later neighbours of the vertices of a part. */
    private record Lists(int part, int[] starts, int[] targets) {}

    TriangleSteps(TaskContext task, StepPlan plan, FrozenPart[] frozen) {
        partition = plan.partition();
        workers = plan.workers();
        worker = task.worker();
        marks = new long[(partition.vertexCount() >>> WORD_SHIFT) + 1];
        int[] degrees = degrees(task, plan);
        parts = new Lists[frozen.length];
        byPart = new Lists[partition.parts()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = lists(frozen[i], degrees);
            byPart[frozen[i].part()] = parts[i];
        }
    }

    private static int[] degrees(TaskContext task, StepPlan plan) {
        Partition partition = plan.partition();
        int[] degrees = new int[partition.vertexCount()];
        ZoneChunks chunks = ZoneChunks.of(task);
        for (int part = 0; part < partition.parts(); part++) {
            PieceInput in = new PieceInput(chunks, PartRoot.read(chunks, plan.roots()[part]).degrees());
            for (int index = 0; index < partition.count(part); index++) {
                degrees[partition.vertex(part, index)] = in.number();
            }
        }
        return degrees;
    }

    private Lists lists(FrozenPart frozen, int[] degrees) {
        int count = partition.count(frozen.part());
        int[] starts = new int[count + 1];
        int[] targets = new int[frozen.arcCount()];
        int end = 0;
        for (int index = 0; index < count; index++) {
            int vertex = partition.vertex(frozen.part(), index);
            for (int place = frozen.start(index); place < frozen.start(index + 1); place++) {
                int target = frozen.target(place);
                boolean isLater = degrees[target] > degrees[vertex]
                    || degrees[target] == degrees[vertex] && target > vertex;
                if (isLater && (end == starts[index] || targets[end - 1] != target)) {
                    targets[end++] = target;
                }
            }
            starts[index + 1] = end;
        }
        return new Lists(frozen.part(), starts, Arrays.copyOf(targets, end));
    }

    /** Counts with the lists of the slice before, and sends those of a slice; behind the last slice, counts alone. */
    StepRow step(TaskContext task, StepPlan plan) {
        sentCount = 0;
        sentBytes = 0;
        long[] triangles = new long[1];
        if (plan.step() > 0) {                                  // else the messages are those of earlier steps
            int[] count = new int[1];
            task.receive((_, batch) -> {
                while (batch.hasRemaining()) {
                    int length = batch.getInt();
                    boolean isLast = batch.getInt() != 0;
                    count[0] = read(batch, length, count[0]);
                    if (isLast) {
                        triangles[0] += count(count[0]);
                        count[0] = 0;
                    }
                }
            });
        }
        if (plan.step() < plan.steps()) {
            for (Lists part : parts) {
                triangles[0] += send(task, plan, part);
            }
        }
        return new StepRow(false, 0, sentCount, sentCount, sentBytes, new long[] {triangles[0]});
    }

    private long send(TaskContext task, StepPlan plan, Lists part) {
        int vertices = part.starts.length - 1;
        int from = (int) ((long) vertices * plan.step() / plan.steps());
        int to = (int) ((long) vertices * (plan.step() + 1) / plan.steps());
        boolean[] isWanted = new boolean[task.workers()];
        long triangles = 0;
        for (int index = from; index < to && !task.isCancelled(); index++) {
            int start = part.starts[index];
            int end = part.starts[index + 1];
            if (end - start < 2) {
                continue;
            }
            Arrays.fill(isWanted, false);
            for (int place = start; place < end; place++) {
                isWanted[workers[partition.part(part.targets[place])]] = true;
            }
            for (int other = 0; other < isWanted.length; other++) {
                if (isWanted[other] && other != worker) {
                    send(task, other, part.targets, start, end);
                }
            }
            if (isWanted[worker]) {
                copyMembers(part.targets, start, end);
                triangles += count(end - start);
            }
        }
        return triangles;
    }

    private void copyMembers(int[] targets, int start, int end) {
        members = members.length < end - start ? new int[2 * (end - start)] : members;
        System.arraycopy(targets, start, members, 0, end - start);
    }

    private void send(TaskContext task, int other, int[] targets, int start, int end) {
        int at = HEAD_BYTES;
        int before = 0;
        for (int place = start; place < end; place++) {
            if (at + NUMBER_BYTES_MAX > message.length) {
                leave(task, other, at, false);
                at = HEAD_BYTES;
                before = 0;
            }
            int distance = targets[place] - before;
            before = targets[place];
            while (distance >= MORE) {
                message[at++] = (byte) (distance | MORE);
                distance >>>= DIGIT_BITS;
            }
            message[at++] = (byte) distance;
        }
        leave(task, other, at, true);
    }

    private void leave(TaskContext task, int other, int length, boolean isLast) {
        PartLayout.view(message).putInt(length - HEAD_BYTES).putInt(isLast ? 1 : 0);
        task.send(other, Arrays.copyOf(message, length));
        sentCount++;
        sentBytes += length;
    }

    /** Reads members behind those of earlier messages; returns their number. */
    private int read(ByteBuffer batch, int length, int known) {
        int count = known;
        int end = batch.position() + length;
        int member = 0;
        while (batch.position() < end) {
            int digit = batch.get();
            int distance = digit & MORE - 1;
            for (int shift = DIGIT_BITS; digit < 0; shift += DIGIT_BITS) {
                digit = batch.get();
                distance |= (digit & MORE - 1) << shift;
            }
            member += distance;
            if (count == members.length) {
                members = Arrays.copyOf(members, 2 * count);
            }
            members[count++] = member;
        }
        return count;
    }

    /** Counts the common members of the list that was read and of the lists of its members at this worker. */
    private long count(int length) {
        for (int i = 0; i < length; i++) {
            marks[members[i] >>> WORD_SHIFT] |= 1L << members[i];
        }
        long triangles = 0;
        for (int i = 0; i < length; i++) {
            Lists part = byPart[partition.part(members[i])];
            if (part != null) {
                int index = partition.index(members[i]);
                for (int place = part.starts[index]; place < part.starts[index + 1]; place++) {
                    triangles += marks[part.targets[place] >>> WORD_SHIFT] >>> part.targets[place] & 1;
                }
            }
        }
        for (int i = 0; i < length; i++) {
            marks[members[i] >>> WORD_SHIFT] = 0;
        }
        return triangles;
    }
}
