package io.teff.cluster.terminal.cli;

import io.teff.cluster.terminal.local.TrainingCluster;
import io.teff.engine.os.Chance;
import io.teff.engine.os.Threads;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;

/** The program that the JVM records for the AOT cache. The launcher runs this program; no command for users does. */
public final class Training {
    private static final int PORT_FIRST = 12_000;
    private static final int PORT_STEP = 130;
    private static final int PORT_COUNT = 50;
    private static final long SECONDS_MAX = 180;

    private Training() {}

    /**
     * Runs a small cluster in this process, and ends the process.
     *
     * @param args the folder for the program's files, missing or empty
     * @throws Exception if the program fails; then there is no cache
     */
    public static void main(String[] args) throws Exception {
        Thread limit = Threads.SYSTEM.create("teff-limit", () -> {
            try {
                TimeUnit.SECONDS.sleep(SECONDS_MAX);
                Runtime.getRuntime().halt(1);                   // without a cache
            } catch (InterruptedException _) {
                return;                                         // the thread is never interrupted
            }
        });
        limit.setDaemon(true);
        limit.start();
        TrainingCluster.run(Path.of(args[0]), PORT_FIRST + PORT_STEP * Chance.SYSTEM.nextInt(PORT_COUNT),
            Training::execute);
        System.exit(0);
    }

    private static void execute(String... words) {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        CommandLine line = Terminal.commandLine();
        var _ = line.setOut(nowhere).setErr(nowhere).execute(words);
    }
}
