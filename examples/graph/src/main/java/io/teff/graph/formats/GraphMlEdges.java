package io.teff.graph.formats;

import io.teff.graph.edges.EdgeSink;
import io.teff.graph.edges.EdgeSource;
import io.teff.graph.names.EdgeLabels;
import io.teff.graph.names.GraphInput;
import io.teff.graph.names.LabelledEdges;
import io.teff.graph.names.VertexNames;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipException;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * A graph in GraphML, read as a stream of elements. The ids of the nodes are the names of the vertices. Data of an
 * edge whose key has the name {@code weight} is its weight; data with the name {@code label}, {@code type}, {@code
 * kind} or {@code relation} its label. A graph with labels has no weights. Other data are ignored.
 *
 * <p>A document type definition is refused, so no entity is expanded and no other file or address is read. Nested
 * graphs, hyperedges and edges against the direction of the graph are refused.
 */
public final class GraphMlEdges implements EdgeSource {
    private static final List<String> WEIGHTS = List.of("weight");
    private static final List<String> LABELS = List.of("label", "type", "kind", "relation");
    private static final Pattern ENCODING = Pattern.compile("^<\\?xml[^>]*encoding\\s*=\\s*[\"']([A-Za-z0-9._-]+)");
    private static final String MARK_OF_UTF_8 = "\u00EF\u00BB\u00BF";
    /** The first byte of the marks of UTF-16. */
    private static final char MARK_BEGIN_MIN = '\u00FE';
    private static final int DECLARATION_BYTES_MAX = 256;
    private static final int DATA_CHARACTERS_MAX = 1 << 16;

    private final InputFile file;
    private final VertexNames names;
    private boolean directed;
    private @Nullable String weightKey;
    private @Nullable String labelKey;
    private double weightDefault = 1;
    private String labelDefault = "";
    private long edgeCount;

    /** Takes an edge as the file has it. */
    private interface Visitor {
        void edge(Walk walk, String source, String target, @Nullable String weight, @Nullable String label)
            throws IOException;
    }

    private GraphMlEdges(InputFile file, VertexNames names) {
        this.file = file;
        this.names = names;
    }

    /**
     * Opens a graph, and numbers its nodes; a graph with labels is read at once.
     *
     * @param path a plain file, or a file compressed by gzip
     * @param names empty before
     * @param labels empty before
     * @return the edges with names; with labels, if the file has a key of labels
     * @throws IOException if the file cannot be read, or is malformed; the message has the file and what is wrong
     */
    public static GraphInput open(Path path, VertexNames names, EdgeLabels labels) throws IOException {
        GraphMlEdges graph = new GraphMlEdges(InputFile.of(path), names);
        try (Walk walk = graph.new Walk(true)) {
            walk.run((_, _, _, _, _) -> graph.edgeCount++);
        }
        if (graph.labelKey == null) {
            return new GraphInput(graph, names, null);
        }
        LabelledEdges.Builder builder = new LabelledEdges.Builder(graph.directed);
        try (Walk walk = graph.new Walk(false)) {
            walk.run((at, source, target, _, label) -> {
                String known = label == null ? graph.labelDefault : label;
                if (!labels.hasRoomFor(known)) {
                    throw at.failure("at most " + EdgeLabels.COUNT_MAX + " labels", known);
                }
                builder.add(at.vertex(source), labels.add(known), at.vertex(target));
            });
        }
        return new GraphInput(builder.build(names.count()), names, labels);
    }

    @Override
    public long vertexCount() {
        return names.count();
    }

    @Override
    public long edgeCount() {
        return edgeCount;
    }

    @Override
    public boolean directed() {
        return directed;
    }

    @Override
    public boolean weighted() {
        return weightKey != null;
    }

    @Override
    public int parts() {
        return 1;
    }

    @Override
    public void read(int part, EdgeSink sink) throws IOException {
        try (Walk walk = new Walk(false)) {
            walk.run((at, source, target, weight, _) -> sink.edge(at.vertex(source), at.vertex(target),
                weight == null ? weightDefault : at.real(weight)));
        }
    }

    /**
     * Makes the reader of a stream. UTF-8 is decoded here, since the decoder of the JDK's reader prints its faults to
     * standard error; other encodings are left to the reader.
     */
    private static XMLStreamReader reader(XMLInputFactory factory, InputStream in)
        throws IOException, XMLStreamException {
        PushbackInputStream content = new PushbackInputStream(in, DECLARATION_BYTES_MAX);
        byte[] begin = content.readNBytes(DECLARATION_BYTES_MAX);
        String text = new String(begin, StandardCharsets.ISO_8859_1);
        boolean hasMark = text.startsWith(MARK_OF_UTF_8);
        int skipped = hasMark ? MARK_OF_UTF_8.length() : 0;
        content.unread(begin, skipped, begin.length - skipped);
        Matcher declared = ENCODING.matcher(text);
        boolean isUtf8 = hasMark || (declared.find() ? declared.group(1).equalsIgnoreCase("UTF-8")
            : text.isEmpty() || text.charAt(0) < MARK_BEGIN_MIN && text.indexOf(0) < 0);
        return isUtf8 ? factory.createXMLStreamReader(new InputStreamReader(content, StandardCharsets.UTF_8
            .newDecoder())) : factory.createXMLStreamReader(content);
    }

    /** One reading of the file. */
    private final class Walk implements AutoCloseable {
        private final InputStream in;
        private final XMLStreamReader reader;
        private final boolean isFirst;
        private final Map<String, String> data = new HashMap<>();
        private boolean isInGraph;

        Walk(boolean isFirst) throws IOException {
            this.isFirst = isFirst;
            XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
            factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
            factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
            factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
            factory.setXMLResolver((_, _, _, _) -> {
                throw new XMLStreamException("the file refers to another file");
            });
            factory.setXMLReporter((_, _, _, _) -> { });        // faults are exceptions; nothing is printed
            in = file.open(0);
            try {
                reader = reader(factory, in);
            } catch (XMLStreamException e) {
                in.close();
                throw malformed(e);
            } catch (EOFException | ZipException e) {
                in.close();
                throw GraphFileException.atLine(file.path(), 1, "compressed content", String.valueOf(e.getMessage()));
            } catch (IOException | RuntimeException e) {
                in.close();
                throw e;
            }
        }

        void run(Visitor visitor) throws IOException {
            boolean isRooted = false;
            try {
                while (reader.hasNext()) {
                    int event = reader.next();
                    if (event == XMLStreamConstants.DTD || event == XMLStreamConstants.ENTITY_REFERENCE) {
                        throw failure("no document type definition and no entity", "one");
                    }
                    if (event == XMLStreamConstants.START_ELEMENT) {
                        isRooted |= reader.getLocalName().equals("graphml");
                        if (!isRooted) {
                            throw failure("the element graphml", reader.getLocalName());
                        }
                        begin(visitor);
                    }
                }
            } catch (XMLStreamException e) {
                throw malformed(e);
            }
            if (!isInGraph) {
                throw failure("an element graph", "the end of the file");
            }
        }

        private void begin(Visitor visitor) throws IOException, XMLStreamException {
            switch (reader.getLocalName()) {
                case "key" -> key();
                case "graph" -> {
                    if (isInGraph) {
                        throw failure("one graph", "another graph, or a nested graph");
                    }
                    isInGraph = true;
                    String direction = attribute("edgedefault");
                    directed = direction.equals("directed");
                    if (!directed && !direction.equals("undirected")) {
                        throw failure("edgedefault directed or undirected", "\"" + direction + "\"");
                    }
                }
                case "node" -> {
                    if (isFirst) {
                        names.add(attribute("id"));
                    }
                }
                case "hyperedge" -> throw failure("edges with two ends", "a hyperedge");
                case "edge" -> edge(visitor);
                default -> { }
            }
        }

        private void key() throws IOException, XMLStreamException {
            String of = reader.getAttributeValue(null, "for");
            String name = reader.getAttributeValue(null, "attr.name");
            String id = attribute("id");
            if (!isFirst || name == null || of != null && !of.equals("edge") && !of.equals("all")) {
                return;
            }
            String key = name.toLowerCase(Locale.ROOT);
            String value = defaultOf();
            if (WEIGHTS.contains(key)) {
                weightKey = id;
                weightDefault = value.isBlank() ? 1 : real(value.strip());
            } else if (LABELS.contains(key) && labelKey == null) {
                labelKey = id;
                labelDefault = value;
            }
        }

        /** Reads to the end of a key; returns the text of its default. */
        private String defaultOf() throws IOException, XMLStreamException {
            String value = "";
            while (reader.hasNext()) {
                int event = reader.next();
                if (event == XMLStreamConstants.START_ELEMENT && reader.getLocalName().equals("default")) {
                    value = text();
                } else if (event == XMLStreamConstants.END_ELEMENT && reader.getLocalName().equals("key")) {
                    return value;
                }
            }
            return value;
        }

        private void edge(Visitor visitor) throws IOException, XMLStreamException {
            String source = attribute("source");
            String target = attribute("target");
            String own = reader.getAttributeValue(null, "directed");
            if (own != null && Boolean.parseBoolean(own) != directed) {
                throw failure("edges that are directed as the graph is", "directed=\"" + own + "\"");
            }
            data.clear();
            while (reader.hasNext()) {
                int event = reader.next();
                if (event == XMLStreamConstants.START_ELEMENT && reader.getLocalName().equals("data")) {
                    String key = attribute("key");
                    if (key.equals(weightKey) || key.equals(labelKey)) {
                        data.put(key, text());
                    }
                } else if (event == XMLStreamConstants.START_ELEMENT && reader.getLocalName().equals("graph")) {
                    throw failure("one graph", "a nested graph");
                } else if (event == XMLStreamConstants.END_ELEMENT && reader.getLocalName().equals("edge")) {
                    break;
                }
            }
            visitor.edge(this, source, target, weightKey == null ? null : data.get(weightKey),
                labelKey == null ? null : data.get(labelKey));
        }

        private String text() throws IOException, XMLStreamException {
            StringBuilder text = new StringBuilder();
            for (int event = reader.next(); event != XMLStreamConstants.END_ELEMENT; event = reader.next()) {
                if (event == XMLStreamConstants.START_ELEMENT || event == XMLStreamConstants.ENTITY_REFERENCE) {
                    throw failure("text", "an element or an entity");
                }
                if (reader.hasText() && event != XMLStreamConstants.COMMENT) {
                    text.append(reader.getText());
                }
                if (text.length() > DATA_CHARACTERS_MAX) {
                    throw failure("at most " + DATA_CHARACTERS_MAX + " characters", "more");
                }
            }
            return text.toString();
        }

        private String attribute(String name) throws IOException {
            String value = reader.getAttributeValue(null, name);
            if (value == null) {
                throw failure("the attribute " + name + " of the element " + reader.getLocalName(), "none");
            }
            return value;
        }

        int vertex(String id) throws IOException {
            int vertex = names.find(id);
            if (vertex < 0) {
                throw failure("an edge between nodes of the file", "no node \"" + id + "\"");
            }
            return vertex;
        }

        double real(String text) throws IOException {
            try {
                double value = Double.parseDouble(text.strip());
                if (Double.isFinite(value)) {
                    return value;
                }
            } catch (NumberFormatException e) {
                throw failure("a weight", "\"" + text + "\"");
            }
            throw failure("a weight", "\"" + text + "\"");
        }

        GraphFileException failure(String expected, String found) {
            return GraphFileException.atLine(file.path(), reader.getLocation().getLineNumber(), expected, found);
        }

        private GraphFileException malformed(XMLStreamException e) {
            long line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNumber());
            GraphFileException failure = GraphFileException.atLine(file.path(), line, "well-formed XML",
                String.valueOf(e.getMessage()).replace('\n', ' '));
            failure.initCause(e);
            return failure;
        }

        @Override
        public void close() throws IOException {
            try {
                reader.close();
            } catch (XMLStreamException e) {
                throw malformed(e);
            } finally {
                in.close();
            }
        }
    }
}
