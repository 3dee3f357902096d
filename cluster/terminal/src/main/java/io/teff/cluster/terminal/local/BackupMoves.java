package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.BackupMove;
import io.teff.cluster.admin.ClusterMoves;
import io.teff.cluster.admin.ClusterMoves.Progress;
import io.teff.cluster.admin.MoveRefusedException;
import io.teff.cluster.admin.NodeLife;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes the moves of backups of a plan, some zones at a time, the moves of a zone one after the other. Used once. */
final class BackupMoves {
    private static final int ZONES_AT_A_TIME = 8;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final ClusterMoves moves;
    private final List<BackupMove> plan;
    private final Consumer<String> notes;
    private final List<Map<String, Object>> rows = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();

    /**
     * Begins.
     *
     * @param moves begins and ends moves
     * @param plan moves; those of a zone stand together
     * @param notes takes reasons of refusals
     */
    BackupMoves(ClusterMoves moves, List<BackupMove> plan, Consumer<String> notes) {
        this.moves = moves;
        this.plan = plan;
        this.notes = notes;
    }

    /** Returns a row for each move, for programs. */
    List<Map<String, Object>> rows() {
        return rows;
    }

    /** Returns a line for each move, for people. */
    List<String> lines() {
        return lines;
    }

    /** Tells of all moves; returns 0. */
    int tell(String state) {
        plan.forEach(move -> tell(move, state));
        return 0;
    }

    private void tell(BackupMove move, String state) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("zone", move.zone());
        row.put("from", nid(move.from()));
        row.put("to", nid(move.to()));
        row.put("state", state);
        rows.add(row);
        lines.add("backup of zone " + move.zone() + (move.from() == null ? "" : " from " + move.from())
            + (move.to() == null ? " leaves" : " to " + move.to()) + ": " + state);
    }

    private static int nid(@Nullable NodeLife node) {
        return node == null ? 0 : node.nid();
    }

    /**
     * Makes the moves.
     *
     * @param endNs when the work ends at the latest
     * @param patienceNs longest time until a superpeer leads
     * @return the number of moves that were not made
     * @throws MoveRefusedException if no superpeer answers
     */
    int take(long endNs, long patienceNs) throws MoveRefusedException {
        List<BackupMove> left = new ArrayList<>(plan);
        int undone = 0;
        while (!left.isEmpty()) {
            Set<Integer> looked = new HashSet<>();
            boolean isOver = Clock.SYSTEM.nowNs() - endNs > 0;
            for (BackupMove move : List.copyOf(left)) {
                if (!isOver && (looked.size() >= ZONES_AT_A_TIME || !looked.add(move.zone()))) {
                    continue;
                }
                String state = isOver ? "not finished" : step(move, patienceNs);
                if (state != null) {
                    left.remove(move);
                    tell(move, state);
                    undone += state.equals("moved") ? 0 : 1;
                }
            }
            if (!left.isEmpty()) {
                Clock.SYSTEM.pause(this, LOOK_NS);
            }
        }
        return undone;
    }

    /** Takes a step; returns the end of the move, or null. */
    private @Nullable String step(BackupMove move, long patienceNs) throws MoveRefusedException {
        try {
            return moves.step(move, patienceNs) == Progress.DONE ? "moved" : null;
        } catch (MoveRefusedException e) {
            if (e.reason() == MoveRefusedException.Reason.UNANSWERED) {
                throw e;
            }
            if (e.reason() == MoveRefusedException.Reason.CHANGED) {
                return null;                                    // the next look has newer tables
            }
            notes.accept("the backup of zone " + move.zone() + " does not move: " + FailureText.of(e));
            return "refused";
        }
    }
}
