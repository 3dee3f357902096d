package io.teff.engine.query;

/**
 * An index of a map.
 *
 * @param name name of the index
 * @param fields names and types of its fields, such as {@code city:string?,age:int}
 * @param isUnique whether no two entries have equal fields
 * @param isReady whether queries use the index: it was declared in this process, and it is not being built
 */
public record IndexInfo(String name, String fields, boolean isUnique, boolean isReady) {}
