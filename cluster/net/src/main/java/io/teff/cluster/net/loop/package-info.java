/** Links inside of a process, for tests, benchmarks, and nodes that live together. */
@NullMarked
package io.teff.cluster.net.loop;

import org.jspecify.annotations.NullMarked;
