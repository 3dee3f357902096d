/**
 * State stores of Kafka Streams whose entries lie in Teff.
 *
 * <p><b>Promise.</b> A store answers every call as Kafka's own persistent store does, in the order of unsigned bytes.
 * After a commit the entries survive a power cut. A store that lacks entries is filled by Kafka from its changelog.
 * <p><b>Neighbours.</b> Uses {@code io.teff.recovery} and the public interfaces of {@code org.apache.kafka.streams}.
 * Read {@code TeffStores} first.
 */
@NullMarked
package io.teff.bridge.kafka;

import org.jspecify.annotations.NullMarked;
