package io.teff.cluster.client;

import io.teff.cluster.client.CollectionCalls.Outcome;
import io.teff.cluster.client.CollectionCalls.Page;
import io.teff.cluster.client.CollectionCalls.PageEntry;
import io.teff.cluster.operation.CollectionMode;
import io.teff.cluster.operation.OperationFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A walk over a list, page by page. A {@link Spot} is an index at a revision of the list: the owner finds the present
 * index of a spot by the changes made since then. An owner that does not know the revision any more takes the index as
 * it is. For one thread.
 */
final class RemoteListWalk<E> implements ListIterator<E> {
    /** An index at a revision; revision 0 is always the present. */
    private record Spot(long revision, long index) {}

    private record Element(Spot spot, byte[] bytes) {}

    private final RemoteList<E> list;
    private final List<Element> page = new ArrayList<>();
    /** Where the page begins and ends in the list. */
    private Spot begin;
    private Spot end;
    private boolean isBegin;
    private boolean isEnd;
    /** Number of the elements of the page that are in front of the walk. */
    private int at;
    /** The element that was shown last, and its place in the page; null if it was removed. */
    private @Nullable Element shown;
    private int shownAt;

    /** Index of the next element, as far as this walk knows. */
    private long index;

    RemoteListWalk(RemoteList<E> list, long index) {
        this.list = list;
        this.index = index;
        begin = new Spot(0, index);
        end = begin;
        isBegin = index == 0;
    }

    /** Forgets the page, and goes on at a spot. */
    private void beginAt(Spot spot) {
        page.clear();
        begin = spot;
        end = spot;
        isBegin = false;
        isEnd = false;
        at = 0;
    }

    // ---- pages ----

    private void read(CollectionMode mode, Spot from) {
        final Page read = list.calls().page(mode, from.index, from.revision);
        final boolean isForward = mode == CollectionMode.LIST_PAGE;
        page.clear();
        boolean hasMore = true;
        long first = from.index;
        for (PageEntry entry : read.entries()) {
            if (entry.key().length == 0) {
                hasMore = false;
                first = page.isEmpty() ? entry.end() : first;
            } else {
                page.add(new Element(new Spot(read.result(), entry.number()), entry.value()));
            }
        }
        if (!isForward) {
            Collections.reverse(page);
        }
        first = page.isEmpty() ? first : page.getFirst().spot.index;
        begin = new Spot(read.result(), first);
        end = new Spot(read.result(), first + page.size());
        isBegin = !isForward && !hasMore || first == 0;
        isEnd = isForward && !hasMore;
        at = isForward ? 0 : page.size();
        index = first + at;
    }

    @Override
    public boolean hasNext() {
        if (at == page.size() && !isEnd) {
            read(CollectionMode.LIST_PAGE, end);
        }
        return at < page.size();
    }

    @Override
    public boolean hasPrevious() {
        if (at == 0 && !isBegin) {
            read(CollectionMode.LIST_PAGE_BACK, begin);
        }
        return at > 0;
    }

    private E show(int index) {
        final Element element = page.get(index);
        shown = element;
        shownAt = index;
        return list.object(element.bytes);
    }

    @Override
    public E next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        index++;
        return show(at++);
    }

    @Override
    public E previous() {
        if (!hasPrevious()) {
            throw new NoSuchElementException();
        }
        index--;
        return show(--at);
    }

    @Override
    public int nextIndex() {
        return (int) Math.min(index, Integer.MAX_VALUE);
    }

    @Override
    public int previousIndex() {
        return nextIndex() - 1;
    }

    private Element shown() {
        final Element element = shown;
        if (element == null) {
            throw new IllegalStateException("there is no shown element: next() or previous() comes before");
        }
        return element;
    }

    /** Returns the index of the shown element at the moment in which its page was read. */
    long shownIndex() {
        return shown().spot.index;
    }

    // ---- changes ----

    /** Changes the shown element; returns null if the element is not in the list any more. */
    private @Nullable Outcome change(CollectionMode mode, Element element, byte[] bytes) {
        Spot spot = element.spot;
        while (true) {
            final Outcome outcome = list.calls().change(mode, spot.index, spot.revision, bytes);
            if (outcome.result() != OperationFormat.UNKNOWN_REVISION) {
                return outcome.result() == OperationFormat.MAP_DONE || outcome.value() != null ? outcome : null;
            }
            final Page now = list.calls().page(CollectionMode.LIST_PAGE, spot.index, 0);
            final PageEntry same = now.entries().isEmpty() ? null : now.entries().getFirst();
            if (same == null || same.key().length == 0 || !Arrays.equals(same.value(), element.bytes)) {
                return null;
            }
            spot = new Spot(now.result(), same.number());
        }
    }

    @Override
    public void remove() {
        isShownRemoved();
    }

    /** Removes the shown element; returns whether it was still in the list. */
    boolean isShownRemoved() {
        final Element element = shown();
        final Outcome outcome = change(CollectionMode.LIST_REMOVE_SHOWN, element, new byte[0]);
        page.remove(shownAt);
        if (shownAt < at) {
            at--;
            index--;
        }
        shown = null;
        return outcome != null;
    }

    @Override
    public void set(E element) {
        final byte[] bytes = list.bytes(element);
        final Outcome outcome = change(CollectionMode.LIST_SET_SHOWN, shown(), bytes);
        if (outcome != null) {
            final Element next = new Element(new Spot(outcome.number(0), outcome.number(1)), bytes);
            page.set(shownAt, next);
            shown = next;
        }
    }

    @Override
    public void add(E element) {
        final byte[] bytes = list.bytes(element);
        final Spot position = at < page.size() ? page.get(at).spot : end;
        shown = null;
        index++;
        final Outcome outcome = position.revision == 0 ? null
            : list.calls().change(CollectionMode.LIST_INSERT, position.index, position.revision, bytes);
        if (outcome == null || outcome.value() == null) {       // the revision is not known any more
            if (!list.calls().change(CollectionMode.LIST_INSERT, position.index, 0, bytes).isDone()) {
                list.calls().change(CollectionMode.LIST_ADD, 0, 0, bytes);
            }
            beginAt(new Spot(0, position.index + 1));
            return;
        }
        final Spot spot = new Spot(outcome.number(0), outcome.number(1));
        if (at == page.size()) {
            end = new Spot(spot.revision, spot.index + 1);
        }
        page.add(at++, new Element(spot, bytes));
    }
}
