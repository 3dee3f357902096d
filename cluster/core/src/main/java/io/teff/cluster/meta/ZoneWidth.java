package io.teff.cluster.meta;

/**
 * Sets the scatter width: with how many peers a peer shares zones. The founding superpeer proposes the width in front
 * of {@link Command.Begin}; a person changes the width later. Zones keep their backups. A class of its own file: by its
 * name it comes behind all earlier commands.
 *
 * @param scatterWidth the width; 0 for all peers
 */
public record ZoneWidth(int scatterWidth) implements Command.OfPlaces {
    /** The largest width. */
    public static final int WIDTH_MAX = 10_000;
}
