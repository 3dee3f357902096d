package io.teff.graph.data;

import io.teff.graph.names.EdgeLabels;
import io.teff.graph.names.GraphInput;
import io.teff.graph.names.LabelledEdges;
import io.teff.graph.names.VertexNames;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The packages that apt knows, and their relations: each field of a package that names other packages is a label, such
 * as {@code Depends}. Each alternative of a relation is an edge of its own; versions and architectures are ignored.
 * Several versions of a package are one vertex. A name that only relations mention, such as a virtual package, is a
 * vertex, too.
 */
public final class DebianPackages {
    /** The fields that are labels, in the order of their bits. */
    public static final List<String> RELATIONS = List.of("Depends", "Pre-Depends", "Recommends", "Suggests",
        "Enhances", "Breaks", "Conflicts", "Replaces", "Provides");

    private static final String PACKAGE = "Package";

    private final VertexNames names;
    private final LabelledEdges.Builder edges = new LabelledEdges.Builder(true);
    private final LongConsumer progress;
    private int current = -1;
    private int label = -1;
    private long packages;

    private DebianPackages(VertexNames names, LongConsumer progress) {
        this.names = names;
        this.progress = progress;
    }

    /**
     * Reads the packages of this machine by {@code apt-cache dumpavail}, which downloads nothing.
     *
     * @param names empty before
     * @param labels empty before
     * @param progress gets the number of packages that were read
     * @return the packages and their relations, with names and labels
     * @throws IOException if the program is missing or fails, or knows no package
     */
    public static GraphInput ofThisMachine(VertexNames names, EdgeLabels labels, LongConsumer progress)
        throws IOException {
        GraphInput input = ToolRun.run(List.of("apt-cache", "dumpavail"), null, "for the packages of Debian",
            output -> read(output, names, labels, progress));
        if (names.count() == 0) {
            throw new IOException("apt-cache knows no package; apt-get update fetches the lists of packages");
        }
        return input;
    }

    /**
     * Reads packages from a text in the form of Debian's lists of packages.
     *
     * @param text in UTF-8, read to its end, not closed
     * @param names empty before
     * @param labels empty before
     * @param progress gets the number of packages that were read
     * @return the packages and their relations, with names and labels
     * @throws IOException if the text cannot be read
     */
    public static GraphInput read(InputStream text, VertexNames names, EdgeLabels labels, LongConsumer progress)
        throws IOException {
        DebianPackages reader = new DebianPackages(names, progress);
        RELATIONS.forEach(labels::add);
        BufferedReader lines = new BufferedReader(new InputStreamReader(text, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            reader.line(line);
        }
        return new GraphInput(reader.edges.build(names.count()), names, labels);
    }

    private void line(String line) {
        if (line.isEmpty()) {
            current = -1;
            label = -1;
        } else if (line.charAt(0) == ' ' || line.charAt(0) == '\t') {
            relations(line);                                    // the field goes on
        } else {
            int colon = line.indexOf(':');
            String field = colon < 0 ? line : line.substring(0, colon);
            label = RELATIONS.indexOf(field);
            if (field.equals(PACKAGE) && colon >= 0) {
                current = names.add(line.substring(colon + 1).strip());
                packages++;
                progress.accept(packages);
            } else if (colon >= 0) {
                relations(line.substring(colon + 1));
            }
        }
    }

    private void relations(String text) {
        if (label < 0 || current < 0) {
            return;
        }
        for (String relation : text.split("[,|]")) {
            String name = name(relation);
            if (!name.isEmpty()) {
                edges.add(current, label, names.add(name));
            }
        }
    }

    /** The name at the beginning of a relation: {@code libc6:any (>= 2.34) [amd64] <!nocheck>}. */
    private static String name(String relation) {
        String text = relation.strip();
        int end = 0;
        while (end < text.length() && " \t(:[<".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return text.substring(0, end);
    }
}
