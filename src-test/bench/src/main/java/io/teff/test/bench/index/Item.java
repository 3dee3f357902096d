package io.teff.test.bench.index;

import io.teff.engine.query.Field;

/**
 * A value: a group of a thousand, a time, a number and a name.
 *
 * @param group field of the first index
 * @param time field of the second index
 * @param amount a number without an index
 * @param name text without an index
 */
record Item(int group, long time, double amount, String name) {
    static final Field<Item, Integer> GROUP = Field.of(Item.class, "group", int.class);
    static final Field<Item, Long> TIME = Field.of(Item.class, "time", long.class);
}
