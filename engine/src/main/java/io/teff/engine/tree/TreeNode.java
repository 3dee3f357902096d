package io.teff.engine.tree;

import io.teff.engine.memory.Memory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Search and change of a node in its chunk ({@link NodeLayout}).
 *
 * <p>{@link #route} may read bytes that change at the same time. It never reads outside the chunk, and its result
 * counts only if the stripe's word validates afterwards. All other methods are called inside the stripe.
 */
final class TreeNode {
    /** Result of {@link #route}: the search has ended in this node. */
    static final long ARRIVED = -1;
    /** Result of {@link #route}: the bytes are torn or not a node. */
    static final long TORN = -2;

    private static final int LINE_BYTES = 64;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private TreeNode() {}

    // ---- search, in bytes that may be torn ----

    /**
     * Finds the next step of a search.
     *
     * @param isByHead whether keys are heads
     * @param operation the search; receives the result if the search ends here, with the value if it is wanted
     * @return CID of the right neighbour or of a child, {@link #ARRIVED}, or {@link #TORN}
     */
    static long route(Memory memory, long address, long length, boolean isByHead, TreeOperation operation) {
        if (length < NodeLayout.NODE_BYTES_MIN) {
            return TORN;
        }
        final long header = memory.getFieldLong(address);
        final int count = NodeLayout.count(header);
        if (NodeLayout.slotsEnd(count) > length) {
            return TORN;
        }
        final int level = NodeLayout.level(header);
        operation.isRight = !NodeLayout.isLast(header) && isBeyond(memory, address, length, isByHead, operation);
        if (operation.isRight) {
            operation.linkLevel = level;               // an unvalidated read may have set another level
            return memory.getFieldLong(address + NodeLayout.RIGHT_AT);
        }
        if (level == 0) {
            operation.fetched = fetch(memory, address, NodeLayout.slotsEnd(count));
        }
        final int index = operation.search == Search.FLOOR
            ? floor(memory, address, length, level, count, isByHead, operation)
            : search(memory, address, length, level, count, count, isByHead, operation);
        if (level > operation.level) {
            operation.linkLevel = level - 1;
            return count == 0 ? TORN : link(memory, address, length, count, Math.max(index, 0), isByHead);
        }
        operation.nodeLevel = level;
        operation.index = index;
        return find(memory, address, length, count, isByHead, operation);
    }

    /**
     * Prefetches a leaf's slots: loads one word of each cache line. These cache misses overlap, while cache misses of a
     * binary search occur in sequence. The sum has no meaning; storing it keeps the compiler from removing the loads.
     */
    private static long fetch(Memory memory, long address, int slotsEnd) {
        long sum = 0;
        for (int at = LINE_BYTES; at <= slotsEnd - Long.BYTES; at += LINE_BYTES) {
            sum += memory.getFieldLong(address + at);
        }
        return sum;
    }

    private static boolean isBeyond(Memory memory, long address, long length, boolean isByHead,
                                    TreeOperation operation) {
        return switch (operation.search) {
            case START -> false;
            case END -> true;
            case FLOOR, BELOW -> operation.search.isBehind(
                compare(memory, address, length, NodeLayout.HIGH, isByHead, operation.key));
        };
    }

    /** Returns the last entry at or before the key. Most heads differ, so their order decides without a branch. */
    private static int floor(Memory memory, long address, long length, int level, int count, boolean isByHead,
                             TreeOperation operation) {
        final TreeKey key = operation.key;
        final int index = floorOfHeads(memory, address, level, count, key.head);
        if (isByHead || index < (level == 0 ? 0 : 1)) {
            return index;
        }
        final int slot = index + NodeLayout.BOUNDS;
        return memory.getFieldLong(address + NodeLayout.slotAt(slot)) != key.head
            || compare(memory, address, length, slot, false, key) >= 0 ? index
            : search(memory, address, length, level, count, index, false, operation);
    }

    /**
     * Returns the last entry whose head is at most a number, or -1. The first entry of an inner node always qualifies.
     */
    private static int floorOfHeads(Memory memory, long address, int level, int count, long number) {
        final long first = address + NodeLayout.slotAt(NodeLayout.BOUNDS);
        int index = 0;
        for (int left = count; left > 1; ) {
            final int half = left >>> 1;
            final long head = memory.getFieldLong(first + (long) (index + half) * NodeLayout.SLOT_BYTES);
            index = head <= number ? index + half : index;
            left -= half;
        }
        return level == 0 && (count == 0 || memory.getFieldLong(first + index * NodeLayout.SLOT_BYTES) > number) ? -1
            : index;
    }

    /** Returns the entry that a search ends at, before the entry {@code end}. */
    private static int search(Memory memory, long address, long length, int level, int count, int end,
                              boolean isByHead, TreeOperation operation) {
        if (operation.search == Search.START) {
            return -1;
        }
        if (operation.search == Search.END) {
            return count - 1;
        }
        int low = level == 0 ? 0 : 1;
        int high = end;
        while (low < high) {
            final int middle = low + high >>> 1;
            final int slot = middle + NodeLayout.BOUNDS;
            if (operation.search.isBehind(compare(memory, address, length, slot, isByHead, operation.key))) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    /** Reads the entry at which the search has ended. */
    private static long find(Memory memory, long address, long length, int count, boolean isByHead,
                             TreeOperation operation) {
        final int index = operation.index;
        final int slot = index + NodeLayout.BOUNDS;
        operation.isExact = index >= 0 && index < count && operation.search == Search.FLOOR
            && compare(memory, address, length, slot, isByHead, operation.key) == 0;
        if (!operation.isExact) {
            return ARRIVED;
        }
        final int span = span(memory, address, slot);
        if (!isInside(span, length)) {
            return TORN;
        }
        final long from = length - NodeLayout.offset(span);
        final int part = isByHead ? 0 : partBytes(memory, address + from, NodeLayout.size(span));
        final int bytes = NodeLayout.size(span) - part;
        operation.valueFrom = from + part;
        operation.valueLength = bytes;
        operation.overflow = NodeLayout.NONE;
        if (bytes < 0) {
            return TORN;
        }
        if (NodeLayout.isOverflow(span)) {
            if (bytes < NodeLayout.LINK_BYTES) {
                return TORN;
            }
            operation.overflow = memory.getFieldLong(address + operation.valueFrom);
        } else if (operation.isValueWanted && bytes <= operation.bytes().length && bytes > 0) {
            memory.copyOut(address + operation.valueFrom, operation.bytes(), 0, bytes);
        }
        return ARRIVED;
    }

    private static int span(Memory memory, long address, int slot) {
        return memory.getFieldInt(address + NodeLayout.slotAt(slot) + NodeLayout.SPAN_AT);
    }

    /** Returns whether an entry lies in its chunk. */
    private static boolean isInside(int span, long length) {
        return NodeLayout.offset(span) <= length && NodeLayout.size(span) <= NodeLayout.offset(span);
    }

    /** Returns the bytes of the key in an entry of at most {@code size} bytes. */
    private static int partBytes(Memory memory, long entry, int size) {
        return size < NodeLayout.LENGTH_BYTES ? size + 1
            : NodeLayout.partBytes(memory.getFieldShort(entry) & 0xFFFF);
    }

    private static long link(Memory memory, long address, long length, int count, int index, boolean isByHead) {
        final int span = span(memory, address, index + NodeLayout.BOUNDS);
        if (index >= count || !isInside(span, length)) {
            return TORN;
        }
        final long from = length - NodeLayout.offset(span);
        final int part = isByHead ? 0 : partBytes(memory, address + from, NodeLayout.size(span));
        return part + NodeLayout.LINK_BYTES > NodeLayout.size(span) ? TORN : memory.getFieldLong(address + from + part);
    }

    /** Compares a key with the key of a slot. */
    private static int compare(Memory memory, long address, long length, int slot, boolean isByHead, TreeKey key) {
        final long head = memory.getFieldLong(address + NodeLayout.slotAt(slot));
        if (isByHead || head != key.head) {
            return Long.compare(key.head, head);
        }
        final int span = span(memory, address, slot);
        final int size = NodeLayout.size(span);
        if (!isInside(span, length) || size < NodeLayout.LENGTH_BYTES) {
            return 0;                                           // torn
        }
        final long entry = address + length - NodeLayout.offset(span);
        final int keyLength = memory.getFieldShort(entry) & 0xFFFF;
        if (key.length <= NodeLayout.HEAD_BYTES || keyLength <= NodeLayout.HEAD_BYTES) {
            return Integer.compare(key.length, keyLength);
        }
        if (NodeLayout.partBytes(keyLength) > size) {
            return 0;                                           // torn
        }
        return compareRest(memory, entry + NodeLayout.LENGTH_BYTES - NodeLayout.HEAD_BYTES, keyLength, key);
    }

    /** Compares the bytes behind equal heads. */
    private static int compareRest(Memory memory, long bytesAt, int keyLength, TreeKey key) {
        final byte[] array = key.out.array();
        final int both = Math.min(key.length, keyLength);
        int at = NodeLayout.HEAD_BYTES;
        for (; at <= both - Long.BYTES; at += Long.BYTES) {
            final long keyWord = (long) LONG.get(array, at);
            final long slotWord = memory.getFieldLong(bytesAt + at);
            if (keyWord != slotWord) {
                return Long.compareUnsigned(Long.reverseBytes(keyWord), Long.reverseBytes(slotWord));
            }
        }
        for (; at < both; at++) {
            final int difference = (array[at] & 0xFF) - (memory.getFieldByte(bytesAt + at) & 0xFF);
            if (difference != 0) {
                return difference;
            }
        }
        return Integer.compare(key.length, keyLength);
    }

    // ---- changes, inside the stripe ----

    /** Inserts an entry. There must be room. */
    static void insert(Memory memory, long address, long length, int index, long head, byte[] entry, int size,
                       boolean isOverflow) {
        final long header = memory.getFieldLong(address);
        final int count = NodeLayout.count(header);
        final int taken = NodeLayout.taken(header) + size;
        final long slot = address + NodeLayout.slotAt(index + NodeLayout.BOUNDS);
        if (index < count) {
            memory.copy(slot, slot + NodeLayout.SLOT_BYTES, (long) (count - index) * NodeLayout.SLOT_BYTES);
        }
        memory.putFieldLong(slot, head);
        memory.putFieldInt(slot + NodeLayout.SPAN_AT, NodeLayout.span(taken, size, isOverflow));
        if (size > 0) {
            memory.copyIn(entry, 0, address + length - taken, size);
        }
        memory.putFieldLong(address, NodeLayout.changed(header, count + 1, taken, NodeLayout.waste(header)));
    }

    /** Returns the bytes of the key in an entry. */
    static int partBytes(Memory memory, long address, long length, int index, boolean isByHead) {
        final int span = span(memory, address, index + NodeLayout.BOUNDS);
        return isByHead ? 0 : partBytes(memory, address + length - NodeLayout.offset(span), NodeLayout.size(span));
    }

    /** Returns whether a value of another size fits in place. */
    static boolean hasRoom(Memory memory, long address, long length, int index, int newSize) {
        final long header = memory.getFieldLong(address);
        return newSize <= NodeLayout.size(span(memory, address, index + NodeLayout.BOUNDS))
            || NodeLayout.used(header) + newSize <= length;
    }

    /**
     * Replaces the value of an entry. There must be room.
     *
     * @param part bytes of the key, which stay
     * @param from index of the value in the array
     */
    static void replace(Memory memory, long address, long length, int index, int part, byte[] array, int from,
                        int bytes, boolean isOverflow) {
        final long header = memory.getFieldLong(address);
        final long slot = address + NodeLayout.slotAt(index + NodeLayout.BOUNDS);
        final int span = memory.getFieldInt(slot + NodeLayout.SPAN_AT);
        final int oldSize = NodeLayout.size(span);
        final int size = part + bytes;
        int offset = NodeLayout.offset(span);
        int taken = NodeLayout.taken(header);
        int waste = NodeLayout.waste(header);
        if (size <= oldSize) {
            waste += oldSize - size;
        } else {
            taken += size;
            waste += oldSize;
            if (part > 0) {
                memory.copy(address + length - offset, address + length - taken, part);
            }
            offset = taken;
        }
        if (bytes > 0) {
            memory.copyIn(array, from, address + length - offset + part, bytes);
        }
        memory.putFieldInt(slot + NodeLayout.SPAN_AT, NodeLayout.span(offset, size, isOverflow));
        memory.putFieldLong(address, NodeLayout.changed(header, NodeLayout.count(header), taken, waste));
    }

    /** Removes an entry. */
    static void remove(Memory memory, long address, int index) {
        final long header = memory.getFieldLong(address);
        final int count = NodeLayout.count(header);
        final long slot = address + NodeLayout.slotAt(index + NodeLayout.BOUNDS);
        final int span = memory.getFieldInt(slot + NodeLayout.SPAN_AT);
        final boolean isOutermost = NodeLayout.offset(span) == NodeLayout.taken(header);
        final int size = NodeLayout.size(span);
        if (index < count - 1) {
            memory.copy(slot + NodeLayout.SLOT_BYTES, slot, (long) (count - 1 - index) * NodeLayout.SLOT_BYTES);
        }
        memory.putFieldLong(address, NodeLayout.changed(header, count - 1,
            NodeLayout.taken(header) - (isOutermost ? size : 0), NodeLayout.waste(header) + (isOutermost ? 0 : size)));
    }

    /** Removes all entries. */
    static void removeAll(Memory memory, long address) {
        final long header = memory.getFieldLong(address);
        final int taken = NodeLayout.taken(header);
        final int bounds = NodeLayout.size(span(memory, address, NodeLayout.LOW))
            + NodeLayout.size(span(memory, address, NodeLayout.HIGH));
        memory.putFieldLong(address, NodeLayout.changed(header, 0, taken, taken - bounds));
    }

    /** Copies a node to memory of another length, without its waste. */
    static void copy(Memory memory, long source, long length, long target, long targetLength) {
        final long header = memory.getFieldLong(source);
        final int slotsEnd = NodeLayout.slotsEnd(NodeLayout.count(header));
        final int taken = NodeLayout.taken(header);
        memory.copy(source, target, slotsEnd);
        if (NodeLayout.waste(header) == 0) {
            if (taken > 0) {
                memory.copy(source + length - taken, target + targetLength - taken, taken);
            }
            return;
        }
        int copied = 0;
        for (int slot = 0; slot < NodeLayout.count(header) + NodeLayout.BOUNDS; slot++) {
            final int span = span(memory, source, slot);
            final int size = NodeLayout.size(span);
            copied += size;
            if (size > 0) {
                memory.copy(source + length - NodeLayout.offset(span), target + targetLength - copied, size);
            }
            memory.putFieldInt(target + NodeLayout.slotAt(slot) + NodeLayout.SPAN_AT,
                NodeLayout.span(copied, size, NodeLayout.isOverflow(span)));
        }
        memory.putFieldLong(target, NodeLayout.changed(header, NodeLayout.count(header), copied, 0));
    }
}
