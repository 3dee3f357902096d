/** Tests of the bridge to Chronicle Bytes. */
package io.teff.bridge.chronicle;
