package io.teff.graph.cluster;

import io.teff.engine.ChunkStore;
import io.teff.graph.algorithms.program.Partition;
import io.teff.graph.cluster.PartedHeader.Column;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

/** The packed values of all vertices of a parted graph, gathered from the parts. Immutable. */
public final class PartedValues {
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle DOUBLES =
        MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);

    private final Partition partition;
    private final int rowBytes;
    private final byte[][] parts;

    private PartedValues(Partition partition, int rowBytes, byte[][] parts) {
        this.partition = partition;
        this.rowBytes = rowBytes;
        this.parts = parts;
    }

    static PartedValues read(ChunkStore store, Partition partition, Column column) {
        ZoneChunks chunks = ZoneChunks.of(store);
        byte[][] parts = new byte[partition.parts()][];
        for (int part = 0; part < parts.length; part++) {
            parts[part] = ColumnChunks.read(chunks, column.roots()[part], Math.multiplyExact(partition.count(part),
                column.rowBytes()));
        }
        return new PartedValues(partition, column.rowBytes(), parts);
    }

    /** {@return the number of vertices} */
    public int vertexCount() {
        return partition.vertexCount();
    }

    /** {@return bytes of the values of a vertex} */
    public int rowBytes() {
        return rowBytes;
    }

    private int place(int vertex, int offset, int size) {
        Objects.checkIndex(vertex, partition.vertexCount());
        return partition.index(vertex) * rowBytes + Objects.checkFromIndexSize(offset, size, rowBytes);
    }

    /**
     * Returns a number of a vertex.
     *
     * @param vertex the vertex
     * @param offset in the values of the vertex
     * @return the number
     */
    public int getInt(int vertex, int offset) {
        return (int) INTS.get(parts[partition.part(vertex)], place(vertex, offset, Integer.BYTES));
    }

    /**
     * Returns a number of a vertex.
     *
     * @param vertex the vertex
     * @param offset in the values of the vertex
     * @return the number
     */
    public long getLong(int vertex, int offset) {
        return (long) LONGS.get(parts[partition.part(vertex)], place(vertex, offset, Long.BYTES));
    }

    /**
     * Returns a number of a vertex.
     *
     * @param vertex the vertex
     * @param offset in the values of the vertex
     * @return the number
     */
    public double getDouble(int vertex, int offset) {
        return (double) DOUBLES.get(parts[partition.part(vertex)], place(vertex, offset, Double.BYTES));
    }

    /**
     * Returns a number of each vertex.
     *
     * @param offset in the values of a vertex
     * @return the numbers
     */
    public int[] ints(int offset) {
        int[] numbers = new int[vertexCount()];
        for (int vertex = 0; vertex < numbers.length; vertex++) {
            numbers[vertex] = getInt(vertex, offset);
        }
        return numbers;
    }

    /**
     * Returns a number of each vertex.
     *
     * @param offset in the values of a vertex
     * @return the numbers
     */
    public double[] doubles(int offset) {
        double[] numbers = new double[vertexCount()];
        for (int vertex = 0; vertex < numbers.length; vertex++) {
            numbers[vertex] = getDouble(vertex, offset);
        }
        return numbers;
    }
}
