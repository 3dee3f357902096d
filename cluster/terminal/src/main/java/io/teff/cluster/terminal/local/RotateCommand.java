package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterAdmin.NodeAccess;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.terminal.option.EntranceOptions;
import io.teff.engine.os.Chance;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The command {@code cluster rotate}: the next step of the replacement of a secret or token, on this machine. */
@Command(
    name = "rotate",
    description = {"Takes the next step of the replacement of a secret or token, for the files of this machine.",
        "Run it on each machine, then on each machine again, then a third time. First: FILE.next gets a new secret, "
            + "which nodes accept beside the old secret; copy FILE.next to the other machines, or name it there by "
            + "--new. Second: FILE gets the new secret, and FILE.before has the old secret, which is still accepted. "
            + "Third: FILE.before is removed. Nodes and clients look at their files every ten seconds, and connections "
            + "go on. The second and third step ask the cluster whether each node is ready, and change nothing if a "
            + "node is not."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the step is done", "1:a file is in the way", "2:wrong command line",
        "4:a node is not ready for the step; nothing has changed"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff cluster rotate /etc/teff/secret --superpeers 10.0.0.1:7400",
    sortOptions = false)
public final class RotateCommand extends LocalCommand {
    private static final int UNREADY = 4;
    private static final int SECRET_BYTES = 32;
    private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(500);

    @Parameters(paramLabel = "FILE", description = "The secret file of a node, or the file of a token.")
    private Path file = Path.of("");

    @Option(names = "--new", paramLabel = "FILE", description = "First step: the new secret. By default a random one.")
    private @Nullable Path chosen;

    @Option(names = "--unchecked", description = "Do not ask the cluster; for a cluster that does not run.")
    private boolean isUnchecked;

    @Mixin
    private EntranceOptions entrance = new EntranceOptions();

    @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "60",
        description = "How long to wait for nodes that are not ready. Default: ${DEFAULT-VALUE}.")
    private int timeoutS = 60;

    @Override
    public Integer call() {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Path before = file.resolveSibling(file.getFileName() + ".before");
        try {
            if (!Files.isReadable(file)) {
                throw new CommandFailure("there is no file " + file + " that this user can read");
            }
            if (Files.exists(before)) {
                return third(before);
            }
            return Files.exists(next) ? second(next, before) : first(next);
        } catch (IOException e) {
            throw new CommandFailure(FailureText.of(e), e);
        }
    }

    // ---- steps ----

    private int first(Path next) throws IOException {
        byte[] secret;
        if (chosen == null) {
            byte[] random = new byte[SECRET_BYTES];
            Chance.SYSTEM.nextBytes(random);
            secret = (HexFormat.of().formatHex(random) + "\n").getBytes(StandardCharsets.US_ASCII);
        } else {
            secret = Files.readAllBytes(chosen);
        }
        write(next, secret);
        print("step 1 of 3: " + next + " has the new secret; have the same file on each machine, then run this again");
        return 0;
    }

    private int second(Path next, Path before) throws IOException {
        List<String> unready = unready(next, "");
        if (!unready.isEmpty()) {
            return refused(unready, "does not accept the new secret yet");
        }
        write(before, Files.readAllBytes(file));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        print("step 2 of 3: " + file + " has the new secret, and the old one is still accepted; when each machine has "
            + "done this, run this again");
        return 0;
    }

    private int third(Path before) throws IOException {
        List<String> unready = unready(file, "step 1 of 2");
        if (!unready.isEmpty()) {
            return refused(unready, "still uses the old secret");
        }
        Files.delete(before);
        print("step 3 of 3: the old secret is not accepted by nodes of this machine any more");
        return 0;
    }

    private int refused(List<String> unready, String what) {
        note("nothing has changed: " + String.join(", ", unready) + ' ' + what);
        return UNREADY;
    }

    private static void write(Path file, byte[] secret) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(file, secret, StandardOpenOption.SYNC);
    }

    // ---- the cluster ----

    /** Returns the nodes that do not answer with a secret, or whose state has a mark, after a wait. */
    private List<String> unready(Path secret, String mark) {
        if (isUnchecked) {
            return List.of();
        }
        if (!entrance.isElsewhere()) {
            throw new ParameterException(spec().commandLine(), "this step needs --superpeers, or --unchecked");
        }
        entrance.secretOf(secret);
        long endNs = Clock.SYSTEM.nowNs() + TimeUnit.SECONDS.toNanos(timeoutS);
        while (true) {
            List<String> unready = look(mark);
            if (unready.isEmpty() || Clock.SYSTEM.nowNs() - endNs > 0) {
                return unready;
            }
            Clock.SYSTEM.pause(this, AGAIN_NS);
        }
    }

    private List<String> look(String mark) {
        try (ClusterAdmin admin = entrance.connect(spec())) {
            ClusterStatus tables = admin.tables();
            if (!tables.isAnswering()) {
                return List.of("each superpeer");
            }
            Set<Integer> unready = tables.nodes().stream().filter(Member::isAlive).map(node -> node.life().nid())
                .collect(Collectors.toCollection(TreeSet::new));
            for (NodeAccess each : admin.access()) {
                if (mark.isEmpty() || !each.state().contains(mark)) {
                    unready.remove(each.life().nid());
                }
            }
            return unready.stream().map(nid -> "node " + nid).toList();
        } catch (IOException e) {
            return List.of("the cluster (" + FailureText.of(e) + ")");
        }
    }
}
