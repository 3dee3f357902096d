/**
 * Tests that run in a guest with software devices: classes whose names end with {@code InGuest}, started by {@link
 * io.teff.test.rdma.guest.GuestMain}. The guest may have one processor, so no two threads spin for each other: both
 * ends of a connection are driven by one thread, or wait by completion channels.
 */
package io.teff.test.rdma.guest;
