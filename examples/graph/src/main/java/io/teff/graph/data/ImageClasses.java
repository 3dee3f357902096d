package io.teff.graph.data;

import io.teff.graph.names.EdgeLabels;
import io.teff.graph.names.GraphInput;
import io.teff.graph.names.LabelledEdges;
import io.teff.graph.names.VertexNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/** The class files of the run-time image of this JVM, and how graphs are made of them. */
final class ImageClasses {
    private static final String SUFFIX = ".class";
    private static final int BATCH = 1024;

    private ImageClasses() {}

    /** An edge as a class file has it. */
    record Edge(String source, String label, String target) {}

    /** The content of one class file: its vertices, and edges between names. */
    record Content(List<String> vertices, List<Edge> edges) {}

    /** Lists all class files in the order of modules and names, without descriptors of modules. */
    static List<Path> ofRuntimeImage() throws IOException {
        Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        try (Stream<Path> files = Files.walk(modules)) {
            return files.filter(it -> it.toString().endsWith(SUFFIX)
                && !it.toString().endsWith("/module-info" + SUFFIX)).sorted().toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /**
     * Reads class files by all processors in batches, and adds their content in the order of the files.
     *
     * @param isOpen whether an edge to a vertex of no file makes a vertex; otherwise the edge is dropped
     * @param progress gets the number of files that were read
     */
    static GraphInput read(List<Path> files, Function<ClassModel, Content> reader, VertexNames names,
                           EdgeLabels labels, boolean isOpen, LongConsumer progress) throws IOException {
        LabelledEdges.Builder builder = new LabelledEdges.Builder(true);
        if (!isOpen) {
            for (int from = 0; from < files.size(); from += BATCH) {
                List<Path> batch = files.subList(from, Math.min(files.size(), from + BATCH));
                for (Content content : contents(batch, reader)) {
                    content.vertices().forEach(names::add);
                }
                progress.accept(from + batch.size());
            }
        }
        for (int from = 0; from < files.size(); from += BATCH) {
            List<Path> batch = files.subList(from, Math.min(files.size(), from + BATCH));
            for (Content content : contents(batch, reader)) {
                content.vertices().forEach(names::add);
                for (Edge edge : content.edges()) {
                    int target = isOpen ? names.add(edge.target()) : names.find(edge.target());
                    if (target >= 0) {
                        builder.add(names.add(edge.source()), labels.add(edge.label()), target);
                    }
                }
            }
            progress.accept(from + batch.size());
        }
        return new GraphInput(builder.build(names.count()), names, labels);
    }

    private static List<Content> contents(List<Path> files, Function<ClassModel, Content> reader) throws IOException {
        try {
            return files.parallelStream().map(file -> reader.apply(parse(file))).toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static ClassModel parse(Path file) {
        try {
            return ClassFile.of(ClassFile.DebugElementsOption.DROP_DEBUG, ClassFile.LineNumbersOption.DROP_LINE_NUMBERS)
                .parse(Files.readAllBytes(file));
        } catch (IllegalArgumentException e) {
            throw new UncheckedIOException(new IOException(file + " is not a class file", e));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
