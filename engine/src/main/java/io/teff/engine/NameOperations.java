package io.teff.engine;

import java.util.Map;
import java.util.Optional;

/** Names of collections and of single chunks, by which they are found again. Thread-safe. */
public interface NameOperations {
    /**
     * Gives a chunk a name.
     *
     * @param name any
     * @param cid the chunk
     * @throws IllegalArgumentException if there is no such chunk, or the name is a collection's
     */
    void bind(String name, long cid);

    /**
     * What a name stands for.
     *
     * @param name any
     * @return it, or empty
     */
    Optional<NamedRoot> get(String name);

    /** {@return all names and what they stand for, in their order} */
    Map<String, NamedRoot> all();

    /**
     * Forgets a name. A chunk stays; a collection is removed with all that is in it. A function that runs under a
     * change of another collection may do that too.
     *
     * @param name any
     * @return whether there was one, and no other thread is dropping it
     * @throws IllegalStateException if a function under a change of that collection asks for it
     */
    boolean drop(String name);
}
