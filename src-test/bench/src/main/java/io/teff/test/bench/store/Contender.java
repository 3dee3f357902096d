package io.teff.test.bench.store;

import java.util.List;

/** Somebody who is compared: what its process needs, and how it is called. */
public interface Contender extends Named {
    /** {@return the name for people} */
    String title();

    /** {@return whether the Java heap needs no room for entries, as those are outside of it or there are none} */
    default boolean isOffHeap() {
        return true;
    }

    /** {@return the flags that its JVM needs on JDK 25} */
    List<String> flags();
}
