package io.teff.test.rules.tour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.teff.test.kit.ChildProcess;
import io.teff.test.rules.Repository;
import io.teff.test.rules.tour.Snippets.Snippet;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every block of Java in the documents compiles, and every module that they show sees what it needs. */
final class SnippetsTest {
    /** A class of a module, which uses messages and the engine. */
    private static final String PROBE = """
            package probe;
            import io.teff.cluster.net.Network;
            import io.teff.cluster.net.config.NetworkConfig;
            import io.teff.cluster.net.message.RequestType;
            import io.teff.engine.Store;
            import io.teff.engine.codec.schema.Codecs;
            final class Probe {
                static final RequestType<String, Long> TYPE = RequestType.of(1, Codecs.STRING, Codecs.LONG);
                long call(Network network, Store store) throws Exception {
                    return network.call(1, TYPE, "text") + store.create(new byte[NetworkConfig.NID_MAX]);
                }
            }
            """;

    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicTest> documents_everySnippet_compiles() {
        List<Snippet> all = Repository.files(".md").stream()
                .flatMap(page -> Snippets.of(page.toString(), Repository.read(page)).stream()).toList();
        assertFalse(all.isEmpty());
        return all.stream().map(it -> DynamicTest.dynamicTest(it.name(), () -> compile(it)));
    }

    @Test
    void modulesOfTransports_bringMessagesAndEngine() throws IOException {
        for (String module : List.of("io.teff.nio", "io.teff.cluster.aeron", "io.teff.rdma.transport")) {
            compile(new Snippet(module, "module probe {\n    requires " + module + ";\n}\n", true));
        }
    }

    @Test
    void snippets_ofAPage_areFound() {
        String page = """
                <!-- tour -->
                ```java
                void main() {}
                ```
                ```java
                void main() { int whole; }
                ```
                <!-- snippet: int needed; -->
                ```java
                needed++;
                ```
                <!-- snippet of another library -->
                ```java
                unknown();
                ```
                ```java
                module app {}
                ```
                """;
        List<Snippet> found = Snippets.of("page", page);
        assertEquals(List.of("page:6", "page:10", "page:17"), found.stream().map(Snippet::name).toList());
        assertEquals(List.of(false, false, true), found.stream().map(Snippet::isModule).toList());
        assertThrows(IllegalArgumentException.class, () -> Snippets.of("page", "```java\nx++;\n```\n"));
    }

    @Test
    void snippet_thatDoesNotCompile_isCaught() {
        assertThrows(AssertionError.class, () -> compile(new Snippet("wrong", "void main() { x++; }", false)));
    }

    private void compile(Snippet snippet) throws IOException {
        Path home = Files.createDirectories(folder.resolve(snippet.name().replaceAll("\\W", "_")));
        Path source = home.resolve(snippet.isModule() ? "module-info.java" : "Snippet.java");
        Files.writeString(source, snippet.source());
        if (snippet.isModule()) {
            assumeFalse(ModulePath.products().isEmpty(), "the products were built without descriptors");
            Path probe = Files.writeString(home.resolve("Probe.java"), PROBE);
            compile(snippet.name(), home, List.of("--module-path", ModulePath.text()), source, probe);
        } else {
            compile(snippet.name(), home, List.of("-cp", ChildProcess.classPath()), source);
        }
    }

    private static void compile(String name, Path home, List<String> path, Path... sources) {
        StringWriter messages = new StringWriter();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options = Stream.concat(Stream.of("-proc:none", "-Xlint:none", "-d", home.toString()),
                path.stream()).collect(Collectors.toList());
        assertTrue(compiler.getTask(messages, null, null, options, null,
                compiler.getStandardFileManager(null, null, null).getJavaFileObjects(sources)).call(),
                () -> name + " does not compile:\n" + messages);
    }
}
