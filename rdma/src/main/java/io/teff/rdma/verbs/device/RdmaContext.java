package io.teff.rdma.verbs.device;

import io.teff.rdma.RdmaException;
import io.teff.rdma.ffi.CallState;
import io.teff.rdma.ffi.Descriptors;
import io.teff.rdma.ffi.NativeMemory;
import io.teff.rdma.verbs.call.DeviceCore;
import io.teff.rdma.verbs.call.EventWait;
import io.teff.rdma.verbs.call.LayoutCheck;
import io.teff.rdma.verbs.call.VerbsLayout;
import io.teff.rdma.verbs.call.VerbsLibrary;
import io.teff.rdma.verbs.call.VerbsObject;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An open device: attributes, ports, and the objects of the device. Thread-safe.
 *
 * <p>The context of a {@link io.teff.rdma.verbs.connect.ConnectionId} belongs to the connection manager: a close of the
 * context closes all objects of the context, and leaves the device open.
 */
public final class RdmaContext extends VerbsObject {
    private static final int EAGAIN = 11;
    private static final int PORT_MAX = 255;
    private static final int GIDS_MAX = 1024;

    private final boolean isOwned;
    private final String deviceName;
    private final int asyncDescriptor;
    private final MemorySegment event = Arena.ofAuto().allocate(VerbsLayout.ASYNC_SIZE, Long.BYTES);

    private RdmaContext(DeviceCore device, boolean isOwned) {
        super("context", device, device.context());
        final long handle = device.context();
        this.isOwned = isOwned;
        deviceName = DeviceList.name(NativeMemory.getLong(handle + VerbsLayout.CONTEXT_DEVICE));
        asyncDescriptor = NativeMemory.getInt(handle + VerbsLayout.CONTEXT_ASYNC_FD);
        Descriptors.setNonBlocking(asyncDescriptor);
    }

    /** Opens the device of a name. */
    static RdmaContext open(String name) {
        VerbsLibrary.LIBRARY.require();
        return create(() -> {
            try (Arena arena = Arena.ofConfined()) {
                final MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
                final long list = DeviceList.get(count);
                if (list != 0) {
                    try {
                        for (int i = 0; i < count.get(ValueLayout.JAVA_INT, 0); i++) {
                            final long device = DeviceList.device(list, i);
                            if (DeviceList.name(device).equals(name)) {
                                return open(device);
                            }
                        }
                    } finally {
                        VerbsLibrary.FREE_DEVICE_LIST.call(list);
                    }
                }
                throw new RdmaException(VerbsLibrary.OPEN_DEVICE.name(), "there is no device " + name);
            }
        });
    }

    private static RdmaContext open(long device) {
        final long context = VerbsLibrary.OPEN_DEVICE.pointer(VerbsLibrary.OPEN_DEVICE.call(device));
        try {
            LayoutCheck.of(VerbsLibrary.OPEN_DEVICE.name(), context)
                .hasLong(VerbsLayout.CONTEXT_DEVICE, device)
                .hasIntFrom(VerbsLayout.CONTEXT_CMD_FD, 0)
                .hasIntFrom(VerbsLayout.CONTEXT_ASYNC_FD, 0)
                .hasIntFrom(VerbsLayout.CONTEXT_NUM_COMP_VECTORS, 1);
            return new RdmaContext(new DeviceCore(context), true);
        } catch (RdmaException e) {
            VerbsLibrary.CLOSE_DEVICE.call(context);
            throw e;
        }
    }

    /**
     * {@return an object for a context that the connection manager keeps} For the connection manager alone.
     *
     * @param device the context of the manager
     */
    public static RdmaContext ofManager(DeviceCore device) {
        return create(() -> new RdmaContext(device, false));
    }

    /** {@return the name of the device} */
    public String deviceName() {
        return deviceName;
    }

    /**
     * Asks for the limits of the device.
     *
     * @return the limits
     * @throws RdmaException if the device does not answer
     */
    public DeviceAttributes attributes() {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment found = arena.allocate(VerbsLayout.DEVICE_SIZE, Long.BYTES);
            enter();
            try {
                VerbsLibrary.QUERY_DEVICE.zero(VerbsLibrary.QUERY_DEVICE.call(handle(), found.address()));
            } finally {
                leave();
            }
            return new DeviceAttributes(
                NativeMemory.text(found.address() + VerbsLayout.DEVICE_FW_VER, VerbsLayout.DEVICE_FW_VER_SIZE),
                number(found, VerbsLayout.DEVICE_VENDOR_ID),
                Byte.toUnsignedInt(found.get(ValueLayout.JAVA_BYTE, VerbsLayout.DEVICE_PHYS_PORT_CNT)),
                regionBytes(found.get(ValueLayout.JAVA_LONG, VerbsLayout.DEVICE_MAX_MR_SIZE)),
                number(found, VerbsLayout.DEVICE_MAX_MR), number(found, VerbsLayout.DEVICE_MAX_PD),
                number(found, VerbsLayout.DEVICE_MAX_QP), number(found, VerbsLayout.DEVICE_MAX_QP_WR),
                number(found, VerbsLayout.DEVICE_MAX_SGE), number(found, VerbsLayout.DEVICE_MAX_CQ),
                number(found, VerbsLayout.DEVICE_MAX_CQE), number(found, VerbsLayout.DEVICE_MAX_QP_RD_ATOM),
                number(found, VerbsLayout.DEVICE_MAX_QP_INIT_RD_ATOM),
                AtomicCapability.of(number(found, VerbsLayout.DEVICE_ATOMIC_CAP)),
                number(found, VerbsLayout.DEVICE_MAX_AH), number(found, VerbsLayout.DEVICE_MAX_SRQ),
                number(found, VerbsLayout.DEVICE_MAX_SRQ_WR), number(found, VerbsLayout.DEVICE_MAX_SRQ_SGE));
        }
    }

    /** Some devices report all bits set in place of a limit. */
    private static long regionBytes(long unsigned) {
        return unsigned < 0 ? Long.MAX_VALUE : unsigned;
    }

    private static int number(MemorySegment struct, long offset) {
        return struct.get(ValueLayout.JAVA_INT, offset);
    }

    /**
     * Asks for the state of a port.
     *
     * @param number from 1 on
     * @return the state and the limits
     * @throws RdmaException if there is no such port
     */
    public PortAttributes port(int number) {
        checkPort(number);
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment found = arena.allocate(VerbsLayout.PORT_SIZE, Long.BYTES);
            enter();
            try {
                VerbsLibrary.QUERY_PORT.zero(VerbsLibrary.QUERY_PORT.call(handle(), number, found.address()));
            } finally {
                leave();
            }
            return new PortAttributes(number, PortState.of(number(found, VerbsLayout.PORT_STATE)),
                LinkLayer.of(found.get(ValueLayout.JAVA_BYTE, VerbsLayout.PORT_LINK_LAYER)),
                PathMtu.of(number(found, VerbsLayout.PORT_MAX_MTU)),
                PathMtu.of(number(found, VerbsLayout.PORT_ACTIVE_MTU)),
                Integer.toUnsignedLong(number(found, VerbsLayout.PORT_MAX_MSG_SZ)),
                Short.toUnsignedInt(found.get(ValueLayout.JAVA_SHORT, VerbsLayout.PORT_LID)),
                number(found, VerbsLayout.PORT_GID_TBL_LEN),
                Short.toUnsignedInt(found.get(ValueLayout.JAVA_SHORT, VerbsLayout.PORT_PKEY_TBL_LEN)));
        }
    }

    private static void checkPort(int number) {
        if (number < 1 || number > PORT_MAX) {
            throw new IllegalArgumentException("port=" + number);
        }
    }

    /**
     * Asks for an entry of the table of addresses of a port.
     *
     * @param port of the own device, from 1 on
     * @param index from 0 on
     * @return the address
     * @throws RdmaException if there is no such entry
     */
    public Gid gid(int port, int index) {
        checkPort(port);
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment found = arena.allocate(VerbsLayout.GID_SIZE, Long.BYTES);
            enter();
            try {
                VerbsLibrary.QUERY_GID.zero(VerbsLibrary.QUERY_GID.call(handle(), port, index, found.address()));
            } finally {
                leave();
            }
            return Gid.of(found.toArray(ValueLayout.JAVA_BYTE));
        }
    }

    /**
     * {@return the addresses of all ports, without empty entries}
     *
     * @throws RdmaException if the device does not answer
     * @throws io.teff.rdma.RdmaUnavailableException with a library older than rdma-core 33
     */
    public List<GidEntry> gids() {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment table = arena.allocate(GIDS_MAX * VerbsLayout.GID_ENTRY_SIZE, Long.BYTES);
            final long count;
            enter();
            try {
                count = VerbsLibrary.QUERY_GID_TABLE.call(handle(), table.address(), GIDS_MAX, 0,
                    VerbsLayout.GID_ENTRY_SIZE);
            } finally {
                leave();
            }
            if (count < 0) {
                VerbsLibrary.QUERY_GID_TABLE.zero(count);
            }
            final List<GidEntry> entries = new ArrayList<>();
            for (long i = 0; i < count; i++) {
                final MemorySegment entry = table.asSlice(i * VerbsLayout.GID_ENTRY_SIZE, VerbsLayout.GID_ENTRY_SIZE);
                entries.add(new GidEntry(number(entry, VerbsLayout.GID_ENTRY_PORT),
                    number(entry, VerbsLayout.GID_ENTRY_INDEX),
                    Gid.of(entry.asSlice(VerbsLayout.GID_ENTRY_GID, VerbsLayout.GID_SIZE)
                        .toArray(ValueLayout.JAVA_BYTE)),
                    GidType.of(number(entry, VerbsLayout.GID_ENTRY_TYPE))));
            }
            return List.copyOf(entries);
        }
    }

    /**
     * Makes a protection domain.
     *
     * @return the domain
     * @throws RdmaException if the device has no more of them
     */
    public ProtectionDomain allocateDomain() {
        return ProtectionDomain.allocate(this);
    }

    /** {@return how many interrupts of the device can serve completion queues} */
    public int vectorCount() {
        enter();
        try {
            return NativeMemory.getInt(handle() + VerbsLayout.CONTEXT_NUM_COMP_VECTORS);
        } finally {
            leave();
        }
    }

    /**
     * Waits for an event of the device, a port, a queue or a queue pair.
     *
     * @param timeoutNs 0 looks once
     * @return null when the time is over
     * @throws RdmaException if the kernel refuses
     * @throws IllegalStateException if this context is or becomes closed
     */
    public @Nullable AsyncEvent awaitEvent(long timeoutNs) {
        final EventWait wait = new EventWait(timeoutNs);
        do {
            final AsyncEvent taken = takeEvent();
            if (taken != null) {
                return taken;
            }
        } while (wait.slice(asyncDescriptor));
        return null;
    }

    private @Nullable AsyncEvent takeEvent() {
        enter();
        try {
            if (VerbsLibrary.GET_ASYNC_EVENT.call(handle(), event.address()) != 0) {
                if (CallState.errno() == EAGAIN) {
                    return null;
                }
                throw new RdmaException(VerbsLibrary.GET_ASYNC_EVENT.name(), CallState.errno());
            }
            final AsyncEventType type = AsyncEventType.of(number(event, VerbsLayout.ASYNC_TYPE));
            final boolean isOfPort = switch (type) {
                case PORT_ACTIVE, PORT_ERR, LID_CHANGE, PKEY_CHANGE, SM_CHANGE, CLIENT_REREGISTER, GID_CHANGE -> true;
                default -> false;
            };
            final VerbsObject source = isOfPort ? null
                : device().source(event.get(ValueLayout.JAVA_LONG, VerbsLayout.ASYNC_ELEMENT));
            final AsyncEvent taken = new AsyncEvent(type, isOfPort ? number(event, VerbsLayout.ASYNC_ELEMENT) : 0,
                source);
            VerbsLibrary.ACK_ASYNC_EVENT.call(event.address());
            if (type == AsyncEventType.QP_LAST_WQE_REACHED && source != null) {
                device().lastReceiveReached(source);
            }
            return taken;
        } finally {
            leave();
        }
    }

    /** {@return a descriptor that can be read when an event waits, for programs that watch many} */
    public int eventDescriptor() {
        requireOpen();
        return asyncDescriptor;
    }

    @Override
    protected void free() {
        if (isOwned) {
            VerbsLibrary.CLOSE_DEVICE.zero(VerbsLibrary.CLOSE_DEVICE.call(handle()));
        }
    }
}
