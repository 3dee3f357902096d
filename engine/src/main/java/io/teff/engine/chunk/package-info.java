/**
 * The life of one chunk: creating, reading, changing and removing it, and the records of its changes for a journal.
 *
 * <p>The classes here know the allocator, the chunk table and the locks. They know neither the classes that an
 * application calls, which are in {@code io.teff.engine}, nor audits, defragmentation and snapshots.
 */
@NullMarked
package io.teff.engine.chunk;

import org.jspecify.annotations.NullMarked;
