package io.teff.test.launcher;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * JVMs that run test classes: each is given one class after the other over a socket, and answers with lines about
 * failures and one about its end. A JVM that dies counts as a failure of the class it was running, and is replaced.
 */
final class TestJvms {
    /** Lets tests use native memory; without it the engine takes another kind of memory. */
    static final String NATIVE = "--enable-native-access=ALL-UNNAMED";
    /** Both compilers, in place of the first compiler alone. */
    static final String ALL_COMPILERS = "-XX:TieredStopAtLevel=4";
    /** The union of the flags that the modules need. */
    private static final List<String> FLAGS = List.of("-ea", "-Xmx2g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
        "--sun-misc-unsafe-memory-access=allow", "-Djava.awt.headless=true",
        "-XX:+EnableDynamicAgentLoading", "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
        "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED", "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
        "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED", "-Djmh.ignoreLock=true");
    private static final String RUNNER = "io.teff.test.kit.run.TestRunner";
    private static final String DONE = "DONE ";

    /** Of one class, after which its JVM is ended: no method may take as long. */
    private static final long MINUTES_MAX = 15;
    private static final long END_SECONDS_MAX = 60;
    private static final int OUTPUT_LINES = 20;

    private final Path root;
    private final Path folder;
    private final List<Path> classPath;
    private final List<String> tags;
    private final List<String> flags;
    private final Consumer<String> line;
    private final List<ClassResult> results = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private Consumer<ClassResult> ended = _ -> { };
    private final Queue<String> waiting = new ArrayDeque<>();

    /**
     * The result of one class.
     *
     * @param name the full name of the class
     * @param tests tests that were run or skipped
     */
    record ClassResult(String name, long tests, long failed, long skipped, double seconds) {}

    /**
     * Prepares JVMs.
     *
     * @param folder receives the output of the JVMs; relative to the root
     * @param tags the arguments of the runner: the tags of tests that are left out, separated by commas, and perhaps a
     *     tag that tests must have
     * @param flags further flags of the JVMs
     * @param line receives the lines about failures; called by one thread at a time
     */
    TestJvms(Path root, String folder, List<Path> classPath, List<String> tags, List<String> flags,
            Consumer<String> line) {
        this.root = root;
        this.folder = root.resolve(folder);
        this.classPath = classPath;
        this.tags = tags;
        this.flags = flags;
        this.line = line;
    }

    /**
     * Runs all classes in the given order, and returns their results.
     *
     * @param progress receives the result of each class when the class has ended; called by one thread at a time
     */
    List<ClassResult> run(int jvms, List<String> classes, Consumer<ClassResult> progress)
            throws IOException, InterruptedException {
        ended = progress;
        Files.createDirectories(folder);
        synchronized (this) {
            waiting.addAll(classes);
        }
        add(jvms);
        for (int i = 0; i < count(); i++) {
            thread(i).join();
        }
        return results;
    }

    private synchronized int count() {
        return threads.size();
    }

    private synchronized Thread thread(int number) {
        return threads.get(number);
    }

    /** Adds JVMs, if classes wait. */
    synchronized void add(int jvms) {
        for (int i = 0; i < jvms && !waiting.isEmpty(); i++) {
            int number = threads.size();
            threads.add(Thread.ofPlatform().name("tests-" + number).start(() -> serve(number)));
        }
    }

    private synchronized String next() {
        return waiting.poll();
    }

    private void serve(int number) {
        Path output = folder.resolve("jvm-" + number + ".txt");
        try {
            String name = next();
            while (name != null) {
                name = serveByOneJvm(name, output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs classes until one ends its JVM, or none is left. Returns the next class, or null if none is left. */
    private String serveByOneJvm(String first, Path output) throws IOException, InterruptedException {
        Path folderOfSocket = Files.createTempDirectory("teff");         // the path of a socket has at most 100 bytes
        Path path = folderOfSocket.resolve("socket");
        String name = first;
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(path));
            Process process = start(path, output);
            Thread stop = new Thread(() -> {                    // an interrupted launcher leaves no tests behind
                process.descendants().forEach(ProcessHandle::destroy);
                process.destroy();
            });
            Runtime.getRuntime().addShutdownHook(stop);
            Thread.ofVirtual().start(() -> closeAfter(process, server));
            try (SocketChannel socket = server.accept();
                    PrintWriter writer = new PrintWriter(Channels.newWriter(socket, StandardCharsets.UTF_8), true);
                    BufferedReader reader = new BufferedReader(Channels.newReader(socket, StandardCharsets.UTF_8))) {
                while (name != null && runOne(name, process, writer, reader, output)) {
                    name = next();
                }
            } catch (AsynchronousCloseException e) {
                fail(name, output);
            }
            if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            Runtime.getRuntime().removeShutdownHook(stop);
        } finally {
            Gate.delete(folderOfSocket);
        }
        return name == null ? null : next();
    }

    /** Ends the wait for a JVM that could not start. */
    private static void closeAfter(Process process, ServerSocketChannel server) {
        try {
            process.waitFor();
            server.close();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Process start(Path socket, Path output) throws IOException {
        List<String> command = new ArrayList<>(List.of(Gate.java()));
        command.addAll(FLAGS);
        String more = System.getenv("TEFF_JAVA_OPTS");
        if (more != null && !more.isBlank()) {
            command.addAll(List.of(more.strip().split(" +")));
        }
        command.addAll(flags);
        command.addAll(List.of("-Dteff.root=" + root, "-Djqwik.database=" + folder.resolve("jqwik-database"),
            "-cp", String.join(File.pathSeparator, classPath.stream().map(Path::toString).toList()), RUNNER,
            socket.toString()));
        command.addAll(tags);
        return new ProcessBuilder(command).directory(root.toFile()).redirectErrorStream(true)
            .redirectOutput(output.toFile()).start();
    }

    /** Runs one class. Returns false if its JVM has died. */
    private boolean runOne(String name, Process process, PrintWriter writer, BufferedReader reader, Path output)
            throws IOException {
        CompletableFuture<Void> limit = new CompletableFuture<Void>().completeOnTimeout(null, MINUTES_MAX,
            TimeUnit.MINUTES);
        CompletableFuture<Void> end = limit.thenRun(process::destroyForcibly);
        writer.println(name);
        for (String text = read(reader); text != null; text = read(reader)) {
            if (text.startsWith(DONE)) {
                end.cancel(false);
                limit.cancel(false);
                String[] words = text.substring(DONE.length()).split(" ");
                add(new ClassResult(name, Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]),
                    Double.parseDouble(words[3])));
                return true;
            }
            print(text);
        }
        fail(name, output);
        return false;
    }

    /** Returns the next line, or null if the JVM has ended. */
    private static String read(BufferedReader reader) {
        try {
            return reader.readLine();
        } catch (IOException _) {
            return null;
        }
    }

    private void fail(String name, Path output) throws IOException {
        add(new ClassResult(name, 1, 1, 0, 1));
        print("FAILED " + name + ": its JVM has ended; the end of its output:");
        List<String> lines = Files.readString(output, StandardCharsets.ISO_8859_1).lines().toList();
        lines.subList(Math.max(0, lines.size() - OUTPUT_LINES), lines.size()).forEach(this::print);
    }

    private synchronized void print(String text) {
        line.accept(text);
    }

    private synchronized void add(ClassResult result) {
        results.add(result);
        ended.accept(result);
    }
}
