/** What processes see of each other, and of nodes without the flag of the JVM that Aeron needs. */
package io.teff.test.suite.cluster;
