package io.teff.cluster.consensus;

import io.teff.cluster.message.LogOrigin;
import java.util.function.BooleanSupplier;

/** Starts members of the replicated log in one superpeer's folder. */
public interface LogMembers {
    /**
     * Starts a member.
     *
     * @param isNewcomer whether it has a part in no election
     * @return the member
     */
    MetadataLog start(boolean isNewcomer);

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
     * Replaces the log in the folder by that of another member; the own member must not run. The folder keeps in which
     * elections the member has voted, and whether it is a newcomer.
     *
     * @param source number of the other member
     * @param origin what it offers
     * @param isCancelled whether to give up
     * @return whether it was copied; if not, the folder is as before, or the next look at its part
     *     ({@link MemberFolder#part}) puts the whole copy in place: no member must start before it
     */
    boolean copy(int source, LogOrigin origin, BooleanSupplier isCancelled);
}
