/** Types of messages and requests, handlers, and a network's listener and exceptions. */
@NullMarked
package io.teff.cluster.net.message;

import org.jspecify.annotations.NullMarked;
