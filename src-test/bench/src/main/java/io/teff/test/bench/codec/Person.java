package io.teff.test.bench.codec;

import java.io.Serializable;

/**
 * A record with strings.
 *
 * @param first name
 * @param last name
 * @param mail address
 * @param city where
 * @param born year
 */
public record Person(String first, String last, String mail, String city, int born) implements Serializable {}
