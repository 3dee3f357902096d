/**
 * The messages of a cluster: their types, contents and limits.
 *
 * <p>Contents are records, written by codecs that are derived from them. Superpeers have the lowest NIDs: superpeer k
 * has NID k + 1.
 */
@NullMarked
package io.teff.cluster.message;

import org.jspecify.annotations.NullMarked;
