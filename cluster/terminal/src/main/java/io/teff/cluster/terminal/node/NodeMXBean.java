package io.teff.cluster.terminal.node;

/** A node as JMX shows it: {@code io.teff.cluster:type=Node,name=<name>}. */
public interface NodeMXBean {
    /** {@return {@code superpeer} or {@code peer}} */
    String getRole();

    /** {@return the node's NID} */
    int getNid();

    /** {@return the number of the node's life; 0 for superpeers} */
    int getIncarnation();

    /** {@return whether the node does its work} */
    boolean isReady();

    /** {@return whether it is the leading superpeer} */
    boolean isLeading();

    /** {@return whether the node holds its lease; false for superpeers} */
    boolean isHoldingLease();

    /** {@return milliseconds since the node's start} */
    long getUpMillis();

    /** {@return version of the tables that the node has} */
    long getTableVersion();

    /** {@return number of zones that the node serves} */
    int getZones();

    /** {@return number of chunks in these zones} */
    long getChunks();

    /** {@return payload of these chunks in bytes} */
    long getChunkBytes();

    /** {@return number of copies of zones that the node keeps as a backup} */
    int getCopies();

    /** {@return memory of the store in bytes} */
    long getMemoryBytes();

    /** {@return bytes on the node's disk} */
    long getLogBytes();

    /** {@return when the first of the node's certificates ends, in milliseconds since 1970 UTC; 0 without TLS} */
    long getCertificateEndMillis();

    /** {@return the problem that keeps the node from its work, as a text; empty if there is no problem} */
    String getProblem();
}
