package io.teff.cluster.terminal.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.terminal.cli.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The definition of the image, by the rules that linters of such files have, and the folder that is built. */
final class ContainerImageTest {
    private static final String TEXT = ContainerImage.definition("eclipse-temurin:25-jre-noble", "/opt/java", "512m",
        "v1");

    @TempDir
    private Path folder;

    /** Returns the instructions with their words; the last of an instruction counts, as for the builder. */
    private static Map<String, String> instructions() {
        Map<String, String> found = new LinkedHashMap<>();
        for (String line : TEXT.replaceAll("(?m)^#.*\n", "").replaceAll("\\\\\n\\s*", "").lines().toList()) {
            int blank = line.indexOf(' ');
            found.put(line.substring(0, blank), line.substring(blank + 1));
        }
        return found;
    }

    @Test
    void definition_keepsTheRules() {
        Map<String, String> found = instructions();
        assertEquals("FROM", found.keySet().iterator().next());
        assertTrue(found.get("FROM").matches("[a-z/.-]+:[^ ]+") && !found.get("FROM").endsWith(":latest"));
        assertEquals("10001:10001", found.get("USER"), "a number, not root");
        assertTrue(found.get("WORKDIR").startsWith("/"));
        assertFalse(found.containsKey("ADD") || found.containsKey("MAINTAINER"));
        assertFalse(found.get("RUN").contains("sudo") || found.get("RUN").contains("apt-get")
            || found.get("RUN").contains("cd "));
        assertEquals("SIGTERM", found.get("STOPSIGNAL"));
        for (String command : List.of("ENTRYPOINT", "CMD")) {
            assertTrue(found.get(command).startsWith("[\"") && found.get(command).endsWith("\"]"), command);
        }
        assertTrue(found.get("HEALTHCHECK").contains("CMD [\"/opt/java/bin/java\"")
            && found.get("HEALTHCHECK").contains("\"--health=live\""));
        assertTrue(TEXT.indexOf("\nUSER") > TEXT.indexOf("\nRUN") && TEXT.indexOf("\nUSER") > TEXT.indexOf("\nCOPY"));
        assertFalse(found.get("ENTRYPOINT").matches(".*\\bsh\\b.*"), "no shell between the signal and the node");
    }

    @Test
    void folder_hasTheDefinitionAndAllJars_andIsNotFilledTwice() throws Exception {
        StringWriter text = new StringWriter();
        String[] words = {"deploy", "container", folder.resolve("image").toString()};
        assertEquals(0, Terminal.commandLine().setOut(new PrintWriter(text, true)).execute(words));
        assertTrue(Files.readString(folder.resolve("image/Containerfile")).contains("FROM eclipse-temurin:25"));
        try (var jars = Files.list(folder.resolve("image/lib"))) {
            assertTrue(jars.count() > 0);
        }
        assertEquals(1, Terminal.commandLine().setErr(new PrintWriter(text, true)).execute(words));
        assertTrue(text.toString().contains("is not empty"), text::toString);
    }
}
