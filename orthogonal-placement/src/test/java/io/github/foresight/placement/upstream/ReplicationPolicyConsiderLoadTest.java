/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement.upstream;

import io.github.foresight.placement.OrthogonalPlacementPolicy;
import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.TestReplicationPolicyConsiderLoad;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Hadoop's own {@code TestReplicationPolicyConsiderLoad}, with our policy configured. */
@RunWith(Parameterized.class)
public final class ReplicationPolicyConsiderLoadTest extends TestReplicationPolicyConsiderLoad {

    public ReplicationPolicyConsiderLoadTest(String policy) {
        super(policy);
    }

    @Parameters
    public static Iterable<Object[]> data() {
        return List.<Object[]>of(new Object[] {OrthogonalPlacementPolicy.class.getName()});
    }
}
