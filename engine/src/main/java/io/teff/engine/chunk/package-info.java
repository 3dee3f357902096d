/**
 * Operations on chunks: create, read, change and remove, and the records of these changes for a journal.
 *
 * <p>The classes depend on the allocator, the chunk table and the locks. The classes depend neither on the classes for
 * applications, in {@code io.teff.engine}, nor on audits, defragmentation and snapshots.
 */
@NullMarked
package io.teff.engine.chunk;

import org.jspecify.annotations.NullMarked;
