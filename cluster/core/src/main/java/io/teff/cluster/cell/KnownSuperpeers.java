package io.teff.cluster.cell;

import io.teff.cluster.message.CellMessages;
import io.teff.cluster.meta.SuperpeerRow;
import io.teff.cluster.meta.SuperpeerSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The superpeers as known to a node before the node has read tables, with their addresses. Immutable.
 *
 * @param set the superpeers, as a superpeer has answered, or as configured
 * @param configured the configured addresses; if they are the addresses of all superpeers, in the order of the numbers
 * @param isTranslated whether the superpeers know none of the configured addresses, as behind a translation of
 *     addresses: then the configured addresses are used
 */
public record KnownSuperpeers(SuperpeerSet set, List<String> configured, boolean isTranslated) {
    /** Copies the list. */
    public KnownSuperpeers {
        configured = List.copyOf(configured);
    }

    /**
     * {@return configured addresses, taken for the addresses of all superpeers}
     *
     * @param addresses in the order of the numbers
     */
    public static KnownSuperpeers of(List<String> addresses) {
        return new KnownSuperpeers(SuperpeerSet.of(addresses), addresses, false);
    }

    /**
     * {@return the same with a later set}
     *
     * @param now the set
     */
    public KnownSuperpeers with(SuperpeerSet now) {
        return new KnownSuperpeers(now, configured, isTranslated);
    }

    /**
     * {@return a set whose unknown addresses are replaced by configured addresses}
     *
     * @param now the set in the tables
     */
    public SuperpeerSet named(SuperpeerSet now) {
        return new SuperpeerSet(now.version(), now.rows().stream().map(row -> {
            final String address = address(CellMessages.nid(row.number()), now);
            return address == null ? row : new SuperpeerRow(row.number(), address, row.standing());
        }).toList(), now.next());
    }

    /**
     * {@return the address of a superpeer; null for every other node, and for an unknown address}
     *
     * @param nid any node
     * @param now the set in the tables
     */
    public @Nullable String address(int nid, SuperpeerSet now) {
        final SuperpeerRow row = now.row(CellMessages.superpeer(nid));
        if (row == null) {
            return null;
        }
        if (!isTranslated) {
            final SuperpeerRow first = set.row(row.number());
            final String address = row.address().isEmpty() && first != null ? first.address() : row.address();
            if (!address.isEmpty()) {
                return address;
            }
        }
        return now.rows().size() == configured.size() ? configured.get(now.rows().indexOf(row)) : null;
    }
}
