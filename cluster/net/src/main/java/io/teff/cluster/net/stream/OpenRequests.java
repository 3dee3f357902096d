package io.teff.cluster.net.stream;

import org.jspecify.annotations.Nullable;

/**
 * The requests of a session awaiting later answers of handlers: a hash table by correlation, in stripes with a separate
 * lock each. A request is in the table until its end, so the request is found when the caller withdraws the request,
 * and when the session ends. Thread-safe.
 *
 * <p>A monitor guards each stripe, and not a lock object: a thread whose stack ends inside a monitor leaves the monitor
 * without a call.
 */
public final class OpenRequests {
    /**
     * Limit of the requests of a session: twice the limit of a caller's requests in flight, because withdrawals may be
     * late.
     */
    static final int COUNT_MAX = 2 * PendingRequests.COUNT_MAX;
    private static final int STRIPES = 16;
    private static final int STRIPE_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(STRIPES);
    private static final int BUCKET_SHIFT = Integer.SIZE;
    private static final int BUCKETS_MIN = 4;
    /**
     * Spreads numbers of any distance: a caller with requests to n nodes in turn sends every nth number to each node.
     */
    private static final long HASH = 0x9E37_79B9_7F4A_7C15L;

    /** Part of the table; guarded by the monitor of the stripe. */
    private static final class Stripe {
        @Nullable OpenRequest[] heads = new OpenRequest[BUCKETS_MIN];
        int count;
        boolean isEnded;
    }

    /** Limit of each stripe. */
    private final int countMax;
    /** Made when the first request is added. */
    private volatile Stripe @Nullable [] stripes;
    /** Guarded by the monitor of this. */
    private boolean isEnded;

    OpenRequests() {
        this(COUNT_MAX);
    }

    /**
     * Makes an empty table.
     *
     * @param countMax limit of the requests; a stripe is full when it has its share of the requests
     */
    OpenRequests(int countMax) {
        this.countMax = countMax / STRIPES;
    }

    /** {@return the number of requests} */
    public int count() {
        int sum = 0;
        final Stripe[] its = stripes;
        for (int i = 0; its != null && i < STRIPES; i++) {
            synchronized (its[i]) {
                sum += its[i].count;
            }
        }
        return sum;
    }

    private static int stripe(long correlation) {
        return (int) (correlation * HASH >>> STRIPE_SHIFT);
    }

    private static int bucket(long correlation, int length) {
        return (int) (correlation * HASH >>> BUCKET_SHIFT) & length - 1;
    }

    /**
     * Adds a request, possibly ended meanwhile; ends the request now if the session has ended.
     *
     * @return false if there are too many
     */
    boolean add(OpenRequest request) {
        final Stripe[] its = stripes;
        final Stripe stripe = (its == null ? makeStripes() : its)[stripe(request.correlation)];
        final boolean isGone;
        synchronized (stripe) {
            isGone = stripe.isEnded;
            if (stripe.count >= countMax) {
                return false;
            }
            if (!isGone) {
                add(stripe, request);
            }
        }
        if (isGone) {
            request.drop();
        } else if (!request.isOpen()) {
            // the request ended before the table had a request to remove
            remove(request);
        }
        return true;
    }

    private synchronized Stripe[] makeStripes() {
        final Stripe[] its = stripes;
        if (its != null) {
            return its;
        }
        final Stripe[] made = new Stripe[STRIPES];
        for (int i = 0; i < STRIPES; i++) {
            made[i] = new Stripe();
            made[i].isEnded = isEnded;
        }
        stripes = made;
        return made;
    }

    /** Adds a request; all calls are in front of the first store, in case the stack ends. */
    private static void add(Stripe stripe, OpenRequest request) {
        if (stripe.count >= stripe.heads.length) {
            grow(stripe);
        }
        final int bucket = bucket(request.correlation, stripe.heads.length);
        request.next = stripe.heads[bucket];
        stripe.heads[bucket] = request;
        stripe.count++;
    }

    /** Doubles the buckets; without a call, as above: the loop computes the result of {@link #bucket}. */
    private static void grow(Stripe stripe) {
        final @Nullable OpenRequest[] before = stripe.heads;
        final @Nullable OpenRequest[] after = new OpenRequest[2 * before.length];
        for (OpenRequest head : before) {
            OpenRequest it = head;
            while (it != null) {
                final OpenRequest following = it.next;
                final int bucket = (int) (it.correlation * HASH >>> BUCKET_SHIFT) & after.length - 1;
                it.next = after[bucket];
                after[bucket] = it;
                it = following;
            }
        }
        stripe.heads = after;
    }

    /** Removes an ended request from the table, if present. */
    void remove(OpenRequest request) {
        final Stripe[] its = stripes;
        if (its == null) {
            return;
        }
        final Stripe stripe = its[stripe(request.correlation)];
        synchronized (stripe) {
            remove(stripe, request);
        }
    }

    @SuppressWarnings("ReferenceEquality")                      // without a call, as above
    private static void remove(Stripe stripe, OpenRequest request) {
        final int bucket = bucket(request.correlation, stripe.heads.length);
        OpenRequest before = null;
        OpenRequest it = stripe.heads[bucket];
        while (it != null && it != request) {
            before = it;
            it = it.next;
        }
        if (it == null) {
            return;
        }
        if (before == null) {
            stripe.heads[bucket] = it.next;
        } else {
            before.next = it.next;
        }
        it.next = null;
        stripe.count--;
    }

    /** Ends a request given up by its caller, if present. */
    void withdraw(long correlation) {
        for (OpenRequest it = find(correlation); it != null; it = find(correlation)) {
            it.drop();
            remove(it);                                         // also if another thread is about to remove the request
        }
    }

    private @Nullable OpenRequest find(long correlation) {
        final Stripe[] its = stripes;
        if (its == null) {
            return null;
        }
        final Stripe stripe = its[stripe(correlation)];
        synchronized (stripe) {
            OpenRequest it = stripe.heads[bucket(correlation, stripe.heads.length)];
            while (it != null && it.correlation != correlation) {
                it = it.next;
            }
            return it;
        }
    }

    /** Ends all requests, as the session has ended; requests added later end at once. */
    public void endAll() {
        final Stripe[] its;
        synchronized (this) {
            isEnded = true;
            its = stripes;
        }
        if (its == null) {
            return;
        }
        for (Stripe stripe : its) {
            synchronized (stripe) {
                stripe.isEnded = true;
            }
            for (OpenRequest it = first(stripe); it != null; it = first(stripe)) {
                it.drop();
                remove(it);
            }
        }
    }

    private static @Nullable OpenRequest first(Stripe stripe) {
        synchronized (stripe) {
            for (OpenRequest head : stripe.heads) {
                if (head != null) {
                    return head;
                }
            }
            return null;
        }
    }

    // ---- checking ----

    /**
     * Recounts the requests, and checks that each request is open and in its bucket; while no thread adds or ends any.
     *
     * @throws IllegalStateException if an invariant is broken
     */
    void audit() {
        final Stripe[] its = stripes;
        for (int i = 0; its != null && i < STRIPES; i++) {
            int inStripe = 0;
            for (int bucket = 0; bucket < its[i].heads.length; bucket++) {
                for (OpenRequest it = its[i].heads[bucket]; it != null; it = it.next) {
                    if (!it.isOpen() || its[i].isEnded || stripe(it.correlation) != i
                        || bucket(it.correlation, its[i].heads.length) != bucket) {
                        throw new IllegalStateException("open requests: " + it.correlation + " in stripe " + i
                            + " bucket " + bucket + " is open " + it.isOpen() + ", stripe ended " + its[i].isEnded);
                    }
                    inStripe++;
                }
            }
            if (inStripe != its[i].count) {
                throw new IllegalStateException("open requests: stripe " + i + " has " + inStripe + ", counted "
                    + its[i].count);
            }
        }
    }
}
