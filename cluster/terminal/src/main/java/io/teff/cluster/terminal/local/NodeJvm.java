package io.teff.cluster.terminal.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command lines of JVMs: with the class path and the Java of this JVM, and small heaps. */
final class NodeJvm {
    private static final String MAIN = "io.teff.cluster.terminal.cli.Terminal";
    private static final List<String> ALL = List.of("-XX:+UseSerialGC", "-Xss512k", "-XX:+ExitOnOutOfMemoryError",
        "--enable-native-access=ALL-UNNAMED");
    /** The heap begins small: otherwise its whole maximum is in use after some minutes. */
    private static final List<String> SMALL = List.of("-XX:TieredStopAtLevel=1", "-XX:CICompilerCount=1", "-Xms12m",
        "-XX:NewSize=4m");

    /**
     * The heap of a peer begins small, too. The young generation has room for some thousand requests, so that a peer
     * under load collects as seldom as before. Memory of the compiler and of the warm-up returns to the system.
     */
    private static final List<String> PEER = List.of("-Xms32m", "-XX:NewSize=16m", "-XX:TrimNativeHeapInterval=10000");

    private static final int SUPERPEER_HEAP_MB = 64;
    private static final int SUPERVISOR_HEAP_MB = 32;

    private NodeJvm() {}

    /** Starts the process of a node. The output of the process goes to a file in the node's folder. */
    static Process start(LocalNode node, ClusterPlan plan) throws IOException {
        List<String> flags = node.isSuperpeer() ? SMALL : PEER;
        int heapMb = node.isSuperpeer() ? SUPERPEER_HEAP_MB : plan.heapMb();
        return start(heapMb, node.folder().resolve(LocalNode.OUT), node.folder(), flags, Program.current(), "node",
            "--managed", "--config", node.folder().resolve(LocalNode.FILE).toString());
    }

    /** Starts a supervisor that outlives this process, with a program. */
    static Process startSupervisor(ClusterFolder folder, Program program) throws IOException {
        return start(SUPERVISOR_HEAP_MB, folder.path().resolve(ClusterFolder.SUPERVISOR_OUT), folder.path(), SMALL,
            program, "cluster", "supervise", "--dir", folder.path().toString());
    }

    private static Process start(int heapMb, Path out, Path home, List<String> flags, Program program,
                                 String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ALL);
        command.addAll(flags);
        command.add("-Xmx" + heapMb + "m");
        if (program.isCurrent()) {
            command.addAll(AotFlags.of(heapMb));                // a cache is that of one class path
        }
        command.addAll(List.of("-cp", program.classPath(), MAIN));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(home.toFile()).redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.to(out.toFile()));
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }
}
