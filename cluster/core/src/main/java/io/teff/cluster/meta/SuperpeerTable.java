package io.teff.cluster.meta;

import io.teff.cluster.meta.MachineState.Ballot;
import io.teff.cluster.meta.MachineState.Settings;
import io.teff.cluster.meta.SuperpeerRow.Standing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The superpeers in the tables, their lives, and their votes against lives of nodes. A part of the
 * {@link MetadataMachine}.
 *
 * <p><b>Changes.</b> A person adds or removes one superpeer at a time. The leading superpeer does the steps
 * ({@link Command.SuperpeerStands}). A step names the version of the set to which the step belongs, so a step counts
 * once, and after no other change. A step that changes who counts is proposed only once all living nodes know the
 * set, so the set of a node is at most one such step behind. The leases of the node then need a majority that shares a
 * superpeer with each majority that can expire the node.
 */
final class SuperpeerTable {
    /** Longest address of a superpeer. */
    static final int ADDRESS_MAX = 300;

    private static final CommandReply DONE = new CommandReply.Done();
    private static final CommandReply STALE = new CommandReply.Stale();

    private SuperpeerSet set;
    private final long[] lives = new long[SuperpeerSet.NUMBER_MAX + 1];
    private final TreeMap<NodeRef, Integer> votes = new TreeMap<>();

    SuperpeerTable(MachineState state) {
        set = state.superpeers();
        List<Long> known = state.lives();
        for (int i = 0; i < known.size(); i++) {
            lives[i] = known.get(i);
        }
        state.votes().forEach(ballot -> votes.put(ballot.node(), ballot.superpeers()));
    }

    SuperpeerSet set() {
        return set;
    }

    /** Returns the life of each number. */
    List<Long> lives() {
        return Arrays.stream(lives).boxed().toList();
    }

    /** Returns the open votes, in the order of the nodes. */
    List<Ballot> ballots() {
        List<Ballot> ballots = new ArrayList<>();
        votes.forEach((node, superpeers) -> ballots.add(new Ballot(node, superpeers)));
        return ballots;
    }

    /** Returns the nodes against which superpeers vote. */
    Set<NodeRef> accused() {
        return votes.keySet();
    }

    // ---- lives and votes ----

    /** Returns the life of a superpeer that was announced last; 0 for none. */
    long life(int number) {
        return number < 0 || number >= lives.length ? 0 : lives[number];
    }

    CommandReply begin(Command.SuperpeerLife begun) {
        if (set.row(begun.superpeer()) == null) {
            return unknown(begun.superpeer());
        }
        final long current = lives[begun.superpeer()];
        if (current == begun.life()) {
            return DONE;
        }
        if (begun.before() != current) {
            return STALE;
        }
        lives[begun.superpeer()] = begun.life();
        withdraw(begun.superpeer());
        return DONE;
    }

    /** Takes a vote of a superpeer that counts; returns whether the vote counts. */
    boolean vote(Command.Vote vote) {
        if (!set.counts(vote.superpeer()) || lives[vote.superpeer()] != vote.life()) {
            return false;
        }
        votes.merge(vote.node(), 1 << vote.superpeer(), (a, b) -> a | b);
        return true;
    }

    /** Returns whether a majority votes against a node. */
    boolean isExpired(NodeRef node) {
        return set.isMajority(Integer.bitCount(votes.getOrDefault(node, 0)));
    }

    /** Forgets the votes against a node. */
    void forget(NodeRef node) {
        votes.remove(node);
    }

    private void withdraw(int superpeer) {
        votes.replaceAll((_, all) -> all & ~(1 << superpeer));
        votes.values().removeIf(all -> all == 0);
    }

    private static CommandReply unknown(int number) {
        return new CommandReply.Refused("there is no superpeer " + number, true);
    }

    // ---- changes of the set ----

    /**
     * Adds a superpeer that does not count yet.
     *
     * @param version of the tables with this change
     */
    CommandReply add(String address, long version) {
        final SuperpeerRow known = address.isEmpty() ? null : set.at(address);
        if (known != null && known.standing() != Standing.LEFT) {
            return new CommandReply.SuperpeerGiven(known.number());
        }
        if (address.isEmpty() || address.length() > ADDRESS_MAX) {
            return new CommandReply.Refused("an address has 1 to " + ADDRESS_MAX + " characters", true);
        }
        final CommandReply refused = changing();
        if (refused != null) {
            return refused;
        }
        if (set.counting().size() >= Settings.SUPERPEERS_MAX) {
            return new CommandReply.Refused("the cluster has " + Settings.SUPERPEERS_MAX
                + " superpeers, and more are of no use; remove one first", true);
        }
        int number = set.next();
        while (set.row(number) != null) {
            number = following(number);
        }
        List<SuperpeerRow> rows = new ArrayList<>(set.rows());
        rows.add(new SuperpeerRow(number, address, Standing.ENTERING));
        rows.sort((a, b) -> Integer.compare(a.number(), b.number()));
        set = new SuperpeerSet(version, rows, following(number));
        return new CommandReply.SuperpeerGiven(number);
    }

    private static int following(int number) {
        return number >= SuperpeerSet.NUMBER_MAX ? 0 : number + 1;
    }

    private @Nullable CommandReply changing() {
        for (SuperpeerRow row : set.rows()) {
            if (row.standing() != Standing.COUNTING) {
                return new CommandReply.Refused("superpeer " + row.number() + " at " + row.address()
                    + (row.standing() == Standing.ENTERING ? " is being added" : " is being removed"), false);
            }
        }
        return null;
    }

    /** Begins to remove a superpeer. */
    CommandReply remove(int number, long version) {
        final SuperpeerRow row = set.row(number);
        if (row == null) {
            return unknown(number);
        }
        if (row.standing() == Standing.LEAVING || row.standing() == Standing.LEFT) {
            return DONE;
        }
        if (row.standing() == Standing.ENTERING) {
            put(row.in(Standing.LEFT), version);                // the superpeer has never counted
            return DONE;
        }
        final CommandReply refused = changing();
        if (refused != null) {
            return refused;
        }
        if (set.counting().size() == 1) {
            return new CommandReply.Refused("superpeer " + number + " is the only superpeer", true);
        }
        put(row.in(Standing.LEAVING), version);
        return DONE;
    }

    /** Changes the address of a superpeer. */
    CommandReply moved(Command.SuperpeerMoved moved, long version) {
        final SuperpeerRow row = set.row(moved.superpeer());
        if (row == null || row.standing() == Standing.LEFT) {
            return unknown(moved.superpeer());
        }
        if (moved.address().isEmpty() || moved.address().length() > ADDRESS_MAX) {
            return new CommandReply.Refused("an address has 1 to " + ADDRESS_MAX + " characters", true);
        }
        if (lives[moved.superpeer()] != moved.life()) {
            return STALE;
        }
        if (!row.address().equals(moved.address())) {
            put(row.at(moved.address()), version);
        }
        return DONE;
    }

    /** Does a step of the leading superpeer. */
    CommandReply step(Command.SuperpeerStands step, long version) {
        final SuperpeerRow row = set.row(step.superpeer());
        if (row == null || set.version() != step.version()) {
            return STALE;
        }
        final boolean isNext = switch (row.standing()) {
            case ENTERING -> step.standing() == Standing.COUNTING;
            case LEAVING -> step.standing() == Standing.LEFT;
            case LEFT -> step.standing() == Standing.GONE;
            case COUNTING, GONE -> false;
        };
        if (!isNext) {
            return STALE;
        }
        put(row.in(step.standing()), version);
        if (!set.counts(row.number())) {
            withdraw(row.number());
        }
        return DONE;
    }

    private void put(SuperpeerRow changed, long version) {
        set = new SuperpeerSet(version, set.rows().stream()
            .map(row -> row.number() == changed.number() ? changed : row)
            .filter(row -> row.standing() != Standing.GONE).toList(), set.next());
    }
}
