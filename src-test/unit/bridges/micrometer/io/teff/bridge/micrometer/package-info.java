/** Tests of the bridge to Micrometer, inside of its module. */
package io.teff.bridge.micrometer;
