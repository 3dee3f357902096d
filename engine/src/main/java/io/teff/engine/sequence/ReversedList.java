package io.teff.engine.sequence;

import java.util.AbstractList;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Spliterator;
import java.util.Spliterators;

/**
 * A list in reverse order. Its iterators never fail, and show each element that stays exactly once, like those of the
 * list. Operations by index are those of two steps: the length of the list, then the operation.
 *
 * @param <E> type of the elements
 */
final class ReversedList<E> extends AbstractList<E> {
    private final ChunkSegmentList<E> list;

    ReversedList(ChunkSegmentList<E> list) {
        this.list = list;
    }

    private int mirrored(int index) {
        return list.size() - 1 - index;
    }

    @Override
    public int size() {
        return list.size();
    }

    @Override
    public E get(int index) {
        return list.get(mirrored(index));
    }

    @Override
    public E set(int index, E element) {
        return list.set(mirrored(index), element);
    }

    @Override
    public void add(int index, E element) {
        if (index == 0) {
            list.add(element);
        } else {
            list.add(mirrored(index) + 1, element);
        }
    }

    @Override
    public E remove(int index) {
        return list.remove(mirrored(index));
    }

    @Override
    public E removeFirst() {
        return list.removeLast();
    }

    @Override
    public E removeLast() {
        return list.removeFirst();
    }

    @Override
    public void clear() {
        list.clear();
    }

    @Override
    public List<E> reversed() {
        return list;
    }

    @Override
    public Iterator<E> iterator() {
        return new Walk<>(list, list.walkFromEnd());
    }

    @Override
    public ListIterator<E> listIterator(int index) {
        return new Walk<>(list, index == 0 ? list.walkFromEnd() : list.walkFrom(mirrored(index) + 1));
    }

    @Override
    public Spliterator<E> spliterator() {
        return Spliterators.spliteratorUnknownSize(iterator(), Spliterator.ORDERED | Spliterator.NONNULL);
    }

    /** A walk in reverse order. */
    private record Walk<E>(ChunkSegmentList<E> list, ListWalk<E> walk) implements ListIterator<E> {
        @Override
        public boolean hasNext() {
            return walk.hasPrevious();
        }

        @Override
        public E next() {
            return walk.previous();
        }

        @Override
        public boolean hasPrevious() {
            return walk.hasNext();
        }

        @Override
        public E previous() {
            return walk.next();
        }

        @Override
        public int nextIndex() {
            return list.size() - walk.nextIndex();
        }

        @Override
        public int previousIndex() {
            return nextIndex() - 1;
        }

        @Override
        public void remove() {
            walk.remove();
        }

        @Override
        public void set(E element) {
            walk.set(element);
        }

        @Override
        public void add(E element) {
            walk.add(element, false);
        }
    }
}
