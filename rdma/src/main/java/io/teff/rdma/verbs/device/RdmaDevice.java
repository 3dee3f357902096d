package io.teff.rdma.verbs.device;

/**
 * A device of this machine, as the list of devices shows it.
 *
 * @param name such as {@code mlx5_0} or {@code rxe0}
 * @param guid 64 bits that name the device everywhere
 * @param transport InfiniBand and RoCE, or iWARP
 */
public record RdmaDevice(String name, long guid, TransportType transport) {
    /**
     * Opens the device.
     *
     * @return the open device
     * @throws io.teff.rdma.RdmaException if it has gone, or cannot be opened
     */
    public RdmaContext open() {
        return RdmaContext.open(name);
    }
}
