package io.teff.graph.algorithms.program;

import io.teff.graph.Neighbours;

/** The arcs of the vertices of one part of a graph. Vertices are named by their index in the part. */
public interface PartArcs {
    /** {@return the number of the part} */
    int part();

    /**
     * Returns the number of arcs of a vertex.
     *
     * @param index of the vertex in the part
     * @return length of its run of neighbours
     */
    int degree(int index);

    /** {@return a new cursor, which opens runs by the index of the vertex, and gives neighbours by their numbers} */
    Neighbours neighbours();
}
