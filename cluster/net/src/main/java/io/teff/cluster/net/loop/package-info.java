/** The transport {@code loop:}: links inside a process, for tests, benchmarks, and nodes that share a process. */
@NullMarked
package io.teff.cluster.net.loop;

import org.jspecify.annotations.NullMarked;
