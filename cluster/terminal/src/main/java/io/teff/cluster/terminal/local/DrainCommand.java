package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterMoves;
import io.teff.cluster.admin.ClusterMoves.Unloading;
import io.teff.cluster.admin.MoveRefusedException;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code cluster drain}: moves all zones and copies of a peer to other peers. */
@Command(
    name = "drain",
    description = {"Moves all zones and copies of a peer to other peers, while they are used, and waits for the end.",
        "Afterwards the peer can be ended without a recovery. The peer takes nothing new, until its process ends or "
            + "--undo. Ctrl-C ends the command, and not the drain. A drain that cannot end says why, and does not "
            + "begin."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the peer has no zones and no copies, or --check has found no obstacle",
        "1:no superpeer answers, or the peer has ended meanwhile", "2:wrong command line",
        "3:the drain goes on after the timeout", "4:the drain could not end, and has not begun"},
    footerHeading = "%nExamples:%n",
    footer = {"  ./teff cluster drain peer-2", "  ./teff cluster drain 17 --check --json",
        "  ./teff cluster drain peer-2 --undo"},
    sortOptions = false)
public final class DrainCommand extends ClusterChange {
    /** Exit code of a drain that could not end. */
    static final int REFUSED = 4;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(200);

    @Parameters(paramLabel = "NODE", description = "The peer: its name or NID.")
    private String node = "";

    @Option(names = "--check", description = "Only find out whether a drain could end.")
    private boolean isCheck;

    @Option(names = "--undo", description = "End the drain: the peer takes zones and copies again.")
    private boolean isUndo;

    @Option(names = "--no-wait", description = "Do not wait for the end.")
    private boolean isBrief;

    @Option(names = "--json", description = "Write JSON.")
    private boolean isJson;

    @Override
    int run(ClusterAdmin admin) throws IOException {
        ClusterMoves moves = admin.moves();
        int nid = peer(status(admin), node);
        if (isUndo) {
            moves.reload(nid, patienceNs());
            return told("open", null, moves.progress(nid), 0);
        }
        Unloading work;
        try {
            work = isCheck ? moves.check(nid) : moves.unload(nid, patienceNs());
        } catch (MoveRefusedException e) {
            if (e.reason() == MoveRefusedException.Reason.UNANSWERED) {
                throw e;
            }
            return told("refused", e, null, REFUSED);
        }
        if (isCheck || isBrief && !work.isDone()) {
            return told(isCheck ? "possible" : "begun", null, work, isCheck ? 0 : UNFINISHED);
        }
        return await(moves, work);
    }

    private int await(ClusterMoves moves, Unloading work) throws IOException {
        if (!isJson) {
            note("moves " + work.zones() + " zones with " + (work.bytes() >> 20) + " MiB, and replaces " + work.copies()
                + " copies");
        }
        long endNs = Clock.SYSTEM.nowNs() + patienceNs();
        int left = work.zones() + work.copies();
        while (true) {
            Unloading now = moves.progress(work.node().nid());
            if (!now.node().equals(work.node()) || !now.isAlive()) {
                throw new CommandFailure(work.node() + " has ended before it had no zones; other peers recover the "
                    + "zones that were left");
            }
            if (now.isDone()) {
                return told("drained", null, now, 0);
            }
            if (!isJson && now.zones() + now.copies() < left) {
                left = now.zones() + now.copies();
                note("  " + now.zones() + " zones and " + now.copies() + " copies are left");
            }
            if (Clock.SYSTEM.nowNs() - endNs > 0) {
                return told("draining", null, now, UNFINISHED);
            }
            Clock.SYSTEM.pause(this, LOOK_NS);
        }
    }

    private int told(String state, @Nullable MoveRefusedException refusal, @Nullable Unloading work, int exitCode)
        throws IOException {
        if (isJson) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("node", node);
            document.put("nid", work == null ? null : work.node().nid());
            document.put("state", state);
            document.put("zones", work == null ? null : work.zones());
            document.put("bytes", work == null ? null : work.bytes());
            document.put("copies", work == null ? null : work.copies());
            document.put("reason", refusal == null ? null : refusal.reason().name());
            document.put("text", refusal == null ? null : FailureText.of(refusal));
            print(document);
        } else if (refusal != null) {
            note("cannot drain " + node + ": " + FailureText.of(refusal) + "; nothing has begun");
        } else if (work != null) {
            print(node + ", " + work.node() + ", " + switch (state) {
                case "drained" -> "has no zones and no copies; it can be ended";
                case "possible" -> "can be drained: " + work.zones() + " zones and " + work.copies() + " copies";
                case "open" -> "takes zones and copies again";
                default -> "is being drained: " + work.zones() + " zones and " + work.copies() + " copies are left";
            });
        }
        return exitCode;
    }
}
