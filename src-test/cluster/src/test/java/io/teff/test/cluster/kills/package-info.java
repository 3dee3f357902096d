/**
 * Clusters of processes that are killed, stopped and cut off from each other under load, and a history of each chunk.
 */
package io.teff.test.cluster.kills;
