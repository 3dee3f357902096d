package io.teff.engine.sequence;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A boundary between two elements of a list, where a walk goes on: the front of a segment when the place is made. The
 * list keeps the place there. An element that is in front of the boundary stays in front, and an element behind stays
 * behind, whatever is inserted, removed, split or joined.
 *
 * <p><b>While the segment exists</b>, the place needs no care: elements enter a segment's front only from outside of
 * the list, never from the segment in front. <b>When the segment is joined</b> to the segment in front, which becomes
 * the <em>host</em>, the place becomes an offset in the host, and the host's changes shift the offset. When the host is
 * joined, too, its places go with it. When many places of a host have the same offset, they become one: the others
 * refer to it.
 *
 * <p>Places are made by walks and found by the list through weak references ({@link ListLeaf}), so a place without a
 * walk costs nothing. One thread at a time changes places; walks read them under a stamp.
 */
final class ListPlace {
    /** Places of a host from which on places with one offset are made one. */
    private static final int GUESTS_MANY = 16;

    /** The leaf of the segment; null if the segment was joined or removed. */
    @Nullable ListLeaf leaf;
    /** Number of the segment. */
    final int number;
    /** The array through which the list finds this place: keeps it reachable as long as this place is. */
    @Nullable ListPlace @Nullable [] home;
    /** The place whose segment contains the boundary, or a place with the same boundary; null if all is cleared. */
    private @Nullable ListPlace host;
    /** Offset of the boundary in the host's segment. */
    private int offset;
    /** Places whose host is this place. */
    private @Nullable List<ListPlace> guests;

    ListPlace(ListLeaf leaf, int number) {
        this.leaf = leaf;
        this.number = number;
    }

    /** Returns the place of the segment that contains the boundary, or null if the list was cleared. */
    @Nullable ListPlace segment() {
        ListPlace place = this;
        while (place != null && place.leaf == null) {
            place = place.host;
        }
        return place;
    }

    /** Returns the offset of the boundary in its segment. */
    int offset() {
        if (leaf != null) {
            return 0;
        }
        ListPlace place = this;
        ListPlace next = host;
        while (next != null && next.leaf == null) {
            place = next;
            next = next.host;
        }
        return place.offset;
    }

    // ---- changes ----

    /** The segment is joined to another one, behind its elements. */
    void join(ListPlace target, int elements) {
        leaf = null;
        home = null;
        if (guests != null) {
            for (ListPlace guest : guests) {
                guest.offset += elements;
                target.add(guest);
            }
            guests = null;
        }
        offset = elements;
        target.add(this);
    }

    private void add(ListPlace guest) {
        guest.host = this;
        if (guests == null) {
            guests = new ArrayList<>(1);
        }
        guests.add(guest);
        if (guests.size() > GUESTS_MANY) {
            unite(guests);
        }
    }

    /** Lets later places with the offset of an earlier one refer to the earlier one, which will be asked instead. */
    private static void unite(List<ListPlace> guests) {
        for (int i = guests.size() - 1; i > 0; i--) {
            final ListPlace guest = guests.get(i);
            for (int j = 0; j < i; j++) {
                if (guests.get(j).offset == guest.offset) {
                    guest.host = guests.get(j);
                    guests.remove(i);
                    break;
                }
            }
        }
    }

    /** Elements were inserted at an offset, or, if their number is negative, removed from there on. */
    void shift(int at, int elements) {
        if (guests != null) {
            for (ListPlace guest : guests) {
                if (guest.offset > at) {
                    guest.offset = Math.max(guest.offset + elements, at);
                }
            }
        }
    }

    /** Returns whether a boundary lies in the segment at an offset or behind. */
    boolean hasGuestsFrom(int at) {
        return guests != null && guests.stream().anyMatch(guest -> guest.offset >= at);
    }

    /** The elements from an offset on were moved to a new segment. */
    void split(int at, ListPlace target) {
        if (guests != null) {
            final List<ListPlace> all = guests;
            guests = null;
            for (ListPlace guest : all) {
                if (guest.offset >= at) {
                    guest.offset -= at;
                    target.add(guest);
                } else {
                    add(guest);
                }
            }
        }
    }

    /** The list was cleared. */
    void clear() {
        leaf = null;
        home = null;
        guests = null;
    }
}
