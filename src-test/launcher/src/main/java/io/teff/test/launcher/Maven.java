package io.teff.test.launcher;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Maven, running on the JDK that the launcher has found.
 *
 * @param root where the root pom is
 * @param program path of {@code mvn}
 */
record Maven(Path root, String program) {
    /** They keep Maven's own libraries from printing warnings about themselves, and leave the processors to tests. */
    private static final String QUIET = "--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED"
        + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC";
    /** The compiler's packages that Error Prone uses, as javac runs in Maven's JVM. */
    private static final String COMPILER = Stream.of("api", "file", "main", "model", "parser", "processing", "tree",
        "util").map(name -> " --add-exports=jdk.compiler/com.sun.tools.javac." + name + "=ALL-UNNAMED")
        .collect(Collectors.joining())
        + " --add-opens=jdk.compiler/com.sun.tools.javac.code=ALL-UNNAMED"
        + " --add-opens=jdk.compiler/com.sun.tools.javac.comp=ALL-UNNAMED";

    /** Runs Maven and returns its exit code. */
    int run(List<String> arguments, Consumer<String> line) throws IOException, InterruptedException {
        String jdk = System.getProperty("java.home");
        String options = System.getenv("MAVEN_OPTS");
        List<String> command = new ArrayList<>(List.of(program, "--batch-mode"));
        command.addAll(List.of("-Dteff.compiler.fork=false", "-Dteff.jdk.use=IfMatch",
            "-Dteff.jdk.bin=" + jdk + "/bin/"));
        command.addAll(arguments);
        String flags = QUIET + COMPILER + (options == null ? "" : " " + options);
        return Command.run(root, Map.of("JAVA_HOME", jdk, "JAVA25_HOME", jdk, "MAVEN_OPTS", flags), command, line);
    }
}
