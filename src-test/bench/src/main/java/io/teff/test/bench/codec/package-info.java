/** Teff's codecs compared with other serializers: the same values, to bytes and back, in one session. */
@NullMarked
package io.teff.test.bench.codec;

import org.jspecify.annotations.NullMarked;
