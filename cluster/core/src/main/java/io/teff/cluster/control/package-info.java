/**
 * The implementation of {@link io.teff.cluster.admin}, above all other rooms of the cluster.
 *
 * <p><b>Promise.</b> No state of a cluster lives here: a connection keeps a copy of the tables, and nothing depends on
 * this package but the service loader.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.control.CellLink} talks with superpeers and nodes; {@link
 * io.teff.cluster.control.ControlProvider} is found by the service loader.
 */
@NullMarked
package io.teff.cluster.control;

import org.jspecify.annotations.NullMarked;
