package io.teff.test.bench.store;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A constant that has a name on a command line: {@code SOCKET_SPIN} is {@code socket-spin} there. */
public interface Named {
    /** {@return the name of the constant} */
    String name();

    /** {@return the name on a command line} */
    default String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Finds a constant.
     *
     * @param <T> type of the constants
     * @param all all constants
     * @param id its name on a command line
     * @return the constant, if it exists
     */
    static <T extends Named> Optional<T> of(T[] all, String id) {
        return Arrays.stream(all).filter(one -> one.id().equals(id)).findFirst();
    }

    /**
     * Returns the names of constants.
     *
     * @param all constants
     * @return their names on a command line
     */
    static List<String> ids(Named[] all) {
        return Arrays.stream(all).map(Named::id).toList();
    }
}
