package io.teff.graph.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.graph.formats.EdgeLists;
import io.teff.graph.names.EdgeLabels;
import io.teff.graph.names.GraphInput;
import io.teff.graph.names.VertexNames;
import io.teff.test.kit.tier.FullTier;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: data of machines become the right vertices and labelled edges. Method: short texts, and some classes. */
final class DataTest {
    private final Store store = Store.open();
    private final VertexNames names = new VertexNames(store, "g");
    private final EdgeLabels labels = new EdgeLabels(store, "g");

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        names.audit();
        store.close();
    }

    @Test
    void debian_relationsOfPackages_areLabelledEdges() throws IOException {
        String text = """
            Package: app
            Version: 1
            Depends: libc6 (>= 2.34), libx:any | libx-compat [amd64],
             libfolded
            Pre-Depends: dpkg <!nocheck>
            Description: depends on
             Depends: nothing
            Provides: mail (= 1)

            Package: libc6
            Recommends: app, libc6
            Depends:

            Depends: orphan

            Package: app
            Depends: libc6, libnew
            """;
        GraphInput input = DebianPackages.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), names,
            labels, _ -> { });
        assertEquals(List.of("app Depends libc6", "app Depends libx", "app Depends libx-compat",
            "app Depends libfolded", "app Pre-Depends dpkg", "app Provides mail", "app Depends libnew",
            "libc6 Recommends app", "libc6 Recommends libc6"), EdgeLists.named(input));
        assertEquals(DebianPackages.RELATIONS, labels.all());
        assertEquals(8, names.count());
    }

    @Test
    void wordNet_synsetsWordsAndRelations_areRead() throws IOException {
        Files.writeString(folder.resolve("data.noun"), """
              1 This is the licence of the files
            00000100 03 n 01 animal 0 001 ~ 00000200 n 0000 | a living organism
            00000200 05 n 02 dog 0 domestic_dog 0 002 @ 00000100 n 0000 + 00000300 v 0101 | a canine
            """);
        Files.writeString(folder.resolve("data.verb"), "00000300 38 v 01 dog 0 000 01 + 08 00 | go after\n");
        Files.writeString(folder.resolve("data.adj"), "00000400 00 s 01 doggy(p) 0 001 & 00000400 s 0000 | odd\n");
        Files.writeString(folder.resolve("data.adv"), "");
        GraphInput input = WordNet.read(folder, names, labels, _ -> { });
        List<String> edges = EdgeLists.named(input);
        assertTrue(edges.containsAll(List.of("animal#n00000100 hyponym dog#n00000200",
            "dog#n00000200 hypernym animal#n00000100", "dog#n00000200 derivation dog#v00000300",
            "dog sense dog#n00000200", "dog sense dog#v00000300", "domestic_dog sense dog#n00000200",
            "dog#v00000300 word dog", "doggy sense doggy#a00000400", "doggy#a00000400 similar doggy#a00000400")),
            edges::toString);
        assertEquals(4 + 2 * 5, edges.size());
        assertEquals(28, labels.all().size());
        assertEquals(4 + 4, names.count());
    }

    @Test
    void wordNet_malformedLine_isNamed() throws IOException {
        for (String line : List.of("00000100 03 n 05 animal 0 000 | too few words",
            "00000100 03 n 01 animal 0 001 @ 00000999 n 0000 | no such synset",
            "00000100 03 n 01 animal 0 001 ? 00000100 n 0000 | no such relation", "00000100 03")) {
            Files.writeString(folder.resolve("data.noun"), "00000001 03 n 01 entity 0 000 | ok\n" + line + "\n");
            for (String empty : List.of("data.verb", "data.adj", "data.adv")) {
                Files.writeString(folder.resolve(empty), "");
            }
            try (Store other = Store.open()) {
                IOException fault = assertThrows(IOException.class, () -> WordNet.read(folder,
                    new VertexNames(other, "g"), new EdgeLabels(other, "g"), _ -> { }));
                assertTrue(fault.getMessage().startsWith(folder.resolve("data.noun") + ":2: expected "),
                    fault.getMessage());
            }
        }
    }

    private static List<Path> someClasses() throws IOException {
        List<Path> some = new ArrayList<>();
        for (Path file : ImageClasses.ofRuntimeImage()) {
            if (file.toString().startsWith("/modules/java.base/java/util/concurrent/locks/")) {
                some.add(file);
            }
        }
        return some;
    }

    @Test
    void classes_referencesWithinTheFiles_areEdges() throws IOException {
        GraphInput input = ClassReferences.read(someClasses(), names, labels, _ -> { });
        List<String> edges = EdgeLists.named(input);
        assertTrue(edges.containsAll(List.of(
            "java.util.concurrent.locks.ReentrantLock implements java.util.concurrent.locks.Lock",
            "java.util.concurrent.locks.ReentrantLock$FairSync extends "
                + "java.util.concurrent.locks.ReentrantLock$Sync",
            "java.util.concurrent.locks.ReentrantLock uses java.util.concurrent.locks.Condition")), edges::toString);
        assertEquals(-1, names.find("java.lang.Object"));
        assertEquals(someClasses().size(), names.count());
    }

    @Test
    void calls_ofMethods_areEdges() throws IOException {
        GraphInput input = MethodCalls.read(someClasses(), names, labels, _ -> { });
        List<String> edges = EdgeLists.named(input);
        String lock = "java.util.concurrent.locks.ReentrantLock";
        assertTrue(edges.containsAll(List.of(lock + ".lock()V virtual " + lock + "$Sync.lock()V",
            lock + ".<init>()V special java.lang.Object.<init>()V")), edges::toString);
        assertTrue(labels.all().containsAll(List.of("virtual", "special", "static", "interface")),
            labels.all()::toString);
    }

    @Test
    @FullTier("Ten seconds for all classes of the JVM; classes_referencesWithinTheFiles_areEdges has some of them.")
    void classes_ofThisJvm_areThousands() throws IOException {
        GraphInput input = ClassReferences.read(names, labels, _ -> { });
        assertTrue(input.edges().vertexCount() > 10_000 && input.edges().edgeCount() > 100_000,
            () -> input.edges().vertexCount() + " " + input.edges().edgeCount());
        assertTrue(names.find("java.lang.Object") >= 0);
    }

    @Test
    void missingProgram_isNamed() {
        IOException fault = assertThrows(IOException.class, () -> ToolRun.run(List.of("no-such-program-of-teff"), null,
            "for this test", in -> in));
        assertTrue(fault.getMessage().contains("no-such-program-of-teff is needed for this test"), fault.getMessage());
    }

    @Test
    void failingProgram_hasItsWordsInTheMessage() {
        IOException fault = assertThrows(IOException.class, () -> ToolRun.run(List.of("sh", "-c",
            "echo out; echo oh no >&2; exit 3"), folder, "for this test", in -> in.readAllBytes().length));
        assertTrue(fault.getMessage().contains("ended with code 3: oh no"), fault.getMessage());
    }

    @Test
    void wordNetFiles_inTheCache_areNotFetched() throws IOException {
        Path cached = Files.createDirectories(folder.resolve("cache/usr/share/wordnet"));
        Files.writeString(cached.resolve("data.noun"), "");
        if (!Files.exists(Path.of("/usr/share/wordnet/data.noun"))) {
            assertEquals(cached, WordNetFiles.fetch(folder.resolve("cache"), line -> assertFalse(true, line)));
        }
        assertTrue(WordNetFiles.userCache().endsWith("teff/wordnet"));
    }
}
