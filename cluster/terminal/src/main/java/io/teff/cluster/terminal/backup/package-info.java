/**
 * The commands {@code cluster backup}, {@code verify}, {@code restore}, {@code import} and {@code export}.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.terminal.backup.BackupWork} has what the commands share.
 */
@NullMarked
package io.teff.cluster.terminal.backup;

import org.jspecify.annotations.NullMarked;
