/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import java.util.List;

/** Which sides a side is compared with. */
@FunctionalInterface
public interface Baseline {

    /** The name of the stock side in every benchmark. */
    String STOCK = "stock HDFS";

    /** The name of a second stock side: its distance from the first is the error of the measurement. */
    String STOCK_AGAIN = "stock again";

    /** The name of the side that runs all of Foresight as shipped. */
    String FORESIGHT = "Foresight";

    /** The sides whose mean figure in the same round is the baseline; sides that were not measured are left out. */
    List<String> sidesFor(Column column, String side);

    /** Compares each side with stock HDFS. */
    static Baseline stock() {
        return (column, side) -> List.of(STOCK);
    }

    /** Compares each side with both stock sides, and these with the first. */
    static Baseline bothStocks() {
        return (column, side) ->
                side.equals(STOCK) || side.equals(STOCK_AGAIN) ? List.of(STOCK) : List.of(STOCK, STOCK_AGAIN);
    }
}
