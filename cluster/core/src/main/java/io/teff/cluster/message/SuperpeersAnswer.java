package io.teff.cluster.message;

import java.util.List;

/**
 * The superpeers of a cluster.
 *
 * @param addresses addresses of all superpeers, in the order of their numbers
 */
public record SuperpeersAnswer(List<String> addresses) {
    /** Copies the list. */
    public SuperpeersAnswer {
        addresses = List.copyOf(addresses);
    }
}
