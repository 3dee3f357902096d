package io.teff.rdma.ffi;

import java.lang.ref.WeakReference;

/** Makes an object, loses it, and waits until it is collected. */
final class LosingProgram {
    private static final int COLLECTIONS_MAX = 1000;

    private LosingProgram() {}

    /** An object without a native one. */
    private static final class Lost extends NativeObject {
        private Lost() {
            super("lost thing");
        }

        private static NativeObject make() {
            return create(Lost::new);
        }

        @Override
        protected void free() {
            // nothing is native here
        }
    }

    /** Prints the open objects, and how many were found lost. */
    public static void main(String[] arguments) {
        Lost.make().close();
        WeakReference<NativeObject> reference = new WeakReference<>(Lost.make());
        Lifetimes.open().forEach(text -> System.out.println("open: " + text));
        boolean isWatched = Boolean.getBoolean(Lifetimes.PROPERTY);
        int rounds = 0;
        while (rounds < COLLECTIONS_MAX && (reference.get() != null || isWatched && Lifetimes.lostCount() == 0)) {
            System.gc();
            Thread.yield();
            rounds++;
        }
        System.out.println("lost: " + Lifetimes.lostCount());
        System.exit(0);
    }
}
