package io.teff.graph.store;

/**
 * What a load will take, told before it begins.
 *
 * @param vertexCount number of vertices
 * @param edgeCount number of edges of the source, with loops and duplicates
 * @param storeBytes memory of the graph in the store, at most
 * @param storeFreeBytes memory that the store has left
 * @param sortBytes memory off the heap while edges are sorted
 * @param heapBytes memory on the heap while vertices are created
 * @param passes how often the source is read for each direction
 */
public record GraphLoadPlan(int vertexCount, long edgeCount, long storeBytes, long storeFreeBytes, long sortBytes,
                       long heapBytes, int passes) {
    /** {@return whether the store has the memory} */
    public boolean fits() {
        return storeBytes <= storeFreeBytes;
    }
}
