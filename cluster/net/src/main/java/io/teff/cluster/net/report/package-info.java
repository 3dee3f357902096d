/**
 * Statistics of a network and of its connections: immutable snapshots.
 */
@NullMarked
package io.teff.cluster.net.report;

import org.jspecify.annotations.NullMarked;
