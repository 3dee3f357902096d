package io.teff.cluster.consensus;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decision of a superpeer with an empty folder. Pure.
 *
 * <p><b>No command is lost.</b> Let a command be committed: a majority took part in the term of the command. If one
 * disk of this majority is lost, a second member still has a disk, or most disks are lost. The answer of the other
 * member, or the lack of an answer, keeps the member with the empty folder from founding a cell without the command.
 */
final class NewMember {
    /** The next step of the member. */
    enum Next {
        /** Not all have answered, so nothing is known. */
        WAIT,
        /** No member took part: all members found the cell together. */
        FOUND,
        /** The cell exists: this member has lost its disk, and is replaced. */
        REPLACE
    }

    private NewMember() {}

    /**
     * Decides.
     *
     * @param others for each other superpeer whether the superpeer took part in the cell, or null without an answer
     */
    static Next next(List<@Nullable Boolean> others) {
        if (others.stream().anyMatch(hasPart -> Boolean.TRUE.equals(hasPart))) {
            return Next.REPLACE;
        }
        return others.stream().allMatch(Boolean.FALSE::equals) ? Next.FOUND : Next.WAIT;
    }
}
