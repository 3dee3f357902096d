package io.teff.graph.cluster;

import io.teff.graph.algorithms.program.VertexProgram;

/**
 * Makes vertex programs at the workers of a cluster. Nodes find the implementations with {@link
 * java.util.ServiceLoader} on their own class path or module path; no code comes from clients.
 */
public interface ProgramFactory {
    /** {@return the name of the program, the same at each call} */
    String name();

    /**
     * Makes a program.
     *
     * @param settings as the caller of the run has given them
     * @return the program
     * @throws IllegalArgumentException if the settings are wrong
     */
    VertexProgram program(byte[] settings);

    /**
     * Makes a program that this process knows: bfs, components, pagerank, paths, cores or communities of this library,
     * or one that the service loader finds.
     *
     * @param name of the program
     * @param settings of the program
     * @return the program
     * @throws IllegalArgumentException if there is no such program
     */
    static VertexProgram of(String name, byte[] settings) {
        return GraphPrograms.of(name, settings);
    }
}
