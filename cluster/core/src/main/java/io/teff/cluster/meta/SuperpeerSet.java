package io.teff.cluster.meta;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The superpeers of a cluster at one version of the tables. Immutable.
 *
 * <p>The superpeers that count change by one superpeer from each set to the next set, so two majorities of neighbouring
 * sets share a superpeer. A number names one superpeer for long: the numbers of removed superpeers are given again only
 * after all other numbers, so no process takes messages for a later superpeer of the same number.
 *
 * <p>Nodes talk with all superpeers of the set: a superpeer that does not count yet, or any more, may lead.
 *
 * @param version version of the tables with the last change; 0 for a set that was read from a configuration
 * @param rows the superpeers, in the order of their numbers
 * @param next the number of the next new superpeer, if the number is free
 */
public record SuperpeerSet(long version, List<SuperpeerRow> rows, int next) {
    /** Largest number of a superpeer: NIDs from 1 to 15 belong to superpeers. */
    public static final int NUMBER_MAX = 14;
    /** Version of the first set of a cluster: each configured set is older. */
    private static final long FIRST = 1;
    /** Without superpeers. */
    public static final SuperpeerSet NONE = new SuperpeerSet(0, List.of(), 0);

    /** Copies the list. */
    public SuperpeerSet {
        rows = List.copyOf(rows);
    }

    /**
     * Makes the first set of a cluster.
     *
     * @param count number of superpeers; the superpeers announce their addresses later
     * @return the set
     */
    public static SuperpeerSet of(int count) {
        List<String> unknown = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            unknown.add("");
        }
        return new SuperpeerSet(FIRST, of(unknown).rows(), count);
    }

    /**
     * Makes the set of a configuration.
     *
     * @param addresses of all superpeers, in the order of their numbers
     * @return the set
     */
    public static SuperpeerSet of(List<String> addresses) {
        List<SuperpeerRow> rows = new ArrayList<>();
        for (String address : addresses) {
            rows.add(new SuperpeerRow(rows.size(), address, SuperpeerRow.Standing.COUNTING));
        }
        return new SuperpeerSet(0, rows, rows.size());
    }

    /** {@return the superpeers that count, in the order of their numbers} */
    public List<SuperpeerRow> counting() {
        return rows.stream().filter(SuperpeerRow::counts).toList();
    }

    /**
     * {@return whether a number of superpeers that count is a majority}
     *
     * @param count number of superpeers
     */
    public boolean isMajority(int count) {
        return count * 2 > counting().size();
    }

    /**
     * {@return whether a superpeer counts}
     *
     * @param number any number
     */
    public boolean counts(int number) {
        SuperpeerRow row = row(number);
        return row != null && row.counts();
    }

    /**
     * {@return whether a superpeer is in the set, and not removed}
     *
     * @param number any number
     */
    public boolean isPart(int number) {
        SuperpeerRow row = row(number);
        return row != null && row.standing() != SuperpeerRow.Standing.LEFT;
    }

    /**
     * {@return the row of a superpeer, or null}
     *
     * @param number any number
     */
    public @Nullable SuperpeerRow row(int number) {
        for (SuperpeerRow row : rows) {
            if (row.number() == number) {
                return row;
            }
        }
        return null;
    }

    /**
     * {@return the row with an address, or null}
     *
     * @param address with the scheme of a transport
     */
    public @Nullable SuperpeerRow at(String address) {
        for (SuperpeerRow row : rows) {
            if (row.address().equals(address)) {
                return row;
            }
        }
        return null;
    }

    /**
     * {@return the superpeer that comes after a number, in a circle; -1 without superpeers}
     *
     * @param number any number
     */
    public int after(int number) {
        for (SuperpeerRow row : rows) {
            if (row.number() > number) {
                return row.number();
            }
        }
        return rows.isEmpty() ? -1 : rows.getFirst().number();
    }

    /** {@return whether a superpeer is being added or removed} */
    public boolean isChanging() {
        return rows.stream().anyMatch(row -> row.standing() != SuperpeerRow.Standing.COUNTING);
    }

    /** {@return one bit for each superpeer that counts, bit 0 for superpeer 0} */
    public int bits() {
        int bits = 0;
        for (SuperpeerRow row : rows) {
            bits |= row.counts() ? 1 << row.number() : 0;
        }
        return bits;
    }
}
