/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import com.google.common.collect.ImmutableList;
import io.github.foresight.core.layout.RecoveryBound;
import io.github.foresight.protocol.conf.InvalidValueException;
import io.github.foresight.protocol.conf.KeyValues;
import io.github.foresight.protocol.conf.PlacementKeys;
import io.github.foresight.protocol.conf.Role;
import java.util.Collection;
import java.util.Collections;
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

    /** A node with at most this many transfers is never overloaded, however idle the other nodes are. */
    private static final int LIGHT_LOAD = 16;

    private static final ThreadLocal<@Nullable Request> REQUEST = new ThreadLocal<>();
    private static final ThreadLocal<@Nullable List<DatanodeStorageInfo>> FAVOURED = new ThreadLocal<>();
    private static final ThreadLocal<@Nullable KeptReplica> KEPT = new ThreadLocal<>();

    private final PlacedFiles.Source source;
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
            return leaveToHdfs(choice, numOfReplicas, writer);
        }
        Choice before = choice.copy();
        try {
            boolean isNewBlock = results.isEmpty();
            Candidates candidates = Candidates.of(now, request.path, isNewBlock);
            Search search = new Search(now.metrics, candidates, request.besides);
            Node first = isNewBlock
                    ? chooseForNewBlock(now, search, choice, numOfReplicas, writer)
                    : chooseBeside(now, search, choice, numOfReplicas, writer, request.isReconstruction);
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
            return leaveToHdfs(choice, numOfReplicas, writer);
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
            Node first = leaveToHdfs(choice, replicas, writer);
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

    private @Nullable Node leaveToHdfs(Choice choice, int replicas, @Nullable Node writer)
            throws NotEnoughReplicasException {
        return super.chooseTargetInOrder(
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

    private boolean take(Choice choice, DatanodeDescriptor node, int mostPerRack, EnumMap<StorageType, Integer> types)
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

    /** Places the replica of a new block on the replica node, or on a stand-in node. */
    private boolean isChosen(PlacementParts now, Search search, Choice choice) throws NotEnoughReplicasException {
        return search.run(
                        choice,
                        Search.Gate.OPEN,
                        node -> !isOverloaded(now, node) && take(choice, node, choice.maxPerRack, choice.types))
                == Search.Outcome.CHOSEN;
    }

    /** Makes a lost replica again on the replica node, or on a stand-in node, if the bound of scheduled blocks allows it. */
    private boolean isRemade(PlacementParts now, Search search, Choice choice) throws NotEnoughReplicasException {
        return search.run(
                        choice,
                        node -> mayRecover(now, node),
                        node -> take(choice, node, choice.maxPerRack, choice.types) && isCounted(now, node))
                == Search.Outcome.CHOSEN;
    }

    private boolean mayRecover(PlacementParts now, DatanodeDescriptor node) {
        return !isTooBusy(node) && now.recovery.admits(node, node.getBlocksScheduled(), System.nanoTime());
    }

    private static boolean isCounted(PlacementParts now, DatanodeDescriptor node) {
        now.recovery.assigned(node, System.nanoTime());
        return true;
    }

    private @Nullable Node chooseForNewBlock(
            PlacementParts now, Search search, Choice choice, int replicas, @Nullable Node writer)
            throws NotEnoughReplicasException {
        int wanted = replicas;
        // If the replica node and the writer's node share a rack that takes one replica, only one of the two nodes can
        // have a replica.
        boolean isReplicaNodeFirst = replicas == 2 || choice.maxPerRack == 1;
        if (isReplicaNodeFirst) {
            if (!isChosen(now, search, choice)) {
                return leaveToHdfs(choice, wanted, writer);
            }
            wanted--;
            if (writer instanceof DatanodeDescriptor && takeNear(choice, (DatanodeDescriptor) writer)) {
                wanted--;
            }
        } else {
            // The base policy may reject the replica node because of a first node chosen at random. Therefore the first
            // node is chosen after the replica node, and moved before it in the list.
            boolean isLocal = writer instanceof DatanodeDescriptor;
            if (!isLocal && isChosen(now, search, choice)) {
                wanted--;
            }
            DatanodeStorageInfo first = null;
            if (replicas > 1) {
                first = chooseLocalStorage(
                        writer,
                        choice.excluded,
                        choice.blockSize,
                        choice.maxPerRack,
                        choice.results,
                        choice.avoidStale,
                        choice.types,
                        true);
                wanted--;
            }
            if (isLocal) {
                wanted -= isChosen(now, search, choice) ? 1 : 0;
            } else if (first != null && choice.results.size() > 1) {
                Collections.swap(choice.results, 0, 1);
            }
            if (first == null && wanted == replicas) {
                return leaveToHdfs(choice, wanted, writer);
            }
        }
        if (wanted > 0) {
            // The writer's node was already checked. If a rack takes one replica, a base policy that checks the
            // writer's node again searches its whole rack in vain.
            leaveToHdfs(choice, wanted, isReplicaNodeFirst ? null : writer);
        }
        return choice.results.get(0).getDatanodeDescriptor();
    }

    /**
     * Chooses the writer's own node. If it is unsuitable, chooses a node in the writer's rack, unless the rack is full. Returns false if the rack is
     * full.
     */
    private boolean takeNear(Choice choice, DatanodeDescriptor writer) throws NotEnoughReplicasException {
        DatanodeStorageInfo local = chooseLocalStorage(
                writer,
                choice.excluded,
                choice.blockSize,
                choice.maxPerRack,
                choice.results,
                choice.avoidStale,
                choice.types);
        if (local != null) {
            return true;
        }
        if (choice.isCrowded(writer)) {
            return false;
        }
        chooseLocalRack(
                writer,
                choice.excluded,
                choice.blockSize,
                choice.maxPerRack,
                choice.results,
                choice.avoidStale,
                choice.types);
        return true;
    }

    private @Nullable Node chooseBeside(
            PlacementParts now,
            Search search,
            Choice choice,
            int replicas,
            @Nullable Node writer,
            boolean isReconstruction)
            throws NotEnoughReplicasException {
        EnumMap<StorageType, Integer> typesBefore = choice.types.clone();
        boolean isPlaced = isReconstruction ? isRemade(now, search, choice) : isChosen(now, search, choice);
        int wanted = isPlaced ? replicas - 1 : replicas;
        Node local = wanted > 0 ? leaveToHdfs(choice, wanted, writer) : writer;
        DatanodeDescriptor crowded = search.crowded();
        if (crowded != null
                && now.returnEnabled
                && isReconstruction
                && !choice.isOn(crowded)
                && take(choice, crowded, Integer.MAX_VALUE, typesBefore)
                && isCounted(now, crowded)) {
            now.metrics.restored.incr();
        }
        return local;
    }

    private boolean isOverloaded(PlacementParts now, DatanodeDescriptor node) {
        if (!considerLoad || now.loadFactor == 0 || node.getXceiverCount() <= LIGHT_LOAD) {
            return false;
        }
        double mean = now.stats.getInServiceXceiverAverage();
        return mean > 0 && node.getXceiverCount() > now.loadFactor * mean;
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
