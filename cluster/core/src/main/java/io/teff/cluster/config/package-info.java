/**
 * Places and credentials of nodes: addresses, secrets, TLS, and sizes as texts.
 *
 * <p><b>Neighbours.</b> A ground floor: configurations of clients and nodes are made of these values.
 */
@NullMarked
package io.teff.cluster.config;

import org.jspecify.annotations.NullMarked;
