package io.teff.test.bench.codec;

import java.io.Serializable;
import java.util.ArrayList;

/**
 * A list of records.
 *
 * @param items the list
 */
public record Shelf(ArrayList<Item> items) implements Serializable {}
