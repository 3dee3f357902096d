/**
 * Compares RDMA from Java with RDMA from C and with sockets: {@code ./teff bench rdma}.
 *
 * <p>Each session is a JVM that measures one pattern of one contender, for all lengths. Contenders on devices run in a
 * guest with software devices where the machine has none ({@code src-test/rdma-vm}), all of them in one boot. Read
 * {@link io.teff.test.bench.rdma.RdmaReport} first, then {@link io.teff.test.bench.rdma.RdmaTrial}.
 */
@NullMarked
package io.teff.test.bench.rdma;

import org.jspecify.annotations.NullMarked;
