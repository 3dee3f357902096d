package io.teff.tools.graph;

import io.teff.engine.Store;
import io.teff.graph.names.EdgeLabels;
import io.teff.graph.names.LabelledSearch;
import io.teff.graph.names.VertexNames;
import io.teff.graph.store.StoreGraph;
import io.teff.recovery.DurableStore;
import io.teff.recovery.ReadOnlyStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A graph in the folder of a durable store, opened for reading, with its names and labels. */
final class OpenGraph implements AutoCloseable {
    private static final int DECIMAL_DIGITS_MAX = 10;

    private final ReadOnlyStore folder;
    private final StoreGraph graph;
    private final GraphFacts facts;
    private final @Nullable VertexNames names;
    private final @Nullable EdgeLabels labels;

    private OpenGraph(ReadOnlyStore folder, String name) {
        this.folder = folder;
        Store store = folder.store();
        graph = open(store, name);
        facts = GraphFacts.of(store, name);
        names = facts.hasNames() ? new VertexNames(store, name) : null;
        labels = facts.hasLabels() ? new EdgeLabels(store, name) : null;
    }

    private static StoreGraph open(Store store, String name) {
        try {
            return StoreGraph.open(store, name);
        } catch (NoSuchElementException e) {
            throw new GraphFailure(e.getMessage() + "; its graphs: " + String.join(", ", GraphFacts.all(store)));
        }
    }

    /** Opens a graph; nothing on the disk changes. */
    static OpenGraph of(GraphPlace place) {
        Path path = place.store();
        if (!Files.isDirectory(path)) {
            throw new GraphFailure("there is no folder " + path + "; ./teff graph load makes one");
        }
        ReadOnlyStore folder = DurableStore.openReadOnly(path);
        boolean isDone = false;
        try {
            OpenGraph open = new OpenGraph(folder, place.name());
            isDone = true;
            return open;
        } finally {
            if (!isDone) {
                folder.close();
            }
        }
    }

    StoreGraph graph() {
        return graph;
    }

    GraphFacts facts() {
        return facts;
    }

    Store store() {
        return folder.store();
    }

    @Nullable VertexNames names() {
        return names;
    }

    @Nullable EdgeLabels labels() {
        return labels;
    }

    /** The vertex with a name, or with a number if the vertices have no names. */
    int vertex(String text) {
        if (names == null) {
            boolean isNumber = !text.isEmpty() && text.length() <= DECIMAL_DIGITS_MAX
                && text.chars().allMatch(it -> it >= '0' && it <= '9');
            long number = isNumber ? Long.parseLong(text) : Long.MAX_VALUE;
            if (number >= graph.vertexCount()) {
                throw new GraphFailure("there is no vertex " + text + "; the vertices are 0 to "
                    + (graph.vertexCount() - 1));
            }
            return (int) number;
        }
        int vertex = names.find(text);
        if (vertex < 0) {
            String near = names.nearest(text);
            throw new GraphFailure("there is no vertex " + text + (near.isEmpty() ? "" : "; there is " + near));
        }
        return vertex;
    }

    String name(int vertex) {
        return names == null ? String.valueOf(vertex) : names.name(vertex);
    }

    /** The set of some labels; all arcs if no label is given. */
    long labels(List<String> chosen) {
        if (chosen.isEmpty()) {
            return LabelledSearch.ANY;
        }
        if (labels == null) {
            throw new GraphFailure("the edges of the graph have no labels");
        }
        try {
            return labels.set(chosen);
        } catch (IllegalArgumentException e) {
            throw new GraphFailure(Objects.requireNonNullElse(e.getMessage(), "unknown label"));
        }
    }

    /** Labels or weight of an arc, for people; empty if the graph has neither. */
    String arcText(double weight) {
        return labels != null ? String.join("+", labels.of(weight)) : graph.weighted() ? String.valueOf(weight) : "";
    }

    @Override
    public void close() {
        folder.close();
    }
}
