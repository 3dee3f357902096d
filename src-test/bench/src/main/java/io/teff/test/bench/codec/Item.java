package io.teff.test.bench.codec;

import java.io.Serializable;

/**
 * One of many records in a list.
 *
 * @param id counted
 * @param kind small
 * @param value any
 */
public record Item(long id, int kind, double value) implements Serializable {}
