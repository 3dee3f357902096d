package io.teff.graph.algorithms;

import java.util.Arrays;

/**
 * Maximal cliques with one vertex as the member that leaves first. For one thread; used for one vertex after the other.
 *
 * <p>{@code p} later neighbours can join the clique: they are the columns of a table of bits, and its first rows. The
 * {@code x} earlier neighbours with an edge to a later neighbour are its further rows: a clique to which such a vertex
 * could be added is not maximal, or was found before. A level of the search has the columns that can still join
 * ({@code open}) and the columns that were tried before ({@code tried}), {@code width} words each. Rows of earlier
 * neighbours that could still be added are the first {@code earlier} elements of {@code outside}; a deeper level moves
 * its own to the front, so all levels share one array.
 *
 * <p>The search calls itself once for each member, so a clique of some thousand members needs a larger stack.
 */
final class CliqueSearch {
    private static final int WORD_SHIFT = 6;
    private static final int CALLS_PER_CHECK = 1 << 12;

    private final IntRows rows;
    private final int[] ranks;
    private final Team team;
    private final CliqueSink sink;
    private final int[] columns;         // column + 1 of a vertex; 0 for none
    private final IntList joins = new IntList();
    private final IntList clique = new IntList();
    private long[] table = new long[1];
    private long[] levels = new long[1];
    private int[] outside = new int[1];
    private int width;
    private int calls;

    CliqueSearch(IntRows rows, int[] ranks, Team team, CliqueSink sink) {
        this.rows = rows;
        this.ranks = ranks;
        this.team = team;
        this.sink = sink;
        columns = new int[ranks.length];
    }

    /** Lists the cliques of a vertex with vertices of greater rank; returns whether to go on. */
    boolean run(int vertex) {
        joins.clear();
        clique.clear();
        clique.add(vertex);
        int[] page = rows.page(vertex);
        int from = rows.from(vertex);
        int end = rows.to(vertex);
        for (int i = from; i < end; i++) {
            if (ranks[page[i]] > ranks[vertex]) {
                joins.add(page[i]);
                columns[page[i]] = joins.size();
            }
        }
        boolean goesOn = true;
        if (joins.size() > 0) {
            int earlier = fill(vertex, page, from, end);
            goesOn = search(0, earlier);
        } else if (from == end) {
            goesOn = give();
        }
        for (int i = 0; i < joins.size(); i++) {
            columns[joins.get(i)] = 0;
        }
        return goesOn;
    }

    /** Fills the table and the first level; returns the number of earlier neighbours that have a row. */
    private int fill(int vertex, int[] page, int from, int end) {
        int count = joins.size();
        width = (count - 1 >>> WORD_SHIFT) + 1;
        int rowCount = count + (end - from - count);
        long words = (long) rowCount * width;
        if (table.length < words) {
            table = new long[Math.toIntExact(Math.max(words, Math.min(table.length * 2L, Integer.MAX_VALUE >> 1)))];
        }
        Arrays.fill(table, 0, (int) words, 0);
        int levelWords = Math.multiplyExact((count + 1) * 2, width);
        if (levels.length < levelWords) {
            levels = new long[levelWords];
        }
        if (outside.length < end - from) {
            outside = new int[end - from];
        }
        for (int column = 0; column < count; column++) {
            fillRow(column, joins.get(column));
        }
        int earlier = 0;
        for (int i = from; i < end; i++) {
            if (ranks[page[i]] < ranks[vertex] && fillRow(count + earlier, page[i])) {
                outside[earlier] = count + earlier;
                earlier++;
            }
        }
        Arrays.fill(levels, 0, 2 * width, 0);
        for (int column = 0; column < count; column++) {
            levels[column >>> WORD_SHIFT] |= 1L << column;
        }
        return earlier;
    }

    private boolean fillRow(int row, int vertex) {
        boolean any = false;
        int[] page = rows.page(vertex);
        int end = rows.to(vertex);
        for (int i = rows.from(vertex); i < end; i++) {
            int column = columns[page[i]] - 1;
            if (column >= 0) {
                table[row * width + (column >>> WORD_SHIFT)] |= 1L << column;
                any = true;
            }
        }
        return any;
    }

    private boolean search(int level, int earlier) {
        if (calls++ % CALLS_PER_CHECK == 0) {
            team.check();
        }
        int open = level * 2 * width;
        int tried = open + width;
        if (isEmpty(open)) {
            return earlier > 0 || !isEmpty(tried) || give();
        }
        int pivot = pivot(open, tried, earlier) * width;
        for (int word = 0; word < width; word++) {
            // Columns next to the pivot are left to the search that takes the pivot, or one of the others.
            long candidates = levels[open + word] & ~table[pivot + word];
            while (candidates != 0) {
                int bit = Long.numberOfTrailingZeros(candidates);
                candidates &= candidates - 1;
                if (!take((word << WORD_SHIFT) + bit, level, earlier)) {
                    return false;
                }
                levels[open + word] &= ~(1L << bit);
                levels[tried + word] |= 1L << bit;
            }
        }
        return true;
    }

    private boolean take(int column, int level, int earlier) {
        int open = level * 2 * width;
        int deeper = open + 2 * width;
        int row = column * width;
        for (int word = 0; word < width; word++) {
            levels[deeper + word] = levels[open + word] & table[row + word];
            levels[deeper + width + word] = levels[open + width + word] & table[row + word];
        }
        int kept = 0;
        for (int i = 0; i < earlier; i++) {
            int other = outside[i];
            if ((table[other * width + (column >>> WORD_SHIFT)] >>> column & 1) != 0) {
                outside[i] = outside[kept];
                outside[kept++] = other;
            }
        }
        clique.add(joins.get(column));
        boolean goesOn = search(level + 1, kept);
        clique.removeLast();
        return goesOn;
    }

    /** The row with the most open columns. */
    private int pivot(int open, int tried, int earlier) {
        int best = -1;
        int most = -1;
        for (int word = 0; word < width; word++) {
            for (long bits = levels[open + word] | levels[tried + word]; bits != 0; bits &= bits - 1) {
                int row = (word << WORD_SHIFT) + Long.numberOfTrailingZeros(bits);
                int count = openOf(row, open);
                if (count > most) {
                    most = count;
                    best = row;
                }
            }
        }
        for (int i = 0; i < earlier; i++) {
            int count = openOf(outside[i], open);
            if (count > most) {
                most = count;
                best = outside[i];
            }
        }
        return best;
    }

    private int openOf(int row, int open) {
        int count = 0;
        for (int word = 0; word < width; word++) {
            count += Long.bitCount(table[row * width + word] & levels[open + word]);
        }
        return count;
    }

    private boolean isEmpty(int words) {
        for (int word = 0; word < width; word++) {
            if (levels[words + word] != 0) {
                return false;
            }
        }
        return true;
    }

    private boolean give() {
        int[] members = clique.toArray();
        Arrays.sort(members);
        return sink.clique(members, members.length);
    }
}
