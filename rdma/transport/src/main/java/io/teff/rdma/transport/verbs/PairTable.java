package io.teff.rdma.transport.verbs;

import org.jspecify.annotations.Nullable;

/** Users by the numbers of queue pairs: a table with open addresses. The table allocates only when the table grows. */
final class PairTable {
    private static final int FIRST = 64;
    private static final int SPREAD = 0x9E37_79B9;

    private int[] keys = new int[FIRST];
    private @Nullable PairUser[] users = new PairUser[FIRST];
    private int size;

    private int place(int key) {
        int place = (key * SPREAD >>> 8) % keys.length;
        while (users[place] != null && keys[place] != key) {
            place = (place + 1) % keys.length;
        }
        return place;
    }

    @Nullable PairUser get(int key) {
        return users[place(key)];
    }

    void put(int key, PairUser user) {
        if (2 * size >= keys.length) {
            grow();
        }
        final int place = place(key);
        size += users[place] == null ? 1 : 0;
        keys[place] = key;
        users[place] = user;
    }

    private void grow() {
        final int[] oldKeys = keys;
        final PairUser[] oldUsers = users;
        keys = new int[2 * oldKeys.length];
        users = new PairUser[keys.length];
        size = 0;
        for (int i = 0; i < oldKeys.length; i++) {
            final PairUser user = oldUsers[i];
            if (user != null) {
                put(oldKeys[i], user);
            }
        }
    }

    /** Removes a user. The users behind the place move up, so that a search finds each user from the first place. */
    void remove(int key) {
        int place = place(key);
        if (users[place] == null) {
            return;
        }
        users[place] = null;
        size--;
        for (place = (place + 1) % keys.length; users[place] != null; place = (place + 1) % keys.length) {
            final PairUser user = users[place];
            users[place] = null;
            size--;
            put(keys[place], user);
        }
    }

    int size() {
        return size;
    }
}
