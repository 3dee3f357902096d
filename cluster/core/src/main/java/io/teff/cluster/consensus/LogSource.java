package io.teff.cluster.consensus;

import io.teff.cluster.message.LogOrigin;
import java.io.IOException;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Copies the log of another superpeer when the own log lacks entries that are deleted there. For one thread. */
final class LogSource {
    private static final int NONE = -1;

    private final MemberFolder folder;
    private final LogMembers members;
    private final BooleanSupplier isCancelled;
    /** The superpeer whose log could not be copied last: the next copy is from a different superpeer, if possible. */
    private int failed = NONE;

    /**
     * Copies nothing yet.
     *
     * @param folder folder of the own member
     * @param members copies
     * @param isCancelled whether to give up a copy
     */
    LogSource(MemberFolder folder, LogMembers members, BooleanSupplier isCancelled) {
        this.folder = folder;
        this.members = members;
        this.isCancelled = isCancelled;
    }

    /** Returns whether any other superpeer has deleted entries missing in the own log. */
    boolean isBehind(OtherMembers others) {
        return others.origins().values().stream().anyMatch(this::isBehind);
    }

    private boolean isBehind(LogOrigin origin) {
        try {
            return folder.isBehind(origin);
        } catch (IOException _) {
            // the files of the folder change: the next check decides
            return false;
        }
    }

    /**
     * Copies the log of the superpeer with the last snapshot, if this superpeer is behind the snapshot. Returns whether
     * this superpeer has the needed entries afterwards.
     */
    boolean copy(OtherMembers others) {
        Optional<Map.Entry<Integer, LogOrigin>> best = others.origins().entrySet().stream()
            .filter(origin -> isBehind(origin.getValue()))
            .max(Comparator.comparing((Map.Entry<Integer, LogOrigin> origin) -> origin.getKey() != failed)
                .thenComparing(origin -> origin.getValue().snapshot().position()));
        if (best.isEmpty()) {
            return true;
        }
        int source = best.get().getKey();
        boolean isCopied = members.copy(source, best.get().getValue(), isCancelled);
        failed = isCopied ? NONE : source;
        return isCopied;
    }
}
