package io.teff.graph.algorithms;

import java.util.Arrays;

/** A list of ints that grows. For one thread at a time. */
final class IntList {
    private static final int FIRST = 64;

    private int[] items = new int[FIRST];
    private int size;

    void add(int item) {
        if (size == items.length) {
            grow();
        }
        items[size++] = item;
    }

    int get(int index) {
        return items[index];
    }

    int removeLast() {
        return items[--size];
    }

    int size() {
        return size;
    }

    void clear() {
        size = 0;
    }

    /** Copies all items to an array. */
    void copyTo(int[] target, int offset) {
        System.arraycopy(items, 0, target, offset, size);
    }

    int[] toArray() {
        return Arrays.copyOf(items, size);
    }

    /** Moves the items of all lists into one array. */
    static int[] join(IntList[] lists) {
        int size = 0;
        for (IntList list : lists) {
            size = Math.addExact(size, list.size);
        }
        int[] all = new int[size];
        int at = 0;
        for (IntList list : lists) {
            list.copyTo(all, at);
            at += list.size;
            list.clear();
        }
        return all;
    }

    private void grow() {
        items = Arrays.copyOf(items, (int) Math.min(Integer.MAX_VALUE - Byte.SIZE, items.length * 2L));
    }
}
