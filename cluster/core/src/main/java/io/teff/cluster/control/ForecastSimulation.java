package io.teff.cluster.control;

import io.teff.cluster.admin.ClusterForecast;
import io.teff.cluster.forecast.DeathSimulation;

/** Plays deaths of peers with the placement of the product; found by the service loader. */
public final class ForecastSimulation implements ClusterForecast.Simulation {
    /** For the service loader. */
    public ForecastSimulation() {}

    @Override
    public ClusterForecast play(ClusterForecast.Sizes sizes) {
        return new DeathSimulation(sizes).play();
    }
}
