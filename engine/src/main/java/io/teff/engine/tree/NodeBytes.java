package io.teff.engine.tree;

import io.teff.engine.codec.Output;
import io.teff.engine.error.StoreException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A copy of a node on the heap ({@link NodeLayout}), to be searched, read or composed. Not thread-safe. */
final class NodeBytes {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORT =
        MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes = new byte[NodeLayout.NODE_BYTES_MAX];
    private long header;
    private int length;
    private boolean isByHead;

    // ---- reading ----

    /** Returns the array to copy a node into; {@link #copied} must follow. */
    byte[] bytes() {
        return bytes;
    }

    /** Replaces the array by one for a copy of {@code wanted} bytes. */
    void grow(long wanted) {
        if (bytes.length < wanted) {
            bytes = new byte[Math.toIntExact(wanted)];
        }
    }

    /** Accepts the bytes that were copied; returns whether they can be a node. */
    boolean copied(int copiedBytes, boolean isKeyHead) {
        isByHead = isKeyHead;
        length = copiedBytes;
        header = copiedBytes >= NodeLayout.NODE_BYTES_MIN ? (long) LONG.get(bytes, 0) : -1;
        return NodeLayout.used(header) <= copiedBytes;
    }

    /** Returns whether all entries lie inside the node, and have a link where they should. */
    boolean isSound() {
        if (NodeLayout.slotsEnd(count()) + NodeLayout.taken(header) > length) {
            return false;
        }
        for (int slot = 0; slot < count() + NodeLayout.BOUNDS; slot++) {
            final int span = span(slot);
            final boolean isLink = NodeLayout.isOverflow(span) || level() > 0 && slot >= NodeLayout.BOUNDS;
            if (NodeLayout.offset(span) > NodeLayout.taken(header) || NodeLayout.size(span) > NodeLayout.offset(span)
                || partOf(slot) > NodeLayout.size(span)
                || isLink && NodeLayout.size(span) - partOf(slot) != NodeLayout.LINK_BYTES) {
                return false;
            }
        }
        return true;
    }

    int level() {
        return NodeLayout.level(header);
    }

    boolean isFirst() {
        return NodeLayout.isFirst(header);
    }

    boolean isLast() {
        return NodeLayout.isLast(header);
    }

    int count() {
        return NodeLayout.count(header);
    }

    long right() {
        return (long) LONG.get(bytes, NodeLayout.RIGHT_AT);
    }

    /** Returns the length of the whole node in bytes, including room. */
    int length() {
        return length;
    }

    /** Returns the bytes of the node without room and waste. */
    int needed() {
        return NodeLayout.needed(header);
    }

    private int span(int slot) {
        return (int) INT.get(bytes, NodeLayout.slotAt(slot) + NodeLayout.SPAN_AT);
    }

    private long head(int slot) {
        return (long) LONG.get(bytes, NodeLayout.slotAt(slot));
    }

    private int sizeOf(int slot) {
        return NodeLayout.size(span(slot));
    }

    private int fromOf(int slot) {
        final int span = span(slot);
        check(NodeLayout.offset(span) <= length && NodeLayout.size(span) <= NodeLayout.offset(span));
        return length - NodeLayout.offset(span);
    }

    /** Guards against the content of an overwritten chunk. */
    private static void check(boolean isInside) {
        if (!isInside) {
            throw StoreException.fatal("a node of a sorted map has an entry outside its bytes");
        }
    }

    /** Returns the length of a key in bytes, or -1 if the key is a head. */
    private int keyLength(int slot) {
        if (isByHead || sizeOf(slot) < NodeLayout.LENGTH_BYTES) {
            return -1;
        }
        final int keyLength = (short) SHORT.get(bytes, fromOf(slot)) & 0xFFFF;
        check(NodeLayout.partBytes(keyLength) <= sizeOf(slot));
        return keyLength;
    }

    private int partOf(int slot) {
        if (isByHead) {
            return 0;
        }
        final int keyLength = keyLength(slot);
        return keyLength < 0 ? 0 : NodeLayout.partBytes(keyLength);
    }

    private void loadSlot(int slot, TreeKey target) {
        target.load(head(slot), keyLength(slot), bytes, fromOf(slot) + NodeLayout.LENGTH_BYTES);
    }

    /** Returns the key of an entry as a number. */
    long head(long index) {
        return head((int) index + NodeLayout.BOUNDS);
    }

    /** Copies the key of an entry to a target. */
    void loadKey(int index, TreeKey target) {
        check(isByHead || level() > 0 || sizeOf(index + NodeLayout.BOUNDS) >= NodeLayout.LENGTH_BYTES);
        loadSlot(index + NodeLayout.BOUNDS, target);
    }

    /** Copies the low bound, which must exist. */
    void loadLow(TreeKey target) {
        loadSlot(NodeLayout.LOW, target);
    }

    /** Copies the high bound, which must exist. */
    void loadHigh(TreeKey target) {
        loadSlot(NodeLayout.HIGH, target);
    }

    boolean isOverflow(int index) {
        return NodeLayout.isOverflow(span(index + NodeLayout.BOUNDS));
    }

    /** Returns the index in {@link #bytes} of an entry's value. */
    int valueFrom(int index) {
        return fromOf(index + NodeLayout.BOUNDS) + partOf(index + NodeLayout.BOUNDS);
    }

    int valueBytes(int index) {
        return sizeOf(index + NodeLayout.BOUNDS) - partOf(index + NodeLayout.BOUNDS);
    }

    /** Returns the overflow chunk of a value, or the child. */
    long link(int index) {
        check(valueBytes(index) == NodeLayout.LINK_BYTES);
        return (long) LONG.get(bytes, valueFrom(index));
    }

    /** Returns the bytes that an entry takes, including its slot. */
    int costOf(int index) {
        return sizeOf(index + NodeLayout.BOUNDS) + NodeLayout.SLOT_BYTES;
    }

    // ---- search ----

    /** Compares a key with the key of a slot, which is loaded into {@code slotKey}. */
    private int compare(KeyOrder<?> order, int slot, TreeKey key, TreeKey slotKey) {
        if (!order.isByObject()) {
            final long head = head(slot);
            if (isByHead || key.head != head) {
                return Long.compare(key.head, head);
            }
        }
        loadSlot(slot, slotKey);
        return order.compareKeys(key, slotKey);
    }

    /** Compares a key with the low bound; positive if there is none. */
    int compareLow(KeyOrder<?> order, TreeKey key, TreeKey slotKey) {
        return isFirst() ? 1 : compare(order, NodeLayout.LOW, key, slotKey);
    }

    /** Compares a key with the high bound; negative if there is none. */
    int compareHigh(KeyOrder<?> order, TreeKey key, TreeKey slotKey) {
        return isLast() ? -1 : compare(order, NodeLayout.HIGH, key, slotKey);
    }

    /** Returns whether the target of a search lies to the right of the node. */
    boolean isBeyond(KeyOrder<?> order, Search search, TreeKey key, TreeKey slotKey) {
        return !isLast() && switch (search) {
            case START -> false;
            case END -> true;
            case FLOOR, BELOW -> search.isBehind(compare(order, NodeLayout.HIGH, key, slotKey));
        };
    }

    /** Returns the index of the entry that a search ends at, or -1. */
    int search(KeyOrder<?> order, Search search, TreeKey key, TreeKey slotKey) {
        if (search == Search.START) {
            return -1;
        }
        if (search == Search.END) {
            return count() - 1;
        }
        int low = level() == 0 ? 0 : 1;
        int high = count();
        while (low < high) {
            final int middle = low + high >>> 1;
            if (search.isBehind(compare(order, middle + NodeLayout.BOUNDS, key, slotKey))) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    /** Implements {@link TreeNode#route} for a copied node. */
    long route(KeyOrder<?> order, TreeOperation operation) {
        operation.isRight = isBeyond(order, operation.search, operation.key, operation.slotKey);
        if (operation.isRight) {
            operation.linkLevel = level();
            return right();
        }
        final int index = search(order, operation.search, operation.key, operation.slotKey);
        if (level() > operation.level) {
            operation.linkLevel = level() - 1;
            return count() == 0 ? TreeNode.TORN : link(Math.max(index, 0));
        }
        operation.nodeLevel = level();
        operation.index = index;
        operation.isExact = index >= 0 && index < count() && operation.search == Search.FLOOR
            && !(level() > 0 && isFirst() && index == 0)
            && compare(order, index + NodeLayout.BOUNDS, operation.key, operation.slotKey) == 0;
        if (operation.isExact) {
            operation.valueFrom = valueFrom(index);
            operation.valueLength = valueBytes(index);
            operation.overflow = isOverflow(index) ? link(index) : NodeLayout.NONE;
            if (operation.isValueWanted && !isOverflow(index) && operation.valueLength <= operation.bytes().length) {
                System.arraycopy(bytes, valueFrom(index), operation.bytes(), 0, operation.valueLength);
            }
        }
        return TreeNode.ARRIVED;
    }

    // ---- composing ----

    /** Begins an empty node without bounds, with room for a number of entries. */
    void begin(int level, int flags, long right, int entries, int bytesOfEntries, boolean isKeyHead,
               int nodeBytesMax) {
        isByHead = isKeyHead;
        length = NodeLayout.lengthFor(NodeLayout.slotsEnd(entries) + bytesOfEntries, nodeBytesMax);
        grow(length);
        Arrays.fill(bytes, 0, length, (byte) 0);
        header = NodeLayout.header(level, flags, 0, 0, 0);
        LONG.set(bytes, NodeLayout.RIGHT_AT, right);
        write();
    }

    private void write() {
        LONG.set(bytes, 0, header);
    }

    private void put(int slot, long head, byte[] source, int from, int size, boolean isOverflow) {
        final int taken = NodeLayout.taken(header) + size;
        System.arraycopy(source, from, bytes, length - taken, size);
        LONG.set(bytes, NodeLayout.slotAt(slot), head);
        INT.set(bytes, NodeLayout.slotAt(slot) + NodeLayout.SPAN_AT, NodeLayout.span(taken, size, isOverflow));
        header = NodeLayout.changed(header, count() + (slot < NodeLayout.BOUNDS ? 0 : 1), taken, 0);
        write();
    }

    /** Sets a bound to the bound of another node. */
    void putBound(int slot, NodeBytes source) {
        put(slot, source.head(slot), source.bytes, source.fromOf(slot), source.sizeOf(slot), false);
    }

    /** Sets a bound to a key. */
    void putBound(int slot, TreeKey key, Output buffer) {
        buffer.clear();
        key.putPart(buffer);
        put(slot, key.head, buffer.array(), 0, buffer.size(), false);
    }

    /** Returns the bytes of a bound, excluding its slot. */
    int boundBytes(int slot) {
        return sizeOf(slot);
    }

    /** Appends an entry. */
    void add(long head, byte[] entry, int from, int size, boolean isOverflow) {
        put(count() + NodeLayout.BOUNDS, head, entry, from, size, isOverflow);
    }

    /** Appends an entry of another node. */
    void add(NodeBytes source, int index) {
        final int slot = index + NodeLayout.BOUNDS;
        add(source.head(slot), source.bytes, source.fromOf(slot), source.sizeOf(slot), source.isOverflow(index));
    }

    /** Appends an entry of another node with another value. */
    void add(NodeBytes source, int index, byte[] entry, int valueFrom, int valueBytes, boolean isOverflow) {
        final int slot = index + NodeLayout.BOUNDS;
        final int part = source.partOf(slot);
        final int taken = NodeLayout.taken(header) + part + valueBytes;
        System.arraycopy(source.bytes, source.fromOf(slot), bytes, length - taken, part);
        System.arraycopy(entry, valueFrom, bytes, length - taken + part, valueBytes);
        LONG.set(bytes, NodeLayout.slotAt(count() + NodeLayout.BOUNDS), source.head(slot));
        INT.set(bytes, NodeLayout.slotAt(count() + NodeLayout.BOUNDS) + NodeLayout.SPAN_AT,
            NodeLayout.span(taken, part + valueBytes, isOverflow));
        header = NodeLayout.changed(header, count() + 1, taken, 0);
        write();
    }
}
