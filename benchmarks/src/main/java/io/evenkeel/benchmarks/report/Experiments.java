/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import java.util.List;

/** All experiments, in the order of the report. Stateless. */
final class Experiments {
    static final List<Experiment> ALL = List.of(
            TierExperiments.DEVICES,
            LaggardExperiments.CASE_1,
            LaggardExperiments.CASE_2,
            LaggardExperiments.CASE_3,
            TierExperiments.BLOCK_CACHE,
            FlushExperiments.FLUSH,
            PurgatoryExperiments.PURGATORY,
            PurgatoryExperiments.SEED_WORKLOAD,
            PurgatoryExperiments.RETENTION,
            PurgatoryExperiments.WAITING_FETCHES,
            TierExperiments.ZERO_COPY,
            TierExperiments.RESTART,
            TierExperiments.ROLLS,
            BrokerExperiments.START,
            BrokerExperiments.THROUGHPUT,
            BrokerExperiments.IDLE,
            BrokerExperiments.UPGRADE);

    private Experiments() {}

    /** @throws IllegalArgumentException when a name is unknown, or when there is none */
    static List<Experiment> named(List<String> names) {
        if (names.isEmpty()) {
            throw new IllegalArgumentException("--only needs the name of an experiment");
        }
        return names.stream().map(Experiments::named).toList();
    }

    private static Experiment named(String name) {
        return ALL.stream()
                .filter(experiment -> experiment.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown experiment: " + name + ", known: "
                        + ALL.stream().map(Experiment::name).toList()));
    }
}
