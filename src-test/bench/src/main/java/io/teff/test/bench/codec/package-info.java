/** How Teff's codecs stand beside other serializers: the same values, to bytes and back, in one session. */
@NullMarked
package io.teff.test.bench.codec;

import org.jspecify.annotations.NullMarked;
