/** The Java half of the launcher {@code teff}: modules, freshness of the build, and the lanes of tests. */
package io.teff.test.launcher;
