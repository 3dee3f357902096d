package io.teff.cluster.consensus;

import io.teff.cluster.message.LogOrigin;
import java.util.function.BooleanSupplier;

/** Starts members of the replicated log in one superpeer's folder. */
public interface LogMembers {
    /**
     * Starts a member.
     *
     * @param isNewcomer whether the member takes part in no election
     * @return the member
     */
    MemberLog start(boolean isNewcomer);

    /** {@return whether the disk of the folder has room for a member} */
    default boolean hasRoom() {
        return true;
    }

    /**
     * Returns whether a member could not start because the disk was full.
     *
     * @param failure an exception of {@link #start}
     * @return whether the disk was full
     */
    default boolean isOfFullDisk(Exception failure) {
        return false;
    }

    /**
     * Replaces the log in the folder by the log of another member; the own member must not run. The folder keeps the
     * member's votes in elections, and whether the member is a newcomer.
     *
     * @param source number of the other member
     * @param origin recordings offered by the other member
     * @param isCancelled whether to give up
     * @return whether the log was copied; if not, the folder is unchanged, or the next look at the member's part
     *     ({@link MemberFolder#part}) moves the complete copy into place: no member must start before this look
     */
    boolean copy(int source, LogOrigin origin, BooleanSupplier isCancelled);
}
