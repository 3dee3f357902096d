package io.teff.cluster.consensus;

import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.NodeRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Long commands that change no row, and what becomes of the log. */
public final class LogFill {
    private static final int AT_ONCE = 50;
    private static final long LIMIT_S = 300;
    /** A new backup of a zone that does not exist, with the names of 200 nodes: some 2 KB. */
    private static final Command LONG = new Command.AddBackup(0, 0, Collections.nCopies(200,
        new NodeRef(50_000, 1_000_000)));

    private LogFill() {}

    /** Proposes commands, and waits for their ends; some may not be committed if the leader changes meanwhile. */
    public static void fill(MetadataLog log, int commands) {
        for (int done = 0; done < commands; done += AT_ONCE) {
            List<CompletableFuture<Boolean>> replies = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                replies.add(log.propose(LONG).handle((_, failure) -> failure == null));
            }
            CompletableFuture.allOf(replies.toArray(new CompletableFuture<?>[0])).orTimeout(LIMIT_S, TimeUnit.SECONDS)
                .join();
        }
    }

    /** Returns the segments of the log that a member's archive has. */
    static int segments(Path member) {
        try {
            return MemberFiles.segments(member).getOrDefault(0L, new TreeSet<>()).size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the first position of the log that a member's archive has. */
    static long firstSegment(Path member) {
        try {
            return MemberFiles.segments(member).getOrDefault(0L, new TreeSet<>(List.of(0L))).first();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether a member's archive has files of a recording. */
    static boolean recording(Path member, long recording) {
        try {
            return MemberFiles.segments(member).containsKey(recording);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the recordings that a member's archive has. */
    static int recordings(Path member) {
        try {
            return MemberFiles.segments(member).size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the snapshots that a member has noted. */
    static int snapshots(Path member) {
        try {
            return LogKeeping.snapshots(MemberFiles.entries(member)).size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
