package io.teff.rdma.transport.verbs;

import org.jspecify.annotations.Nullable;

/** Links by the numbers of their queue pairs: a table with open addresses, which allocates only when it grows. */
final class PairTable {
    private static final int FIRST = 64;
    private static final int SPREAD = 0x9E37_79B9;

    private int[] keys = new int[FIRST];
    private @Nullable VerbsLink[] links = new VerbsLink[FIRST];
    private int size;

    private int place(int key) {
        int place = (key * SPREAD >>> 8) % keys.length;
        while (links[place] != null && keys[place] != key) {
            place = (place + 1) % keys.length;
        }
        return place;
    }

    @Nullable VerbsLink get(int key) {
        return links[place(key)];
    }

    void put(int key, VerbsLink link) {
        if (2 * size >= keys.length) {
            grow();
        }
        final int place = place(key);
        size += links[place] == null ? 1 : 0;
        keys[place] = key;
        links[place] = link;
    }

    private void grow() {
        final int[] oldKeys = keys;
        final VerbsLink[] oldLinks = links;
        keys = new int[2 * oldKeys.length];
        links = new VerbsLink[keys.length];
        size = 0;
        for (int i = 0; i < oldKeys.length; i++) {
            final VerbsLink link = oldLinks[i];
            if (link != null) {
                put(oldKeys[i], link);
            }
        }
    }

    /** Removes a link; those behind it move up, so that each is found from its first place. */
    void remove(int key) {
        int place = place(key);
        if (links[place] == null) {
            return;
        }
        links[place] = null;
        size--;
        for (place = (place + 1) % keys.length; links[place] != null; place = (place + 1) % keys.length) {
            final VerbsLink link = links[place];
            links[place] = null;
            size--;
            put(keys[place], link);
        }
    }

    int size() {
        return size;
    }
}
