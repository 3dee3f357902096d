/**
 * Statuses and exceptions of the engine.
 *
 * <p><b>Promise.</b> Three kinds of failure, reported in three ways. An expected shortage is a return value, one of the
 * constants of {@link io.teff.engine.error.Status}. A caller's mistake is an {@link IllegalArgumentException}, {@link
 * IndexOutOfBoundsException} or {@link IllegalStateException} that names the value. A fault of the environment or of a
 * damaged structure is a {@link io.teff.engine.error.StoreException}, whose category determines how the caller can
 * react.
 *
 * <p><b>Neighbours.</b> Used by all packages of the engine and by the modules above it; uses none of them.
 *
 * <p><b>Start here.</b> {@link io.teff.engine.error.Status}.
 */
@NullMarked
package io.teff.engine.error;

import org.jspecify.annotations.NullMarked;
