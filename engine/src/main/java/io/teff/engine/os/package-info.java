/**
 * The seams to the outside: time and waiting, threads, machine facts, files, and the few Linux calls.
 *
 * <p><b>Promise.</b> Nothing else in the engine reads a clock, starts a thread, opens a file or calls native code, so a
 * test can replace each of these. <b>Neighbours.</b> Knows nothing of the store. Start with {@link
 * io.teff.engine.os.Time}.
 */
@NullMarked
package io.teff.engine.os;

import org.jspecify.annotations.NullMarked;
