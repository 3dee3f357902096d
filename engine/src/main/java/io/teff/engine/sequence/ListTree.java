package io.teff.engine.sequence;

import io.teff.engine.collect.ChunkList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The order of a list's segments, and their numbers of elements: a counted tree on the heap, which finds the segment of
 * an index, and the neighbours of a segment.
 *
 * <p><b>Why on the heap.</b> Each insertion changes a count on each level. Counts in chunks would be written to the
 * journal with each insertion, and an opened list could not trust them: a snapshot may show a list between two steps.
 * So the segments have links in their chunks, which change only when segments come and go, and the counts are made when
 * the list is opened, which reads the segments anyway. An entry takes 6 bytes for up to 64 elements.
 *
 * <p><b>Invariants.</b> All leaves have the same depth. The end of an entry is the number of elements of the entries up
 * to it, in its node. No node but the root is empty. A node that becomes sparse is joined with a neighbour, so the
 * depth is logarithmic.
 *
 * <p><b>Readers</b> take no lock. A change holds the write stamp of the list, so a reader that read while entries moved
 * finds its stamp invalid. An append needs no stamp: it changes the ends of last entries only, which a search for an
 * element in front does not depend on, and a new last entry is complete before it is counted. One thread at a time
 * changes the tree.
 *
 * <p><b>Walks</b> go on at places ({@link ListPlace}), which the tree keeps right when it splits, joins and changes
 * segments.
 */
final class ListTree {
    private static final int OFFSET_BITS = 7;
    private static final int OFFSET_MASK = (1 << OFFSET_BITS) - 1;
    private static final int SPARSE = ListNode.ENTRIES / 4;
    private static final int JOINED_MAX = ListNode.ENTRIES * 3 / 4;

    static {
        assert ChunkList.SEGMENT <= OFFSET_MASK : "offsets must fit";
    }

    private ListNode root = new ListLeaf();

    /** Returns the root. */
    ListNode root() {
        return root;
    }

    /** Returns whether there is no segment. */
    boolean isEmpty() {
        return root.count == 0;
    }

    /**
     * Finds an element, without an object for the result.
     *
     * @return the number of its segment, times 2^7, and the offset in the segment; negative if there is no such
     *     element, or if the tree is torn
     */
    long locate(long element) {
        ListNode node = root;
        long rest = element;
        while (rest >= 0) {
            final int index = node.entryOf(rest);
            if (index >= node.safeCount()) {
                return -1;
            }
            rest -= node.start(index);
            if (node instanceof ListLeaf leaf) {
                return (long) leaf.number(index) << OFFSET_BITS | rest & OFFSET_MASK;
            }
            final ListNode below = ((ListInner) node).entry(index);
            if (below == null) {
                return -1;
            }
            node = below;
        }
        return -1;
    }

    static int numberOf(long location) {
        return (int) (location >>> OFFSET_BITS);
    }

    static int offsetOf(long location) {
        return (int) location & OFFSET_MASK;
    }

    // ---- changes ----

    /** Appends a segment without elements, and moves a spot there. */
    void append(ListSpot spot, int number) {
        if (isEmpty()) {
            spot.set((ListLeaf) root, -1, 0);
        } else {
            spot.findEnd(root);
        }
        insertBehind(spot, number);
    }

    /** Inserts a segment without elements behind the one of a spot, and moves the spot there. */
    private void insertBehind(ListSpot spot, int number) {
        final ListNode leaf = roomFor(leaf(spot), spot.entry + 1);
        final int index = leaf == spot.leaf ? spot.entry + 1 : spot.entry + 1 - leaf(spot).count;
        leaf.open(index);
        ((ListLeaf) leaf).set(index, number);
        leaf.opened();
        spot.set((ListLeaf) leaf, index, 0);
    }

    private static ListLeaf leaf(ListSpot spot) {
        return Objects.requireNonNull(spot.leaf);
    }

    /** Splits a node if it is full; returns the node where an entry goes that would have had an index. */
    private ListNode roomFor(ListNode node, int index) {
        if (node.count < ListNode.ENTRIES) {
            return node;
        }
        final int left = index == ListNode.ENTRIES ? index : ListNode.ENTRIES / 2;
        final ListNode right = node.fresh();
        if (left < ListNode.ENTRIES) {
            node.moveTo(right, left);
        }
        insertBehind(node, right);
        return index > left || left == ListNode.ENTRIES ? right : node;
    }

    /** Enters a new node, whose elements are counted as those of a node, behind that node. */
    private void insertBehind(ListNode node, ListNode right) {
        final long moved = right.size();
        ListInner above = node.parent;
        if (above == null) {
            above = new ListInner(node, node.size() + moved);
            node.parent = above;
            enter(above, 1, right);
            root = above;
        } else {
            final int index = above.indexOf(node) + 1;
            final ListInner target = (ListInner) roomFor(above, index);
            enter(target, target == above ? index : index - above.count, right);
        }
        if (moved > 0) {
            changeAbove(node, -moved);
            changeAbove(right, moved);
        }
    }

    private static void enter(ListInner above, int index, ListNode node) {
        above.open(index);
        above.set(index, node);
        above.opened();
    }

    private static void changeAbove(ListNode node, long elements) {
        final ListInner above = Objects.requireNonNull(node.parent);
        above.change(above.indexOf(node), elements);
    }

    /** Counts elements that were added to the segment of a spot, or removed from it, at the offset. */
    void change(ListSpot spot, int elements) {
        final ListLeaf leaf = leaf(spot);
        leaf.change(spot.entry, elements);
        final ListPlace place = leaf.placeIfAny(spot.entry);
        if (place != null) {
            place.shift(spot.at, elements);
        }
    }

    /** Counts elements that were appended to the last segment. */
    void changeLast(ListSpot spot, int elements) {
        leaf(spot).change(spot.entry, elements);
    }

    /**
     * The elements of a spot's segment from the offset on were moved to a new segment behind. Moves the spot to the new
     * segment.
     */
    void split(ListSpot spot, int number) {
        final int at = spot.at;
        final int moved = spot.count() - at;
        final ListPlace place = leaf(spot).placeIfAny(spot.entry);
        leaf(spot).change(spot.entry, -moved);
        insertBehind(spot, number);
        leaf(spot).change(spot.entry, moved);
        if (place != null && place.hasGuestsFrom(at)) {
            place.split(at, leaf(spot).place(spot.entry));
        }
    }

    /** The elements of the segment of the second spot were moved to the end of the segment of the first one. */
    void join(ListSpot left, ListSpot right) {
        final int before = left.count();
        final int moved = right.count();
        final ListPlace place = leaf(right).placeIfAny(right.entry);
        if (place != null) {
            place.join(leaf(left).place(left.entry), before);
        }
        leaf(right).change(right.entry, -moved);
        leaf(left).change(left.entry, moved);
        remove(leaf(right), right.entry);
    }

    private void remove(ListNode node, int index) {
        node.close(index);
        final ListInner above = node.parent;
        if (above == null) {
            lower();
        } else if (node.count == 0) {
            remove(above, above.indexOf(node));
        } else if (node.count < SPARSE) {
            joinNode(above, above.indexOf(node));
        }
    }

    private void joinNode(ListInner above, int index) {
        if (!joinNodes(above, index) && index > 0) {
            joinNodes(above, index - 1);
        }
    }

    /** Joins the node of an entry with the next one if both are small enough. */
    private boolean joinNodes(ListInner above, int index) {
        if (index + 1 >= above.count) {
            return false;
        }
        final ListNode left = above.existing(index);
        final ListNode right = above.existing(index + 1);
        if (left.count + right.count > JOINED_MAX) {
            return false;
        }
        right.moveTo(left, 0);
        above.setEnd(index, above.end(index + 1));
        remove(above, index + 1);
        return true;
    }

    /** Removes the root while it has one entry. */
    private void lower() {
        while (root instanceof ListInner inner && inner.count == 1) {
            final ListNode below = inner.existing(0);
            below.parent = null;
            root = below;
        }
    }

    /** Removes all segments. */
    void clear() {
        clearPlaces(root);
        root = new ListLeaf();
    }

    private static void clearPlaces(@Nullable ListNode node) {
        if (node instanceof ListLeaf leaf) {
            leaf.clearPlaces();
        } else if (node instanceof ListInner inner) {
            for (int i = 0; i < inner.count; i++) {
                clearPlaces(inner.entry(i));
            }
        }
    }

    // ---- audit ----

    /** Recomputes the counts; returns what is wrong, or null. */
    @Nullable String audit() {
        return audit(root, null, depth());
    }

    private int depth() {
        int depth = 0;
        ListNode node = root;
        while (node instanceof ListInner inner) {
            node = inner.entry(0);
            depth++;
        }
        return depth;
    }

    private static @Nullable String audit(@Nullable ListNode node, @Nullable ListInner above, int depth) {
        if (node == null || node.parent != above || above != null && node.count == 0) {
            return "a node is empty, or not in its parent";
        }
        if (!(node instanceof ListInner inner)) {
            return depth == 0 ? null : "a leaf is too high";
        }
        for (int i = 0; i < inner.count; i++) {
            final ListNode below = inner.entry(i);
            if (below == null || below.size() != inner.sizeOf(i)) {
                return "a node counts " + inner.sizeOf(i) + " elements wrongly";
            }
            final String wrong = audit(below, inner, depth - 1);
            if (wrong != null) {
                return wrong;
            }
        }
        return null;
    }
}
