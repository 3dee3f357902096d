package io.teff.test.bench.store;

import java.util.List;

/** Somebody who is compared: what its process needs, and how it is called. */
public interface Contender extends Named {
    /** {@return the name for people} */
    String title();

    /** {@return whether its entries are outside of the Java heap} */
    boolean isOffHeap();

    /** {@return the flags that its JVM needs on JDK 25} */
    List<String> flags();
}
