package io.teff.tools.graph;

import io.teff.engine.Store;
import io.teff.graph.data.ClassReferences;
import io.teff.graph.data.DebianPackages;
import io.teff.graph.data.MethodCalls;
import io.teff.graph.data.WordNet;
import io.teff.graph.data.WordNetFiles;
import io.teff.graph.formats.CountedEdges;
import io.teff.graph.formats.GraphFiles;
import io.teff.graph.formats.GraphFiles.Format;
import io.teff.graph.formats.ReadOptions;
import io.teff.graph.generate.GeneratorForm;
import io.teff.graph.names.EdgeLabels;
import io.teff.graph.names.GraphInput;
import io.teff.graph.names.VertexNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The sources of {@code graph load}: files, generators, and data of this machine.
 *
 * @param text the argument of the command
 * @param format format of a file, or null for the format that its name tells
 * @param options how a file is read
 * @param seed seed of a generator
 * @param weighted whether a generator gives weights
 * @param words folder with the files of WordNet, or null for those of this machine
 */
record GraphSources(String text, @Nullable Format format, ReadOptions options, long seed, boolean weighted,
                    @Nullable Path words) {
    /**
     * Opens the source; names and labels go into the store.
     *
     * @param say gets a line before anything is downloaded
     */
    GraphInput open(Store store, String graph, GraphProgress progress, Consumer<String> say) throws IOException {
        VertexNames names = new VertexNames(store, graph);
        EdgeLabels labels = new EdgeLabels(store, graph);
        switch (text) {
            case "debian" -> {
                return DebianPackages.ofThisMachine(names, labels, steps(progress, "packages"));
            }
            case "wordnet" -> {
                Path folder = words == null ? WordNetFiles.fetch(WordNetFiles.userCache(), say) : words;
                return WordNet.read(folder, names, labels, steps(progress, "lines of WordNet"));
            }
            case "classes" -> {
                return ClassReferences.read(names, labels, steps(progress, "class files"));
            }
            case "calls" -> {
                return MethodCalls.read(names, labels, steps(progress, "class files"));
            }
            default -> {
                return GeneratorForm.isGenerator(text)
                    ? new GraphInput(GeneratorForm.parse(text, seed, weighted), null, null)
                    : openFile(store, graph, progress);
            }
        }
    }

    private GraphInput openFile(Store store, String graph, GraphProgress progress) throws IOException {
        progress.at("reading names of " + text, 0, -1);
        Path file = Path.of(text);
        GraphInput input = GraphFiles.open(file, format == null ? GraphFiles.formatOf(file) : format, options, store,
            graph);
        progress.at("counting edges of " + text, 0, -1);
        return new GraphInput(CountedEdges.of(input.edges()), input.names(), input.labels());
    }

    private static LongConsumer steps(GraphProgress progress, String step) {
        return done -> progress.at("reading " + step, done, -1);
    }
}
