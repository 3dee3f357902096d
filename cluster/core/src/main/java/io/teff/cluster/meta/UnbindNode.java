package io.teff.cluster.meta;

/**
 * A person says that the folder of an ended peer is gone for good: the NID is free for another folder, and no zone
 * waits for a copy of the peer. Refused while a zone needs a copy of the peer. A class of its own file: by its name it
 * comes behind all earlier commands.
 *
 * @param node last life of the peer
 */
public record UnbindNode(NodeRef node) implements Command.OfOperators {}
