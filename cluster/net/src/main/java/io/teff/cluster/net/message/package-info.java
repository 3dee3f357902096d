/**
 * Types of messages and requests, their handlers, the listener of a network, and its exceptions.
 */
@NullMarked
package io.teff.cluster.net.message;

import org.jspecify.annotations.NullMarked;
