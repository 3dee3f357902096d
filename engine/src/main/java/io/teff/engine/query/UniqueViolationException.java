package io.teff.engine.query;

/**
 * A change was refused, and has changed nothing, because another entry of the map has equal fields in a unique index;
 * or a unique index was not built because two entries have.
 */
public final class UniqueViolationException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** Name of the index. */
    private final String index;
    /** The fields that another entry has. */
    private final String key;

    UniqueViolationException(String index, String key) {
        super("another entry has " + key + " in the unique index '" + index + "'");
        this.index = index;
        this.key = key;
    }

    /** {@return the name of the index} */
    public String index() {
        return index;
    }

    /** {@return the fields that another entry has, such as {@code email = 'ada@example.org'}} */
    public String key() {
        return key;
    }
}
