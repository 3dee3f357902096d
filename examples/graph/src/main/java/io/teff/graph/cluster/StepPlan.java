package io.teff.graph.cluster;

import io.teff.graph.algorithms.program.Partition;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What all workers do in a step: the argument of the task.
 *
 * @param work kind of work
 * @param graph CID of the header
 * @param flags of the graph
 * @param partition of the vertices
 * @param workers worker of each part
 * @param roots root of each part
 * @param run number of the run
 * @param step superstep, or number of the slice
 * @param steps number of slices
 * @param columns roots of columns: of a run that saves its state, one row for even and one for odd supersteps; then the
 *     row of the result
 * @param program name of the program
 * @param settings of the program
 * @param before bits of the aggregates of the superstep before
 */
record StepPlan(Work work, long graph, int flags, Partition partition, int[] workers, long[] roots, long run, int step,
                int steps, long[][] columns, String program, byte[] settings, long[] before) {
    /** Kinds of work. */
    enum Work {
        /** Tells the zone of the worker, its node, and the processors of the node. */
        PLACE,
        /** Sorts the arcs of the parts. */
        BUILD,
        /** Reads the parts into memory. */
        OPEN,
        /** A superstep of a program. */
        SUPERSTEP,
        /** Writes the state of a program into a column. */
        WRITE,
        /** A slice of the triangles. */
        TRIANGLES
    }

    /** Asks each worker for its zone. */
    static StepPlan place() {
        return new StepPlan(Work.PLACE, 0, 0, new Partition(0, 0), new int[1], new long[1], 0, 0, 0, new long[0][], "",
            new byte[0], new long[0]);
    }

    static StepPlan of(Work work, long graph, PartedHeader header, int[] workers) {
        return new StepPlan(work, graph, header.flags(), header.partition(), workers, header.roots(), 0, 0, 0,
            new long[0][], "", new byte[0], new long[0]);
    }

    StepPlan with(Work other, int stepOf, long[][] columnRows, long[] beforeBits) {
        return new StepPlan(other, graph, flags, partition, workers, roots, run, stepOf, steps, columnRows, program,
            settings, beforeBits);
    }

    StepPlan withProgram(String name, byte[] itsSettings, long runOf) {
        return new StepPlan(work, graph, flags, partition, workers, roots, runOf, step, steps, columns, name,
            itsSettings, before);
    }

    StepPlan withSlice(int slice, int slices) {
        return new StepPlan(work, graph, flags, partition, workers, roots, run, slice, slices, columns, program,
            settings, before);
    }

    boolean saves() {
        return columns.length > 1;
    }

    long[] target() {
        return columns[columns.length - 1];
    }

    long[] savedAt(int superstep) {
        return columns[superstep & 1];
    }

    byte[] write() {
        byte[] name = program.getBytes(StandardCharsets.UTF_8);
        int parts = partition.parts();
        byte[] bytes = new byte[12 * Integer.BYTES + 2 * Long.BYTES + parts * (Integer.BYTES + Long.BYTES)
            + columns.length * parts * Long.BYTES + name.length + settings.length + before.length * Long.BYTES];
        ByteBuffer out = PartLayout.view(bytes);
        out.putInt(work.ordinal()).putInt(flags).putInt(partition.vertexCount()).putInt(partition.shift());
        out.putInt(step).putInt(steps).putInt(columns.length).putInt(name.length).putInt(settings.length);
        out.putInt(before.length);
        out.putLong(graph).putLong(run);
        for (int worker : workers) {
            out.putInt(worker);
        }
        PartLayout.put(out, roots);
        for (long[] row : columns) {
            PartLayout.put(out, row);
        }
        out.put(name).put(settings);
        PartLayout.put(out, before);
        return bytes;
    }

    static StepPlan read(byte[] bytes) {
        ByteBuffer in = PartLayout.view(bytes);
        Work work = Work.values()[in.getInt()];
        int flags = in.getInt();
        Partition partition = new Partition(in.getInt(), in.getInt());
        int step = in.getInt();
        int steps = in.getInt();
        long[][] columns = new long[in.getInt()][];
        byte[] name = new byte[in.getInt()];
        byte[] settings = new byte[in.getInt()];
        int aggregates = in.getInt();
        long graph = in.getLong();
        long run = in.getLong();
        int[] workers = new int[partition.parts()];
        for (int part = 0; part < workers.length; part++) {
            workers[part] = in.getInt();
        }
        long[] roots = PartLayout.longs(in, workers.length);
        for (int i = 0; i < columns.length; i++) {
            columns[i] = PartLayout.longs(in, workers.length);
        }
        in.get(name).get(settings);
        return new StepPlan(work, graph, flags, partition, workers, roots, run, step, steps, columns,
            new String(name, StandardCharsets.UTF_8), settings, PartLayout.longs(in, aggregates));
    }
}
