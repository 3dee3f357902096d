package io.teff.engine.table;

import io.teff.engine.alloc.RunMap;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Two words for each page of a table, by the page's number: a tree of arrays on the heap that has only the branches
 * that lead to a page, and is only as high as the highest number needs.
 * <pre>
 *  number (28)   | branch (6) | branch (6) | branch (6) | branch (6) | leaf (4) |   at most
 *  leaf          | element of each page | page word of each page |
 * </pre>
 * A table with few, dense pages is a leaf or one branch; a page far from all others costs at most 1.5 KiB beside its
 * 32 KiB. Leaves with low numbers are also in a flat array as long as they are dense, which saves most lookups the
 * branches. The bytes of the tree count against the limit of the region ({@link RunMap#holdOutside}).
 *
 * <p>Lookups take no lock. Changes of the tree need the table's lock. A reader with an old part of the tree finds no
 * leaf. Before the change this was true.
 */
final class PageDirectory {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle CHILD = MethodHandles.arrayElementVarHandle(Object[].class);
    private static final int LEAF_BITS = 4;
    private static final int LEAF_PAGES = 1 << LEAF_BITS;
    private static final int BRANCH_BITS = 6;
    private static final int NUMBER_BITS = 28;
    /** Upper bound of the flat array's elements per leaf. */
    private static final int NEAR_SPARSITY_MAX = 4;
    private static final int CHILDREN = 1 << BRANCH_BITS;
    private static final int ARRAY_HEAD_BYTES = 16;
    private static final int LEAF_BYTES = ARRAY_HEAD_BYTES + 2 * LEAF_PAGES * Long.BYTES;
    private static final int BRANCH_BYTES = ARRAY_HEAD_BYTES + CHILDREN * Integer.BYTES;

    /** The tree: a node and the position of its part of a number; a leaf at position 0. */
    private static final class Root {
        private final int shift;
        private final @Nullable Object node;

        Root(int shift, @Nullable Object node) {
            this.shift = shift;
            this.node = node;
        }

        /** Returns whether the tree has a place for a number. */
        boolean covers(long number) {
            return shift == 0 ? number >>> LEAF_BITS == 0 : number >>> shift + BRANCH_BITS == 0;
        }
    }

    private final RunMap runs;
    /** Plain: its fields are final, and a reader of an old root finds no page, which was true before. */
    private Root root = new Root(0, null);
    /** Leaves by number without the branches, or null. Grows by copy; a leaf that a reader misses is in the tree. */
    private long[] @Nullable [] near = {};
    private int leafCount;

    PageDirectory(RunMap runs) {
        this.runs = runs;
    }

    // ---- looking up ----

    private long @Nullable [] leaf(long number) {
        final long[] @Nullable [] leaves = near;
        final int at = (int) (number >>> LEAF_BITS);
        final long[] leaf = at < leaves.length ? leaves[at] : null;
        return leaf != null ? leaf : leafInTree(number);
    }

    private long @Nullable [] leafInTree(long number) {
        final Root from = root;
        if (!from.covers(number)) {
            return null;
        }
        Object node = from.node;
        for (int shift = from.shift; shift > 0 && node != null; shift = below(shift)) {
            node = CHILD.getAcquire((Object[]) node, place(number, shift));
        }
        return (long[]) node;
    }

    private static int place(long number, int shift) {
        return (int) (number >>> shift) & CHILDREN - 1;
    }

    /** Returns the position of the children of a branch. */
    private static int below(int shift) {
        return shift == LEAF_BITS ? 0 : shift - BRANCH_BITS;
    }

    /** Returns the position of a branch above a node. */
    private static int above(int shift) {
        return shift == 0 ? LEAF_BITS : shift + BRANCH_BITS;
    }

    /** Returns the element of a page with acquire; 0 if there is none. */
    long element(long number) {
        final long[] leaf = leaf(number);
        return leaf == null ? 0 : (long) ELEMENT.getAcquire(leaf, (int) number & LEAF_PAGES - 1);
    }

    /** Sets the element of a page, with release. The page has a leaf. */
    void setElement(long number, long element) {
        ELEMENT.setRelease(made(number), (int) number & LEAF_PAGES - 1, element);
    }

    private long[] made(long number) {
        final long[] leaf = leaf(number);
        if (leaf == null) {
            throw new AssertionError("page " + number + " was never made");
        }
        return leaf;
    }

    private static int wordAt(long number) {
        return LEAF_PAGES + ((int) number & LEAF_PAGES - 1);
    }

    /** Returns the word of a page that has a leaf, with acquire. */
    long word(long number) {
        return (long) ELEMENT.getAcquire(made(number), wordAt(number));
    }

    void setWord(long number, long word) {
        ELEMENT.setRelease(made(number), wordAt(number), word);
    }

    boolean casWord(long number, long expected, long update) {
        return ELEMENT.compareAndSet(made(number), wordAt(number), expected, update);
    }

    long addToWord(long number, long delta) {
        return (long) ELEMENT.getAndAdd(made(number), wordAt(number), delta) + delta;
    }

    /** Returns the number of the first page, from a number on, whose element is large enough; -1 if there is none. */
    long next(long number, long elementMin) {
        final Root from = root;
        return from.covers(number) ? next(from.node, from.shift, number, elementMin) : -1;
    }

    private static long next(@Nullable Object node, int shift, long from, long elementMin) {
        if (node == null) {
            return -1;
        }
        if (shift == 0) {
            for (int i = (int) from & LEAF_PAGES - 1; i < LEAF_PAGES; i++) {
                if ((long) ELEMENT.getAcquire((long[]) node, i) >= elementMin) {
                    return i;
                }
            }
            return -1;
        }
        long below = from;
        for (int i = place(from, shift); i < CHILDREN; i++) {
            final long found = next(CHILD.getAcquire((Object[]) node, i), below(shift), below, elementMin);
            if (found >= 0) {
                return (long) i << shift | found;
            }
            below = 0;
        }
        return -1;
    }

    // ---- growing, under the table's lock ----

    /**
     * Gives a page its leaf.
     *
     * @param number of the page
     * @param isForced whether the limit of the region does not matter
     * @return false if the limit of the region is reached
     */
    boolean make(long number, boolean isForced) {
        if (leaf(number) != null) {
            return true;
        }
        if (!runs.holdOutside(missingBytes(number), isForced)) {
            return false;
        }
        Root grown = root;
        while (!grown.covers(number)) {
            Object above = null;
            if (grown.node != null) {
                final Object[] branch = new Object[CHILDREN];
                branch[0] = grown.node;
                above = branch;
            }
            grown = new Root(above(grown.shift), above);
        }
        Object node = grown.node == null ? newNode(grown.shift) : grown.node;
        final Root next = new Root(grown.shift, node);
        for (int shift = grown.shift; shift > 0; shift = below(shift)) {
            final Object[] branch = (Object[]) node;
            final int at = place(number, shift);
            if (branch[at] == null) {
                CHILD.setRelease(branch, at, newNode(below(shift)));
            }
            node = branch[at];
        }
        root = next;
        leafCount++;
        addNear((int) (number >>> LEAF_BITS), (long[]) node);
        return true;
    }

    private void addNear(int at, long[] leaf) {
        if (at < near.length) {
            near[at] = leaf;
        } else if (near.length < leafCount * NEAR_SPARSITY_MAX / 2) {
            final int before = near.length;
            final long[] @Nullable [] grown = Arrays.copyOf(near,
                Math.min(Integer.highestOneBit(leafCount * NEAR_SPARSITY_MAX), 1 << NUMBER_BITS - LEAF_BITS));
            for (int i = before; i < grown.length; i++) {
                grown[i] = leafInTree((long) i << LEAF_BITS);
            }
            VarHandle.releaseFence();                           // publishes the copied content before the array
            near = grown;
        }
    }

    private static Object newNode(int shift) {
        return shift == 0 ? new long[2 * LEAF_PAGES] : new Object[CHILDREN];
    }

    /** Returns the bytes of the nodes that {@link #make} will add. */
    private long missingBytes(long number) {
        long bytes = LEAF_BYTES;
        Root at = root;
        while (!at.covers(number)) {
            bytes += at.node == null ? 0 : BRANCH_BYTES;        // an empty tree is made at its height at once
            at = new Root(above(at.shift), at.node);
        }
        Object node = root.covers(number) ? root.node : null;
        for (int shift = at.shift; shift > 0; shift = below(shift)) {
            final boolean isNewRoot = shift == at.shift && !root.covers(number) && root.node != null;
            bytes += node == null && !isNewRoot ? BRANCH_BYTES : 0;
            node = node == null ? null : ((Object[]) node)[place(number, shift)];
        }
        return bytes;
    }

    /** Drops the leaf of a page if the leaf has only zeros, together with branches without another leaf. */
    void drop(long number) {
        final long[] leaf = leaf(number);
        if (leaf != null && isZero(leaf)) {
            leafCount--;
            if (number >>> LEAF_BITS < near.length) {
                near[(int) (number >>> LEAF_BITS)] = null;
            }
            final Root from = root;
            if (from.node != null && dropBelow(from.node, from.shift, number)) {
                root = new Root(0, null);
            }
        }
    }

    private static boolean isZero(long[] leaf) {
        for (int i = 0; i < leaf.length; i++) {
            if ((long) ELEMENT.getAcquire(leaf, i) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Drops a leaf below a node; returns whether the node is empty now. */
    private boolean dropBelow(Object node, int shift, long number) {
        if (shift == 0) {
            runs.holdOutside(-LEAF_BYTES, true);
            return true;
        }
        final Object[] branch = (Object[]) node;
        final int at = place(number, shift);
        if (!dropBelow(branch[at], below(shift), number)) {
            return false;
        }
        CHILD.setRelease(branch, at, null);
        for (Object child : branch) {
            if (child != null) {
                return false;
            }
        }
        runs.holdOutside(-BRANCH_BYTES, true);
        return true;
    }

    /** Returns the bytes of all nodes, counted; for audits and tests, under the table's lock. */
    long bytes() {
        return bytes(root.node, root.shift);
    }

    private static long bytes(@Nullable Object node, int shift) {
        if (node == null) {
            return 0;
        }
        if (shift == 0) {
            return LEAF_BYTES;
        }
        long sum = BRANCH_BYTES;
        for (Object child : (Object[]) node) {
            sum += bytes(child, below(shift));
        }
        return sum;
    }
}
