/**
 * The table of docs/FIGURES.md, generated from the files that benchmarks write.
 *
 * <p><b>Promise.</b> A figure in the table is a number of a result file, or it is not there: {@link
 * io.teff.test.bench.figures.Catalog} names what a row shows and where the number stands, {@link
 * io.teff.test.bench.figures.ResultFile} finds it, and the verdict is computed from the bar. A test compares the page
 * with a fresh table. Start with {@link io.teff.test.bench.figures.FiguresCommand}.
 */
@NullMarked
package io.teff.test.bench.figures;

import org.jspecify.annotations.NullMarked;
