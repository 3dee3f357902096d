package io.teff.cluster.terminal.deploy;

import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.option.HelpOption;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code deploy container}. */
@Command(
    name = "container",
    description = {"Fills a folder with what docker build or podman build needs for the image of a node: a "
        + "Containerfile and the jars. The node runs as user 10001, with a root file system that cannot be written, "
        + "ends in order on SIGTERM, and answers to HEALTHCHECK."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the folder is filled", "1:the folder is not empty, or cannot be written",
        "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff deploy container image && docker build -f image/Containerfile -t teff:1 image",
    sortOptions = false)
final class ContainerCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private HelpOption help = new HelpOption();

    @Mixin
    private StageOptions options = new StageOptions();

    @Parameters(paramLabel = "FOLDER", description = "A new or empty folder.")
    private @Nullable Path folder;

    @Option(names = "--base", paramLabel = "IMAGE", defaultValue = "eclipse-temurin:25-jre-noble",
        description = "The image below, with a JRE 25. Default: ${DEFAULT-VALUE}.")
    private String base = "";

    @Option(names = "--java", paramLabel = "FOLDER", defaultValue = "/opt/java/openjdk",
        description = "Home of Java in that image. Default: ${DEFAULT-VALUE}.")
    private String java = "";

    @Option(names = "--heap", paramLabel = "SIZE", defaultValue = "512m",
        description = "Java heap of a node. Default: ${DEFAULT-VALUE}.")
    private String heap = "";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        if (folder == null) {
            throw new AssertionError("picocli requires the folder");
        }
        try (VersionStage stage = options.stage()) {
            fill(folder, stage);
        } catch (IOException e) {
            throw new CommandFailure(FailureText.of(e), e);
        }
        spec.commandLine().getOut().println(folder.resolve("Containerfile"));
        spec.commandLine().getOut().flush();
        return 0;
    }

    private void fill(Path to, VersionStage stage) throws IOException {
        Files.createDirectories(to.resolve("lib"));
        try (Stream<Path> inside = Files.list(to.resolve("lib"))) {
            if (inside.findFirst().isPresent()) {
                throw new CommandFailure(to + " is not empty");
            }
        }
        Files.writeString(to.resolve("Containerfile"), ContainerImage.definition(base, java, heap, stage.version()));
        try (Stream<Path> jars = Files.list(stage.folder().resolve("lib"))) {
            for (Path jar : jars.toList()) {
                Files.copy(jar, to.resolve("lib").resolve(jar.getFileName()));
            }
        }
    }
}
