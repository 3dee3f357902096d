package io.teff.graph.formats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.graph.edges.EdgeSource;
import io.teff.graph.formats.ReadOptions.ThirdColumn;
import io.teff.graph.names.GraphInput;
import io.teff.graph.names.VertexNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Goal: each text format is read as it is described; a fault is named with its line. Method: small files. */
final class TextFormatsTest {
    private final Store store = Store.open();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        store.close();
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    private GraphInput open(Path file, ReadOptions options) throws IOException {
        return GraphFiles.open(file, GraphFiles.formatOf(file), options, store, String.valueOf(file.getFileName()));
    }

    private GraphInput open(Path file) throws IOException {
        return open(file, ReadOptions.defaults());
    }

    // ---- edge lists ----

    @Test
    void edgeList_commentsBlanksAndSeparators_areNoEdges() throws IOException {
        Path file = file("a.txt", "# comment\n\n0 1\r\n  2,\t3 \n% other\n4;5\n6\t7 extra\n8 9");
        EdgeSource edges = open(file).edges();
        assertEquals(List.of("0 1 1.0", "2 3 1.0", "4 5 1.0", "6 7 1.0", "8 9 1.0"), EdgeLists.of(edges));
        assertFalse(edges.weighted());
        assertEquals(-1, edges.edgeCount());
    }

    @Test
    void edgeList_inPartsOfAnySize_isTheSame() throws IOException {
        StringBuilder text = new StringBuilder("# head\n");
        for (int i = 0; i < 50; i++) {
            text.append(i * i).append(' ').append(i).append(i % 7 == 0 ? "\r\n" : i % 5 == 0 ? "\n\n" : "\n");
        }
        Path file = file("a.txt", text.toString());
        List<String> whole = EdgeLists.of(open(file).edges());
        assertEquals(50, whole.size());
        for (int bytes = 1; bytes < 60; bytes++) {
            EdgeSource parts = open(file, ReadOptions.defaults().withPartBytes(bytes)).edges();
            assertTrue(parts.parts() > 1, "one part");
            assertEquals(whole, EdgeLists.of(parts), "parts of " + bytes + " bytes");
        }
    }

    @Test
    void edgeList_thirdColumn_isWhatTheOptionSays() throws IOException {
        Path file = file("a.txt", "0 1 2.5\n1 2 -3e1\n");
        assertEquals(List.of("0 1 2.5", "1 2 -30.0"), EdgeLists.of(open(file).edges()));
        ReadOptions options = ReadOptions.defaults();
        assertEquals(List.of("0 1 1.0", "1 2 1.0"), EdgeLists.of(open(file, options.withThird(ThirdColumn.IGNORED))
            .edges()));
        Path labels = file("b.txt", "a b likes\nb c hates\na b hates\n");
        assertEquals(List.of("a likes+hates b", "b hates c"),
            EdgeLists.named(open(labels, options.withDirected(true).withThird(ThirdColumn.LABEL))));
        assertEquals(List.of("0 1 1.0"), EdgeLists.of(open(file("c.txt", "0 1 x\n")).edges()));
    }

    @Test
    void edgeList_ofNames_numbersThemInOrder() throws IOException {
        Path file = file("a.txt", "b a\na c\n\u00E4 b\n");
        GraphInput input = open(file, ReadOptions.defaults().withNamed(true).withPartBytes(1));
        assertEquals(List.of("0 1 1.0", "1 2 1.0", "3 0 1.0"), EdgeLists.of(input.edges()));
        assertEquals("\u00E4", input.names().name(3));
        assertEquals(4, input.edges().vertexCount());
    }

    @Test
    void edgeList_fromOne_countsFromZero() throws IOException {
        Path file = file("a.txt", "1 2\n");
        assertEquals(List.of("0 1 1.0"), EdgeLists.of(open(file, ReadOptions.defaults().withFirst(1)).edges()));
    }

    // ---- tables ----

    @Test
    void table_quotedFieldsAndOtherColumns_areRead() throws IOException {
        Path file = file("a.csv", "id,\"Target\",source,weight\n"
            + "1,\"b, \"\"c\"\"\",\"line\nend\",2\n2,x,\"b, \"\"c\"\"\",3\n");
        GraphInput input = open(file, ReadOptions.defaults().withPartBytes(1));
        assertEquals(List.of("line\nend 2.0 b, \"c\"", "b, \"c\" 3.0 x"), EdgeLists.named(input));
        assertEquals(1, input.edges().parts());
        assertEquals(2, input.edges().edgeCount());
    }

    @Test
    void table_withoutLineEndsInFields_hasParts() throws IOException {
        Path file = file("a.tsv", "from\tto\na\tb\nc\td\n\ne\tf\n");
        GraphInput input = open(file, ReadOptions.defaults().withPartBytes(1));
        assertTrue(input.edges().parts() > 1);
        assertEquals(List.of("a 1.0 b", "c 1.0 d", "e 1.0 f"), EdgeLists.named(input));
    }

    @Test
    void table_withLabels_hasSetsOfLabels() throws IOException {
        Path file = file("a.csv", "source;target;type\na;b;x\na;b;y\nb;a;x\n");
        assertEquals(List.of("a x+y b"), EdgeLists.named(open(file)));
    }

    // ---- Matrix Market ----

    @Test
    void matrix_kinds_areDirectedAndWeighted() throws IOException {
        Path pattern = file("a.mtx", "%%MatrixMarket MATRIX coordinate pattern symmetric\n% c\n3 3 2\n2 1\n3 2\n");
        EdgeSource edges = open(pattern).edges();
        assertEquals(List.of("1 0 1.0", "2 1 1.0"), EdgeLists.of(edges));
        assertFalse(edges.directed() || edges.weighted());
        Path complex = file("b.mtx", "%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 2 4.5 6\n");
        edges = open(complex).edges();
        assertEquals(List.of("0 1 4.5"), EdgeLists.of(edges));
        assertTrue(edges.directed() && edges.weighted());
        assertEquals(1, edges.edgeCount());
    }

    // ---- METIS ----

    @Test
    void metis_allWeights_areReadOrIgnored() throws IOException {
        Path file = file("a.metis", EdgeLists.lines("% comment", "4 3 111 2", "9 8 7 2 5", "1 1 1 1 5 3 6", "% c",
            "1 1 1 2 6 4 7", "1 1 1 3 7"));
        for (int bytes : new int[] {1, 7, 1000}) {
            EdgeSource edges = open(file, ReadOptions.defaults().withPartBytes(bytes)).edges();
            assertEquals(List.of("0 1 5.0", "1 2 6.0", "2 3 7.0"), EdgeLists.of(edges));
            assertEquals(4, edges.vertexCount());
        }
    }

    @Test
    void metis_vertexWithoutNeighbours_isABlankLine() throws IOException {
        assertEquals(List.of("0 2 1.0"), EdgeLists.of(open(file("a.graph", "3 1\n3\n\n1\n")).edges()));
        assertEquals(List.of(), EdgeLists.of(open(file("b.graph", "2 0\n\n\n")).edges()));
    }

    // ---- Graphalytics ----

    @Test
    void graphalytics_sparseIds_areNumberedInTheOrderOfTheVertices() throws IOException {
        file("g.v", "10\n7\n1000000000000\n");
        file("g.e", "7 10 0.5\n10 1000000000000 1.5\n");
        file("g.properties", "graph.g.directed = true\n");
        GraphInput input = open(folder.resolve("g.e"));
        assertEquals(List.of("1 0 0.5", "0 2 1.5"), EdgeLists.of(input.edges()));
        assertTrue(input.edges().directed());
        assertEquals("7", input.names().name(1));
    }

    // ---- GraphML ----

    @Test
    void graphMl_defaultsKeysAndLaterNodes_areRead() throws IOException {
        Path file = file("a.graphml", """
            <?xml version="1.0"?>
            <graphml xmlns="http://graphml.graphdrawing.org/xmlns">
              <key id="w" for="edge" attr.name="weight" attr.type="double"><default>2.5</default></key>
              <key id="c" for="node" attr.name="color" attr.type="string"/>
              <graph id="G" edgedefault="directed">
                <edge source="b" target="a"/>
                <node id="a"><data key="c">red</data></node>
                <node id="b"/>
                <edge source="a" target="b"><data key="w"> 7 </data><data key="x">y</data></edge>
              </graph>
            </graphml>
            """);
        GraphInput input = open(file);
        assertEquals(List.of("b 2.5 a", "a 7.0 b"), EdgeLists.named(input));
        assertTrue(input.edges().directed());
        assertEquals(2, input.edges().edgeCount());
    }

    @Test
    void graphMl_inEachEncoding_isRead() throws IOException {
        String graph = "<graphml><graph edgedefault=\"undirected\"><node id=\"\u00E4\"/></graph></graphml>";
        String declared = "<?xml version=\"1.0\" encoding=\"";
        for (String name : List.of("UTF-8", "ISO-8859-1", "UTF-16")) {
            Path file = folder.resolve(name + ".graphml");
            Files.write(file, (declared + name + "\"?>" + graph).getBytes(name));
            assertEquals("\u00E4", open(file).names().name(0), name);
        }
        assertEquals("\u00E4", open(file("mark.graphml", "\uFEFF" + graph)).names().name(0));
        Files.write(folder.resolve("wrong.graphml"), (declared + "UTF-8\"?>" + graph).getBytes("ISO-8859-1"));
        assertThrows(GraphFileException.class, () -> open(folder.resolve("wrong.graphml")));
    }

    @Test
    void graphMl_externalEntity_isNotRead() throws IOException {
        Path secret = file("secret.txt", "secret-content");
        Path file = file("a.graphml", "<!DOCTYPE graphml [<!ENTITY x SYSTEM \"" + secret.toUri() + "\">]>\n"
            + "<graphml><graph edgedefault=\"directed\"><node id=\"a&x;\"/></graph></graphml>");
        String message = assertThrows(GraphFileException.class, () -> open(file)).getMessage();
        assertFalse(message.contains("secret-content"), message);
        Path laughs = file("b.graphml", "<!DOCTYPE x [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;\">]>\n"
            + "<graphml><graph edgedefault=\"directed\"><node id=\"&b;\"/></graph></graphml>");
        assertThrows(GraphFileException.class, () -> open(laughs));
    }

    // ---- faults ----

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        a.txt   | 0 1/0 x             | :2: expected the number of a vertex, 0 to 2147483638, found "x"
        a.txt   | 0 1/0               | :2: expected the number of a vertex, 0 to 2147483638, found the end of the line
        a.txt   | 0 1/-1 5            | :2: expected the number of a vertex, 0 to 2147483638, found "-1 5"
        a.txt   | 5 2147483639        | :1: expected the number of a vertex, 0 to 2147483638, found 2147483639
        a.txt   | 1 99999999999999999999 | of at most 18 digits
        a.txt   | 0 1 2/0 1           | :2: expected a weight, found the end of the line
        a.txt   | 0 1 2/0 1 NaN       | :2: expected a weight, found "NaN"
        a.mtx   | 1 2                 | :1: expected %%MatrixMarket, found "1"
        a.mtx   | %%MatrixMarket matrix array real general | coordinate: dense matrices are no graphs
        a.mtx   | %%MatrixMarket matrix coordinate pattern general/2 3 1 | :2: expected as many columns as the 2 rows
        a.mtx   | %%MatrixMarket matrix coordinate pattern general/2 2 1/1 3 | :3: expected a column, 1 to 2, found 3
        a.mtx   | %%MatrixMarket matrix coordinate pattern general/2 2 2/1 2 | expected 2 entries, as the header claims
        a.mtx   | %%MatrixMarket matrix coordinate pattern general/2 2 0/1 2 | :3: expected the end of the file after 0
        a.metis | 2 1/2/1/1           | :4: expected the end of the file after 2 lines of vertices
        a.metis | 3 1/2/1             | expected 3 lines of vertices, the last of which is 2
        a.metis | 2 1 7/2/1           | :1: expected the format: three digits 0 or 1
        a.metis | 3 2/2/1//           | expected 2 edges, as the header claims, found 1
        a.metis | 3 2/2/1/1           | expected 2 edges, as the header claims, found 1
        a.metis | 3 2/2 3/1/2         | each edge in the lines of both its vertices
        a.metis | 2 1/1/1             | :2: expected a neighbour other than the vertex itself, 1 to 2, found 1
        a.csv   | a,b/1,2             | :1: expected a column source/from/src/tail and a column
        a.csv   | source,target/1     | :2: expected at least 2 fields, found 1 fields
        a.csv   | source,target/1,"2  | :2: expected a field that ends with a quotation mark
        a.csv   | source,target/"1"x,2 | :2: expected a separator behind the field in quotation marks
        a.csv   | source,target,weight/1,2,x | :2: expected a weight, found "x"
        a.graphml | <graphml><graph edgedefault="directed"><edge source="a" target="b"/></graph></graphml> | no node "a"
        a.graphml | <graphml><graph edgedefault="directed"><node/></graph></graphml> | the attribute id of the element
        a.graphml | <graphml><graph edgedefault="directed"> | :2: expected well-formed XML
        a.graphml | <graphml><graph edgedefault="both"/></graphml> | expected edgedefault directed or undirected
        a.graphml | <html/>           | :1: expected the element graphml, found html
        a.graphml | <graphml/>        | expected an element graph
        a.gt    | hello               | offset 6: expected the magic bytes of a .gt file
        a.bin   | hello world         | offset 8: expected the magic bytes TeffEdge before this place
        a.e     | 1 2                 | a.v: expected a regular file, found no file
        """)
    void fault_isNamedWithItsPlace(String name, String content, String expected) throws IOException {
        Path file = file(name, content.replace('/', '\n').replace("<\n", "</").replace("\n>", "/>")
            + "\n");
        GraphFileException fault = assertThrows(GraphFileException.class, () -> EdgeLists.of(open(file).edges()));
        assertTrue(fault.getMessage().contains(expected), fault.getMessage());
        assertTrue(fault.getMessage().startsWith(folder.toString()), fault.getMessage());
    }

    @Test
    void fault_inALaterPart_hasItsLine() throws IOException {
        Path file = file("a.txt", "0 1\n".repeat(1000) + "0 z\n");
        EdgeSource edges = open(file, ReadOptions.defaults().withPartBytes(100)).edges();
        assertTrue(edges.parts() > 10);
        GraphFileException fault = assertThrows(GraphFileException.class, () -> EdgeLists.of(edges));
        assertTrue(fault.getMessage().contains(":1001: "), fault.getMessage());
    }

    @Test
    void names_ofAFileThatChanges_areAFault() throws IOException {
        Path file = file("a.txt", "a b\n");
        VertexNames names = new VertexNames(store, "changing");
        TextEdges edges = TextEdges.named(file, ReadOptions.defaults(), names);
        Files.writeString(file, "a c\n");
        assertThrows(GraphFileException.class, () -> EdgeLists.of(edges));
    }
}
