package io.teff.test.bench.store;

import java.util.List;

/** A contender of a comparison: the needs of its process, and its name. */
public interface Contender extends Named {
    /** {@return the display name} */
    String title();

    /** {@return whether the Java heap needs no room for entries, because they are outside of it or there are none} */
    default boolean isOffHeap() {
        return true;
    }

    /** {@return the flags that its JVM needs on JDK 25} */
    List<String> flags();
}
