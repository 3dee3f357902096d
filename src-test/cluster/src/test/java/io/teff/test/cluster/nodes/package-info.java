/** Tests of nodes in several processes, including nodes without the JVM flag that Aeron needs. */
package io.teff.test.cluster.nodes;
