package io.teff.cluster.terminal.deploy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The definition of an image whose container runs one node, and the command lines inside of the container. */
final class ContainerImage {
    /** Number of the user and of the group. A number, so that Kubernetes sees that the user is not root. */
    static final int USER = 10_001;
    static final String DATA = "/data";
    /** The folder of the node: a file system of its own may have files of its own, such as lost+found. */
    static final String FOLDER = DATA + "/node";
    static final String LIB = "/opt/teff/lib";
    static final String CONFIG = "/etc/teff/node.toml";
    static final int SUPERPEER_PORT = 7_400;
    static final int PEER_PORT = 7_410;
    private static final String MAIN = "io.teff.cluster.terminal.cli.Terminal";
    /** A container may have a root file system that cannot be written. */
    private static final List<String> FLAGS = List.of("-XX:-UsePerfData", "-XX:+UseSerialGC", "-Xshare:auto",
        "--enable-native-access=ALL-UNNAMED");
    private static final List<String> SMALL = List.of("-Xmx32m", "-XX:TieredStopAtLevel=1");

    private ContainerImage() {}

    /**
     * Returns the command line of a node, without the arguments of the node.
     *
     * @param java the program {@code java}
     * @param heap Java heap
     */
    static List<String> node(String java, String heap) {
        List<String> words = new ArrayList<>(List.of(java, "-Xmx" + heap, "-XX:+ExitOnOutOfMemoryError",
            "-Dsun.net.inetaddr.ttl=10"));
        words.addAll(FLAGS);
        words.addAll(List.of("-cp", LIB + "/*", MAIN));
        return words;
    }

    /** Returns the command line of a short command beside the node. */
    static List<String> brief(String java, String... arguments) {
        List<String> words = new ArrayList<>(List.of(java));
        words.addAll(SMALL);
        words.addAll(FLAGS);
        words.addAll(List.of("-cp", LIB + "/*", MAIN));
        words.addAll(List.of(arguments));
        return words;
    }

    /** Returns the command line that asks whether the node is well. */
    static List<String> health(String java, String question) {
        return brief(java, "node", "--health=" + question, "--folder", FOLDER);
    }

    /**
     * Returns the definition.
     *
     * @param base the image below, which has a JRE 25 and a shell
     * @param java home of Java in that image
     * @param heap Java heap
     * @param version name of the version, for a label
     */
    static String definition(String base, String java, String heap, String version) {
        String program = java + "/bin/java";
        return """
            # Image of a node of a Teff cluster. Build: docker build -f Containerfile -t teff:%1$s .
            # Run: docker run --read-only --tmpfs /tmp --cap-drop ALL -v data:/data -v ./conf:/etc/teff:ro teff:%1$s
            FROM %2$s
            LABEL org.opencontainers.image.title="Teff" org.opencontainers.image.version="%1$s" \\
                org.opencontainers.image.licenses="Apache-2.0"
            RUN groupadd --gid %3$d teff \\
                && useradd --uid %3$d --gid %3$d --no-create-home --home-dir %4$s --shell /usr/sbin/nologin teff \\
                && install -d -o %3$d -g %3$d -m 700 %4$s
            COPY --chown=0:0 --chmod=755 lib %5$s
            USER %3$d:%3$d
            WORKDIR %4$s
            VOLUME ["%4$s"]
            EXPOSE %6$d %7$d
            STOPSIGNAL SIGTERM
            HEALTHCHECK --interval=10s --timeout=10s --start-period=120s --retries=3 \\
                CMD %8$s
            ENTRYPOINT %9$s
            CMD ["node", "--config", "%10$s", "--folder", "%11$s"]
            """.formatted(version, base, USER, DATA, LIB, SUPERPEER_PORT, PEER_PORT, list(health(program, "live")),
            list(node(program, heap)), CONFIG, FOLDER);
    }

    /** Returns the exec form: without a shell in between, so that signals reach the node. */
    private static String list(List<String> words) {
        return words.stream().map(word -> '"' + word + '"').collect(Collectors.joining(", ", "[", "]"));
    }
}
