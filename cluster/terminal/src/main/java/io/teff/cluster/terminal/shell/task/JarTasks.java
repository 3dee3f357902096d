package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.compute.ClusterJars;
import io.teff.cluster.compute.UploadedJar;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.shell.value.TextTable;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code jars}: the jars that a cluster keeps for its nodes. */
@Command(
    name = "jars",
    description = {"Keeps jars with jobs, tasks, functions and applications for the nodes.",
        "A node loads a jar if peer.jars of its configuration has the SHA-256 of the jar."},
    footerHeading = "%nExamples:%n",
    footer = {"  jars add target/deposits.jar", "  jars list", "  jars remove 9f86d081..."},
    sortOptions = false)
final class JarTasks extends TaskGroup {
    @Command(name = "add", description = "Uploads a jar, and prints its SHA-256.", sortOptions = false)
    int add(@Mixin Show show, @Parameters(paramLabel = "FILE", description = "The jar.") Path file) {
        byte[] bytes;
        try {
            if (Files.size(file) > ClusterJars.BYTES_MAX) {
                throw new CommandFailure(file + " has " + Files.size(file) + " bytes; a cluster keeps "
                    + ClusterJars.BYTES_MAX + " bytes of jars");
            }
            bytes = Files.readAllBytes(file);
        } catch (IOException e) {
            throw new CommandFailure("the jar cannot be read: " + FailureText.of(e), e);
        }
        UploadedJar jar = ClusterJars.of(store()).add(String.valueOf(file.getFileName()), bytes);
        return show.print(json(jar), "uploaded " + jar.name() + ", SHA-256 " + jar.hash());
    }

    @Command(name = "list", description = "Lists the jars of the cluster.", sortOptions = false)
    int list(@Mixin Show show) {
        List<UploadedJar> jars = ClusterJars.of(store()).list();
        TextTable table = new TextTable("NAME", "BYTES", "SHA-256");
        jars.forEach(jar -> table.row(jar.name(), jar.bytes(), jar.hash()));
        return show.print(jars.stream().map(JarTasks::json).toList(), table);
    }

    private static Map<String, Object> json(UploadedJar jar) {
        return Map.of("name", jar.name(), "bytes", jar.bytes(), "sha256", jar.hash());
    }

    @Command(name = "remove", description = "Removes a jar. Nodes that have loaded the jar keep it until they end.",
        sortOptions = false)
    int remove(@Mixin Show show, @Parameters(paramLabel = "SHA-256", description = "The jar, by its first digits.")
        String digits) {
        ClusterJars jars = ClusterJars.of(store());
        List<UploadedJar> meant = jars.list().stream().filter(jar -> jar.hash().startsWith(digits)).toList();
        if (meant.size() != 1) {
            throw new CommandFailure((meant.isEmpty() ? "no jar" : meant.size() + " jars") + " of the cluster "
                + (meant.size() > 1 ? "begin" : "begins") + " with " + digits + "; jars list shows all");
        }
        jars.remove(meant.getFirst().hash());
        return show.print(json(meant.getFirst()), "removed " + meant.getFirst().name());
    }
}
