/**
 * The messages of a cluster: types, contents and limits.
 *
 * <p>Contents are records, written by codecs derived from the records. Superpeers have the lowest NIDs: superpeer k has
 * NID k + 1.
 */
@NullMarked
package io.teff.cluster.message;

import org.jspecify.annotations.NullMarked;
