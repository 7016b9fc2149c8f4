/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import com.google.common.collect.ImmutableList;
import io.github.foresight.core.layout.RecoveryBound;
import io.github.foresight.protocol.conf.InvalidValueException;
import io.github.foresight.protocol.conf.KeyValues;
import io.github.foresight.protocol.conf.PlacementKeys;
import io.github.foresight.protocol.conf.Role;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.FSClusterStats;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementHooks;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A placement policy on top of an HDFS policy, the base policy. This policy puts one replica of each block of a file on the file's replica node. This
 * placement is the orthogonal layout of NBJLOFS (Sui et al.), section 3.1. Configured as {@code dfs.block.replicator.classname}.
 *
 * <p>The base policy ({@link BasePolicy}) places all other replicas. The base policy's rules hold for all replicas. The replica node gets a replica
 * only if the base policy accepts the node. If the places of a new block do not satisfy the base policy, the base policy places the block again,
 * alone.
 *
 * <p>The replica node takes the place of the second replica. The further replicas follow HDFS's own rules, seen from the replica node. A writer on a
 * DataNode keeps its local replica. With two replicas, HDFS wants one replica in another rack. Then the replica node comes first, and the writer's
 * own node gets the other replica only if it is in another rack.
 *
 * <p>HDFS's own check for favoured nodes decides whether the replica node may take a block. The node must be in service, and not stale or slow where
 * HDFS avoids such nodes. The node must not be excluded, and needs room on a storage of a wanted type. The node's rack must have room for one more
 * replica. Besides, Foresight does not choose an overloaded node for a new block. If the replica node may not take the block, the next node in the
 * file's order is the stand-in node. Foresight does not handle blocks with one replica, and blocks with all replicas on favoured nodes.
 *
 * <p>When a lost replica is made again, the replica node is the target unless it has a replica. The rack rule may forbid the replica node because
 * the remaining replicas are in its rack. Then HDFS's own choice is made, and the replica node gets an additional replica. HDFS then deletes another
 * of the excess replicas. A replica node may be busy by HDFS's check, or may have the largest allowed number of scheduled blocks ({@link
 * RecoveryBound}). Such a replica node gets nothing, and HDFS chooses the target. So the recovery of one large file has many targets.
 *
 * <p>HDFS asks for excess replicas without naming the block. A block that has just got a replica is known, and its replica on the replica node is
 * kept. A mover, such as the Balancer, may have copied that replica and name it for deletion. Then the replica is deleted if HDFS's own rules
 * allow it: a mover drains a replica node as any other node.
 *
 * <p>The base policy alone places files in excluded directories. Foresight's part runs in a guard: a failure is counted, and the base policy
 * decides. The Balancer, the Mover and fsck place nothing; there this policy is the base policy. Thread-safe.
 */
public final class OrthogonalPlacementPolicy extends PlacementHooks {

    private static final Logger LOG = LoggerFactory.getLogger(OrthogonalPlacementPolicy.class);

    private static final ThreadLocal<@Nullable Request> REQUEST = new ThreadLocal<>();
    private static final ThreadLocal<@Nullable List<DatanodeStorageInfo>> FAVOURED = new ThreadLocal<>();
    private static final ThreadLocal<@Nullable KeptReplica> KEPT = new ThreadLocal<>();

    private final PlacedFiles.Source source;
    private final HdfsSteps steps = new Steps();
    private volatile @Nullable BasePolicy basePolicy;
    private volatile @Nullable PlacementParts parts;

    /** The request of HDFS that this thread serves. */
    private static final class Request {
        final String path;
        /** Replicas that already have a place on favoured nodes, which HDFS does not show in the list of results. */
        final List<DatanodeStorageInfo> besides;
        /** Whether a replica is made again; an additional replica does no harm then. */
        final boolean isReconstruction;

        Request(String path, List<DatanodeStorageInfo> besides, boolean isReconstruction) {
            this.path = path;
            this.besides = besides;
            this.isReconstruction = isReconstruction;
        }

        static Request of(String path, List<DatanodeStorageInfo> chosen, boolean returnChosen) {
            List<DatanodeStorageInfo> onFavoured = FAVOURED.get();
            return new Request(
                    path, onFavoured == null ? ImmutableList.of() : onFavoured, !returnChosen && !chosen.isEmpty());
        }
    }

    /** Called by HDFS. */
    public OrthogonalPlacementPolicy() {
        this(NamespaceFiles::behind);
    }

    /** Takes files from a source other than a NameNode. */
    OrthogonalPlacementPolicy(PlacedFiles.Source source) {
        this.source = source;
    }

    @Override
    protected Class<? extends BlockPlacementPolicyDefault> baseClass(Configuration conf, NetworkTopology topology) {
        BasePolicy chosen = BasePolicy.of(conf, topology);
        basePolicy = chosen;
        return chosen.type();
    }

    @Override
    protected void initialized(Configuration conf, @Nullable FSClusterStats stats, NetworkTopology topology) {
        parts = null;
        BasePolicy onto = basePolicy;
        if (stats == null || onto == null) {
            return;
        }
        if (onto.refusal() != null) {
            LOG.error("Foresight leaves placement to {}: {}", onto.type().getSimpleName(), onto.refusal());
            return;
        }
        try {
            PlacementMetrics metrics = PlacementMetrics.ofThisProcess();
            metrics.observe(this::isRunning, this::candidates);
            KeyValues values = KeyValues.read(Role.PLACEMENT, conf::get);
            if (!values.get(PlacementKeys.ENABLED)) {
                return;
            }
            long period = values.get(PlacementKeys.NODES_REFRESH).toNanos();
            ClusterNodes nodes = new ClusterNodes(topology);
            nodes.renew();
            PlacementParts made = new PlacementParts(
                    stats,
                    source.behind(stats, values.get(PlacementKeys.FILES_MAX), metrics),
                    nodes,
                    metrics,
                    values,
                    onto);
            NodesRefresh.begin(nodes, made.failures, period);
            parts = made;
        } catch (InvalidValueException e) {
            LOG.error("Foresight leaves placement to HDFS's own policy: {}", e.getMessage());
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) {
            LOG.error("Foresight leaves placement to HDFS's own policy", e);
        }
    }

    private boolean isRunning() {
        return running() != null;
    }

    /** Returns the number of DataNodes among which replica nodes are chosen. */
    int candidates() {
        PlacementParts now = running();
        return now == null ? 0 : now.nodes.get().size();
    }

    private @Nullable PlacementParts running() {
        PlacementParts now = parts;
        return now == null || now.failures.isSpent() ? null : now;
    }

    @Override
    public DatanodeStorageInfo[] chooseTarget(
            String srcPath,
            int numOfReplicas,
            Node writer,
            List<DatanodeStorageInfo> chosen,
            boolean returnChosenNodes,
            Set<Node> excludedNodes,
            long blocksize,
            BlockStoragePolicy storagePolicy,
            EnumSet<AddBlockFlag> flags) {
        if (!isLeftToBase(srcPath)) {
            REQUEST.set(Request.of(srcPath, chosen, returnChosenNodes));
            try {
                return super.chooseTarget(
                        srcPath,
                        numOfReplicas,
                        writer,
                        chosen,
                        returnChosenNodes,
                        excludedNodes,
                        blocksize,
                        storagePolicy,
                        flags);
            } finally {
                REQUEST.remove();
            }
        }
        return base().chooseTarget(
                        srcPath,
                        numOfReplicas,
                        writer,
                        chosen,
                        returnChosenNodes,
                        excludedNodes,
                        blocksize,
                        storagePolicy,
                        flags);
    }

    @Override
    public DatanodeStorageInfo[] chooseTarget(
            String srcPath,
            int numOfReplicas,
            Node writer,
            List<DatanodeStorageInfo> chosen,
            boolean returnChosenNodes,
            Set<Node> excludedNodes,
            long blocksize,
            BlockStoragePolicy storagePolicy,
            EnumSet<AddBlockFlag> flags,
            EnumMap<StorageType, Integer> storageTypes) {
        if (!isLeftToBase(srcPath)) {
            REQUEST.set(Request.of(srcPath, chosen, returnChosenNodes));
            try {
                return super.chooseTarget(
                        srcPath,
                        numOfReplicas,
                        writer,
                        chosen,
                        returnChosenNodes,
                        excludedNodes,
                        blocksize,
                        storagePolicy,
                        flags,
                        storageTypes);
            } finally {
                REQUEST.remove();
            }
        }
        return base().chooseTarget(
                        srcPath,
                        numOfReplicas,
                        writer,
                        chosen,
                        returnChosenNodes,
                        excludedNodes,
                        blocksize,
                        storagePolicy,
                        flags,
                        storageTypes);
    }

    @Override
    protected boolean isLeftToBase(@Nullable String path) {
        PlacementParts now = running();
        return now == null || path == null || now.isExcluded(path);
    }

    @Override
    protected void chooseFavouredNodes(
            String src,
            int numOfReplicas,
            List<DatanodeDescriptor> favoredNodes,
            Set<Node> favoriteAndExcludedNodes,
            long blocksize,
            int maxNodesPerRack,
            List<DatanodeStorageInfo> results,
            boolean avoidStaleNodes,
            EnumMap<StorageType, Integer> storageTypes)
            throws NotEnoughReplicasException {
        super.chooseFavouredNodes(
                src,
                numOfReplicas,
                favoredNodes,
                favoriteAndExcludedNodes,
                blocksize,
                maxNodesPerRack,
                results,
                avoidStaleNodes,
                storageTypes);
        if (!results.isEmpty()) {
            FAVOURED.set(ImmutableList.copyOf(results));
        }
    }

    @Override
    protected void favouredNodesPlaced() {
        FAVOURED.remove();
    }

    @Override
    protected @Nullable Node chooseTargetInOrder(
            int numOfReplicas,
            @Nullable Node writer,
            Set<Node> excludedNodes,
            long blocksize,
            int maxNodesPerRack,
            List<DatanodeStorageInfo> results,
            boolean avoidStaleNodes,
            boolean newBlock,
            EnumMap<StorageType, Integer> storageTypes)
            throws NotEnoughReplicasException {
        Choice choice =
                new Choice(excludedNodes, blocksize, maxNodesPerRack, results, avoidStaleNodes, newBlock, storageTypes);
        PlacementParts now = running();
        Request request = REQUEST.get();
        if (now == null
                || request == null
                || request.besides.size() + results.size() + numOfReplicas < 2
                || numOfReplicas < 1) {
            return steps.rest(choice, numOfReplicas, writer);
        }
        Choice before = choice.copy();
        try {
            boolean isNewBlock = results.isEmpty();
            Candidates candidates = Candidates.of(now, request.path, isNewBlock);
            Search search = new Search(now.metrics, candidates, request.besides);
            BlockPlacing placing = new BlockPlacing(now, search, choice, steps);
            Node first = isNewBlock
                    ? placing.newBlock(numOfReplicas, writer)
                    : placing.beside(numOfReplicas, writer, request.isReconstruction);
            if (isNewBlock && now.base.isStricterThanDefault() && request.besides.isEmpty() && !isSatisfied(results)) {
                return placeAnew(now, choice, before, numOfReplicas, writer);
            }
            candidates.placed(results, writer);
            return first;
        } catch (NotEnoughReplicasException e) {
            if (!before.results.isEmpty() || !now.base.isStricterThanDefault()) {
                throw e;
            }
            return placeAnew(now, choice, before, numOfReplicas, writer);
        } catch (Throwable e) {
            now.failures.failed("place a block", e);
            choice.resetTo(before);
            return steps.rest(choice, numOfReplicas, writer);
        }
    }

    private boolean isSatisfied(List<DatanodeStorageInfo> placed) {
        DatanodeInfo[] nodes =
                placed.stream().map(DatanodeStorageInfo::getDatanodeDescriptor).toArray(DatanodeInfo[]::new);
        return verifyBlockPlacement(nodes, nodes.length).isPlacementPolicySatisfied();
    }

    /**
     * Lets the base policy place a new block alone. With a replica on the replica node, the other replicas had no place that satisfies the base
     * policy.
     */
    private @Nullable Node placeAnew(
            PlacementParts now, Choice choice, Choice before, int replicas, @Nullable Node writer)
            throws NotEnoughReplicasException {
        now.metrics.basePolicyAlone.incr();
        List<DatanodeStorageInfo> ours = ImmutableList.copyOf(choice.results);
        choice.resetTo(before);
        try {
            Node first = steps.rest(choice, replicas, writer);
            if (ours.size() < choice.results.size() || isSatisfied(choice.results)) {
                return first;
            }
            choice.take(ours); // the cluster cannot satisfy the base policy
            return ours.get(0).getDatanodeDescriptor();
        } catch (NotEnoughReplicasException e) {
            if (choice.results.size() < ours.size()) {
                choice.take(ours);
            }
            throw e;
        }
    }

    /** The base policy's steps, by the methods that HDFS gives to its policies. */
    private final class Steps implements HdfsSteps {

        @Override
        public @Nullable Node rest(Choice choice, int replicas, @Nullable Node writer)
                throws NotEnoughReplicasException {
            return OrthogonalPlacementPolicy.super.chooseTargetInOrder(
                    replicas,
                    writer,
                    choice.excluded,
                    choice.blockSize,
                    choice.maxPerRack,
                    choice.results,
                    choice.avoidStale,
                    choice.newBlock,
                    choice.types);
        }

        @Override
        public boolean take(
                Choice choice, DatanodeDescriptor node, int mostPerRack, EnumMap<StorageType, Integer> types)
                throws NotEnoughReplicasException {
            return chooseLocalOrFavoredStorage(
                            node,
                            true,
                            choice.excluded,
                            choice.blockSize,
                            mostPerRack,
                            choice.results,
                            choice.avoidStale,
                            types)
                    != null;
        }

        @Override
        public @Nullable DatanodeStorageInfo local(Choice choice, DatanodeDescriptor writer)
                throws NotEnoughReplicasException {
            return chooseLocalStorage(
                    writer,
                    choice.excluded,
                    choice.blockSize,
                    choice.maxPerRack,
                    choice.results,
                    choice.avoidStale,
                    choice.types);
        }

        @Override
        public @Nullable DatanodeStorageInfo localOrNear(Choice choice, @Nullable Node writer)
                throws NotEnoughReplicasException {
            return chooseLocalStorage(
                    writer,
                    choice.excluded,
                    choice.blockSize,
                    choice.maxPerRack,
                    choice.results,
                    choice.avoidStale,
                    choice.types,
                    true);
        }

        @Override
        public void inRackOf(Choice choice, DatanodeDescriptor writer) throws NotEnoughReplicasException {
            chooseLocalRack(
                    writer,
                    choice.excluded,
                    choice.blockSize,
                    choice.maxPerRack,
                    choice.results,
                    choice.avoidStale,
                    choice.types);
        }

        @Override
        public boolean considersLoad() {
            return considerLoad;
        }

        @Override
        public boolean isTooBusy(DatanodeDescriptor node) {
            return OrthogonalPlacementPolicy.this.isTooBusy(node);
        }
    }

    @Override
    public List<DatanodeStorageInfo> chooseReplicasToDelete(
            Collection<DatanodeStorageInfo> availableReplicas,
            Collection<DatanodeStorageInfo> delCandidates,
            int expectedNumOfReplicas,
            List<StorageType> excessTypes,
            @Nullable DatanodeDescriptor addedNode,
            @Nullable DatanodeDescriptor delNodeHint) {
        PlacementParts now = running();
        KeptReplica kept = now == null
                ? null
                : KeptReplica.among(
                        now, new KeptReplica.Excess(availableReplicas, delCandidates, excessTypes, addedNode));
        if (now == null || kept == null) {
            return base().chooseReplicasToDelete(
                            availableReplicas,
                            delCandidates,
                            expectedNumOfReplicas,
                            excessTypes,
                            addedNode,
                            delNodeHint);
        }
        KEPT.set(kept);
        try {
            List<DatanodeStorageInfo> deleted = super.chooseReplicasToDelete(
                    availableReplicas, delCandidates, expectedNumOfReplicas, excessTypes, addedNode, delNodeHint);
            kept.count(now.metrics, deleted, delNodeHint);
            return deleted;
        } finally {
            KEPT.remove();
        }
    }

    @Override
    protected Collection<DatanodeStorageInfo> pickupReplicaSet(
            Collection<DatanodeStorageInfo> moreThanOne,
            Collection<DatanodeStorageInfo> exactlyOne,
            Map<String, List<DatanodeStorageInfo>> rackMap) {
        Collection<DatanodeStorageInfo> picked = super.pickupReplicaSet(moreThanOne, exactlyOne, rackMap);
        KeptReplica kept = KEPT.get();
        return kept == null ? picked : kept.choiceFrom(picked);
    }
}
