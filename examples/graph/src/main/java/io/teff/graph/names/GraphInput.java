package io.teff.graph.names;

import io.teff.graph.edges.EdgeSource;
import org.jspecify.annotations.Nullable;

/**
 * The edges of a file or of other data, with names and labels.
 *
 * @param edges the edges
 * @param names names of all vertices, or null if the vertices are numbers
 * @param labels labels of the edges, whose weights are sets of labels; or null if weights are weights
 */
public record GraphInput(EdgeSource edges, @Nullable VertexNames names, @Nullable EdgeLabels labels) {}
