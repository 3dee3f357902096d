package io.teff.test.bench.report;

import io.teff.rdma.RdmaUnavailableException;
import io.teff.rdma.ucx.UcxFeature;
import io.teff.rdma.ucx.worker.UcxConfig;
import io.teff.rdma.ucx.worker.UcxContext;

/** Whether this machine has UCX. */
public final class UcxLibrary {
    /** Why contenders over UCX are left out. */
    public static final String MISSING = "UCX is missing: apt-get install libucx0";

    private UcxLibrary() {}

    /** {@return whether the library is there} */
    public static boolean isInstalled() {
        try (UcxContext context = UcxContext.open(UcxConfig.builder(UcxFeature.TAG).set("TLS", "tcp").build())) {
            return context.isOpen();
        } catch (RdmaUnavailableException _) {
            return false;
        }
    }
}
