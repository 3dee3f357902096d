package io.teff.cluster.meta;

/**
 * A peer begins a life, and names its rack: {@link Command.Join} with a rack. One command has both, so no backup is
 * chosen between the join and the name. A class of its own file: by its name it comes behind all earlier commands.
 *
 * @param join the join of the peer
 * @param rack name of the rack; empty for a rack of its own
 */
public record ZoneSite(Command.Join join, String rack) implements Command.OfPlaces {}
