package io.teff.cluster.message;

/**
 * How far a superpeer has come into the cell.
 *
 * @param isLeading whether the answering superpeer leads; the other fields count only then
 * @param isWanted whether the asking superpeer is in the tables, and not removed
 * @param isMember whether the asking superpeer is a member
 * @param isVoter whether the asking superpeer is a member with a vote
 * @param founder number of the superpeer that has founded the cell
 * @param cell number of the cell: the birth of its founder
 */
public record EnterAnswer(boolean isLeading, boolean isWanted, boolean isMember, boolean isVoter, int founder,
                          long cell) {
    /** The answer of a superpeer that does not lead. */
    public static final EnterAnswer NOT_LEADING = new EnterAnswer(false, false, false, false, 0, 0);
}
