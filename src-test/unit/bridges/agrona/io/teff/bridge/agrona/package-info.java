/** Tests of the bridge to Agrona, inside of its module. */
package io.teff.bridge.agrona;
