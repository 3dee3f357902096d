package io.teff.cluster.peer;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.agent.Agent;
import io.teff.cluster.net.agent.Agents;
import io.teff.cluster.net.agent.Transports;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.engine.os.Clock;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.random.RandomGenerator;

/** A network of the product without threads: a simulator does the work of its agent and of its handlers' threads. */
final class SteppedNetwork {
    private static final MethodHandle MAKE;
    private static final MethodHandle AGENTS;
    private static final MethodHandle RUN_HANDLER;

    static {
        try {
            MethodHandles.Lookup inside = MethodHandles.privateLookupIn(Network.class, MethodHandles.lookup());
            MAKE = inside.findConstructor(Network.class, MethodType.methodType(void.class, NetworkConfig.class,
                Clock.class, RandomGenerator.class, List.class, long.class));
            AGENTS = inside.findVirtual(Network.class, "agents", MethodType.methodType(Agents.class));
            RUN_HANDLER = inside.findVirtual(Network.class, "runHandler", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Network network;
    private final Agent agent;

    /** Makes a network with one agent. */
    SteppedNetwork(NetworkConfig config, Clock clock, RandomGenerator random, Transports transports,
                   long incarnation) {
        try {
            network = (Network) MAKE.invokeExact(config, clock, random, List.of(transports), incarnation);
            agent = ((Agents) AGENTS.invokeExact(network)).first();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    Network network() {
        return network;
    }

    /** Does a cycle of the agent, as its thread does it; returns the units of work done. */
    int work() {
        agent.begin();
        try {
            return agent.doWork();
        } finally {
            agent.leave();
        }
    }

    /** Returns the time until the agent's next work if nothing happens. */
    long idleNs() {
        return agent.idleNs();
    }

    /** Does what one of the handlers' threads would do next; returns false if there is nothing. */
    boolean runHandler() {
        try {
            return (boolean) RUN_HANDLER.invokeExact(network);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
