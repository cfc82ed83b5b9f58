/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IostatTest {
    /** Its kB are of 1024 bytes. */
    @Test
    void eachReportHasOneLineForTheDevice() {
        String output = """
                Linux 6.18 (lab) \t11/30/26 \t_x86_64_\t(2 CPU)


                Device             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd
                dm-1            139.00    101248.00     12500.00         0.00     101248      12500          0


                Device             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd
                dm-1             42.00     12288.00         0.00         0.00      12288          0          0

                """;
        assertThat(Iostat.parse(output, "dm-1")).containsExactly(12.8, 0.0);
        assertThat(Iostat.parse(output, "dm-2")).isEmpty();
    }
}
