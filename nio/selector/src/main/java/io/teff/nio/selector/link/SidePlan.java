package io.teff.nio.selector.link;

import io.teff.nio.selector.side.SideNetworks;
import io.teff.nio.selector.side.SideSecret;

/**
 * What a fabric needs for peers on other machines.
 *
 * @param firstPort of the range of side ports
 * @param lastPort of the range
 * @param secret of all machines
 * @param networks in which side ports are looked for
 * @param waitMs longest delay of a connect, in milliseconds
 */
public record SidePlan(int firstPort, int lastPort, SideSecret secret, SideNetworks networks, int waitMs) {}
