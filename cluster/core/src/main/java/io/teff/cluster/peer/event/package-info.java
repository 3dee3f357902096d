/** Events of peers for JDK Flight Recorder. */
@NullMarked
package io.teff.cluster.peer.event;

import org.jspecify.annotations.NullMarked;
