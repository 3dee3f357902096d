package io.teff.cluster.console;

import java.util.List;

/** Reads collections and chunks for the console, and changes nothing. Called by one thread at a time. */
public interface Browser extends AutoCloseable {
    /**
     * The result of a question.
     *
     * @param isGood whether there is a result
     * @param text a JSON document, or the failure for people
     */
    record Answer(boolean isGood, String text) {}

    /**
     * Answers a question.
     *
     * @param question what to read
     * @param words the arguments of the question, as a person has typed the arguments
     * @return the answer
     */
    Answer read(Question question, List<String> words);

    /** Kinds of objects that a browser can read. */
    enum Question {
        /** All collections and named chunks; no argument. */
        COLLECTIONS,
        /** The first entries or elements of a collection: its name, its kind, and how many. */
        ENTRIES,
        /** The value of a key: the name of a map, its kind, and the key. */
        ENTRY,
        /** A chunk: its CID or {@code @} and its name, and perhaps a layout. */
        CHUNK
    }

    /** Closes the connections. */
    @Override
    void close();
}
