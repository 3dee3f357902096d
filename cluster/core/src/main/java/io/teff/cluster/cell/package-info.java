/**
 * A node's side of the conversation with the superpeers.
 */
@NullMarked
package io.teff.cluster.cell;

import org.jspecify.annotations.NullMarked;
