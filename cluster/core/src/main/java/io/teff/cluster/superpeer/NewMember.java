package io.teff.cluster.superpeer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a superpeer with an empty folder does. Pure.
 *
 * <p><b>Why no command is lost.</b> Let a command be committed: a majority has had a part in its term. If one disk of
 * these members is lost, another one of them still has its part, or most disks are lost. Its answer, or the lack of an
 * answer, keeps the member with the empty folder from founding a cell without that command.
 */
final class NewMember {
    /** What comes next. */
    enum Next {
        /** Not all have answered, so nothing is known. */
        WAIT,
        /** No member has had a part: they found the cell together. */
        FOUND,
        /** The cell exists: this member has lost its disk, and is replaced. */
        REPLACE
    }

    private NewMember() {}

    /**
     * Decides.
     *
     * @param others of each other superpeer whether it has had a part in the cell, or null if it has not answered
     */
    static Next next(List<@Nullable Boolean> others) {
        if (others.stream().anyMatch(hasPart -> Boolean.TRUE.equals(hasPart))) {
            return Next.REPLACE;
        }
        return others.stream().allMatch(Boolean.FALSE::equals) ? Next.FOUND : Next.WAIT;
    }
}
