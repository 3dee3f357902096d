package io.teff.cluster.meta;

/**
 * A person unloads a peer, or ends the unloading. An unloaded life owns and backs up nothing in the end: the zones move
 * away, and a new backup replaces each copy. The mark belongs to the life: the next life of the node is an ordinary
 * peer. A class of its own file: by its name it comes behind all earlier commands.
 *
 * @param node life of the peer
 * @param isUnloaded whether the unloading begins; false if it ends
 */
public record UnloadNode(NodeRef node, boolean isUnloaded) implements Command.OfOperators {}
