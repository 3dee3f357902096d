/**
 * The exceptions of the engine.
 *
 * <p>Three roads that never mix: an expected shortage is a return value ({@code Status}), a caller's mistake is an
 * {@link IllegalArgumentException}, {@link IndexOutOfBoundsException} or {@link IllegalStateException} that names the
 * value, and everything the environment or a damaged structure does is a {@link io.teff.engine.error.StoreException}
 * with a category that says what the caller can do about it.
 */
@NullMarked
package io.teff.engine.error;

import org.jspecify.annotations.NullMarked;
