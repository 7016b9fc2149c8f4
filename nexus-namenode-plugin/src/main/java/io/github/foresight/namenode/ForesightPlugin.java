/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

import io.github.foresight.core.guard.UserAccessHistory;
import io.github.foresight.namenode.admin.AdminCommands;
import io.github.foresight.namenode.audit.GrantLog;
import io.github.foresight.namenode.audit.OpenTrail;
import io.github.foresight.namenode.balance.ReplicaBalancer;
import io.github.foresight.namenode.change.ChangeNotices;
import io.github.foresight.namenode.change.ChangeTail;
import io.github.foresight.namenode.change.Invalidations;
import io.github.foresight.namenode.change.NamespaceChanges;
import io.github.foresight.namenode.change.NamespaceEdits;
import io.github.foresight.namenode.checkpoint.Checkpoints;
import io.github.foresight.namenode.client.Caller;
import io.github.foresight.namenode.client.KnownCallers;
import io.github.foresight.namenode.guard.Feature;
import io.github.foresight.namenode.guard.Features;
import io.github.foresight.namenode.layout.LayoutMessages;
import io.github.foresight.namenode.learn.AccessLearner;
import io.github.foresight.namenode.lease.LayoutLeases;
import io.github.foresight.namenode.lease.RecallingService;
import io.github.foresight.namenode.metrics.LeaseCounts;
import io.github.foresight.namenode.metrics.NameNodeMetrics;
import io.github.foresight.namenode.metrics.ReaderEvents;
import io.github.foresight.namenode.prefetch.PrefetchReplies;
import io.github.foresight.namenode.prefetch.StockClientHints;
import io.github.foresight.namenode.rpc.ForesightServerSideTranslator;
import io.github.foresight.namenode.settings.NameNodeSettings;
import io.github.foresight.protocol.conf.InvalidValueException;
import io.github.foresight.protocol.conf.NameNodeKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.ToIntFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.server.namenode.ChangedFiles;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader;
import org.apache.hadoop.hdfs.server.namenode.ServedFiles;
import org.apache.hadoop.hdfs.server.namenode.ServedFiles.Served;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ServicePlugin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Foresight in a NameNode; named in {@code dfs.namenode.plugins}.
 *
 * <p>Started when the NameNode's RPC server already answers, it puts its translator in the place of HDFS's. Whatever goes wrong with
 * that is logged, shows as {@code Running} 0 among the metrics, and leaves the NameNode as it is.
 */
public final class ForesightPlugin implements ServicePlugin {

    private static final Logger LOG = LoggerFactory.getLogger(ForesightPlugin.class);

    private final NameNodeMetrics metrics = new NameNodeMetrics();
    private volatile boolean running;
    private @Nullable GrantLog grantLog;
    private @Nullable OpenTrail trail;
    private @Nullable AdminCommands admin;
    private @Nullable Checkpoints checkpoints;
    private @Nullable ChangeAuditLogger auditLogger;
    private @Nullable ChangeTail changeTail;
    private @Nullable LayoutLeases leases;
    private @Nullable StockClientHints stockHints;

    /** Called by HDFS through reflection. */
    public ForesightPlugin() {}

    @Override
    public void start(Object service) {
        metrics.observe(() -> running);
        metrics.register();
        try {
            NameNode nameNode = (NameNode) service;
            start(nameNode, NameNodeSettings.read(configuration(nameNode)::get));
            running = true;
        } catch (InvalidValueException e) {
            LOG.error("Foresight stays off: {}", e.getMessage());
        } catch (RuntimeException | IOException | ReflectiveOperationException | LinkageError e) {
            LOG.error("Foresight stays off; the NameNode works without Foresight", e);
        } catch (OutOfMemoryError e) {
            LOG.error(
                    "Foresight stays off: there is not enough memory outside the heap for {}; lower it, or raise"
                            + " -XX:MaxDirectMemorySize",
                    NameNodeKeys.GRAPH_CAPACITY,
                    e);
        }
    }

    private static Configuration configuration(NameNode nameNode) {
        return nameNode.getConf();
    }

    private void start(NameNode nameNode, NameNodeSettings settings) throws IOException, ReflectiveOperationException {
        NamespaceReader namespace = reader(nameNode, settings);
        AccessLearner learner = new AccessLearner(settings, metrics.opens::incr);
        Features features = new Features(settings, metrics);
        Invalidations invalidations = new Invalidations(
                settings.get(NameNodeKeys.INVALIDATE_QUEUE_MAX),
                settings.get(NameNodeKeys.INVALIDATE_CAPACITY),
                new SecureRandom().nextLong(),
                System::nanoTime,
                metrics);
        metrics.observeFeatures(features::resting);
        NamespaceEdits edits = new NamespaceEdits(nameNode);
        NamespaceChanges changes = new NamespaceChanges(edits::resolve, invalidations);
        ChangeNotices notices = new ChangeNotices(features, changes, invalidations);
        ReplicaBalancer balancer = new ReplicaBalancer(settings, topology(namespace), metrics);
        LayoutMessages messages = new LayoutMessages(features, metrics);
        long auditBytes = settings.get(NameNodeKeys.AUDIT_CAPACITY);
        GrantLog grants = new GrantLog(GrantLog.lines(), auditBytes, metrics);
        grantLog = grants;
        OpenTrail opens = new OpenTrail(
                trailed(new ServedFiles(nameNode)),
                GrantLog.lines(),
                settings.get(NameNodeKeys.AUDIT_LOGGERS_ENABLED),
                settings.get(NameNodeKeys.AUDIT_TIMES_ENABLED),
                auditBytes,
                metrics);
        trail = opens;
        metrics.observe(() -> grants.waitingBytes() + opens.waitingBytes());
        StockClientHints hints = new StockClientHints(
                settings,
                features,
                learner,
                namespace,
                balancer,
                metrics,
                configuration(nameNode),
                UserGroupInformation.getLoginUser());
        stockHints = hints;
        PrefetchReplies replies = new PrefetchReplies(
                settings,
                features,
                learner,
                invalidations,
                namespace,
                balancer,
                messages,
                grants,
                opens,
                hints,
                metrics);
        metrics.observe(learner);
        metrics.observeGrants(invalidations::grantCount, invalidations::bytes);
        ChangeTail followed = new ChangeTail(
                edits,
                changes,
                invalidations,
                settings.get(NameNodeKeys.INVALIDATE_TAIL_MAX),
                settings.get(NameNodeKeys.INVALIDATE_TAIL_PERIOD).toMillis(),
                metrics);
        changeTail = followed;
        followed.start();
        LeaseCounts leaseCounts = new LeaseCounts(metrics);
        ChangedFiles changed = new ChangedFiles(nameNode, settings.get(NameNodeKeys.ENFORCER_ENABLED));
        LayoutLeases granted = new LayoutLeases(
                settings.leases(),
                settings.leaseLimits(),
                haState(nameNode, changed),
                () -> features.isOn(Feature.LEASE) && notices.isAudited(),
                System::nanoTime,
                ForesightPlugin::userOfRpc,
                leaseCounts);
        leases = granted;
        metrics.observe(granted);
        granted.start();
        NameNodeRpcServer rpc = (NameNodeRpcServer) nameNode.getRpcServer();
        ForesightServerSideTranslator translator = new ForesightServerSideTranslator(
                rpc,
                features,
                replies,
                invalidations,
                granted,
                balancer,
                callers(nameNode, settings),
                messages,
                metrics);
        RecallingService service = new RecallingService(
                ClientNamenodeProtocol.newReflectiveBlockingService(translator),
                granted,
                changedNamespace(changed, edits),
                leaseCounts,
                notices::changedByRpc);
        auditLogger = ChangeAuditLogger.among(edits.auditLoggers());
        if (auditLogger == null) {
            LOG.warn(
                    "dfs.namenode.audit.loggers does not name {}: no client gets a lease, and other clients learn of a change by"
                            + " WebHDFS, or through dfs.namenode.servicerpc-address, only when their cache entry expires. Set the"
                            + " key to 'default,{}'",
                    ChangeAuditLogger.class.getName(),
                    ChangeAuditLogger.class.getName());
        } else {
            auditLogger.passTo(notices.listenToAuditLog(recalls(edits, service)));
        }
        rpc.getClientRpcServer().addProtocol(RPC.RpcKind.RPC_PROTOCOL_BUFFER, ClientNamenodeProtocolPB.class, service);
        AdminCommands commands = new AdminCommands(namespace, settings, features, learner, invalidations);
        RefreshRegistry.defaultRegistry().register(AdminCommands.IDENTIFIER, commands);
        admin = commands;
        Checkpoints kept = new Checkpoints(
                settings, learner, namespace.blockPoolId(), nameNode::isActiveState, configuration(nameNode), metrics);
        checkpoints = kept;
        kept.start();
        LOG.info("Foresight learns with {} and {}", learner.files(), learner.pairs());
    }

    private NamespaceReader reader(NameNode nameNode, NameNodeSettings settings) throws ReflectiveOperationException {
        String provider = configuration(nameNode).get(DFSConfigKeys.DFS_NAMENODE_INODE_ATTRIBUTES_PROVIDER_KEY);
        if (provider != null && !settings.get(NameNodeKeys.ENFORCER_ENABLED)) {
            LOG.info(
                    "Foresight predicts for no user whose rights {} decides on: {} is false",
                    provider,
                    NameNodeKeys.ENFORCER_ENABLED);
        }
        UserAccessHistory accessHistory = settings.accessHistory(new SecureRandom(), System.nanoTime());
        metrics.observe(accessHistory);
        return new NamespaceReader(
                nameNode,
                settings.readLimits(),
                accessHistory,
                settings.get(NameNodeKeys.ENFORCER_ENABLED),
                new ReaderEvents(metrics));
    }

    private static KnownCallers callers(NameNode nameNode, NameNodeSettings settings) {
        return new KnownCallers(
                settings,
                configuration(nameNode).getTrimmedStringCollection(DFSConfigKeys.DFS_NAMENODE_IP_PROXY_USERS));
    }

    /** Changes by any way, of which layouts are recalled that were not recalled before. */
    private static NamespaceChanges recalls(NamespaceEdits edits, RecallingService service) {
        return new NamespaceChanges(edits::resolve, new NamespaceChanges.Listener() {
            @Override
            public void changed(String path) {
                service.changed(path);
            }

            @Override
            public void everythingChanged() {
                service.everythingChanged();
            }
        });
    }

    private static String userOfRpc() {
        UserGroupInformation user = Server.getRemoteUser();
        return user == null ? "" : Caller.bounded(user.getUserName());
    }

    private static LayoutLeases.HaState haState(NameNode nameNode, ChangedFiles files) {
        return new LayoutLeases.HaState() {
            @Override
            public boolean isActive() {
                return nameNode.isActiveState();
            }

            @Override
            public long lastTransition() {
                return nameNode.getLastHATransitionTime();
            }

            @Override
            public long lastInodeId() {
                return files.lastInodeId();
            }
        };
    }

    private static RecallingService.Namespace changedNamespace(ChangedFiles files, NamespaceEdits edits) {
        return new RecallingService.Namespace() {
            @Override
            public boolean isAnyOld(List<String> paths, long lastOld) {
                return files.isAnyOld(paths, lastOld);
            }

            @Override
            public boolean mayChange(String path) throws IOException {
                return files.mayChange(path);
            }

            @Override
            public @Nullable String resolve(String path) {
                return edits.resolve(path);
            }
        };
    }

    private static OpenTrail.Namespace trailed(ServedFiles files) {
        return new OpenTrail.Namespace() {
            @Override
            public List<@Nullable Served> find(long[] firstBlocks, long openedMillis) {
                return files.find(firstBlocks, openedMillis);
            }

            @Override
            public boolean keepsTimes() {
                return files.keepsTimes();
            }

            @Override
            public int setAccessTimes(long[] inodeIds, long millis) throws IOException {
                return files.setAccessTimes(inodeIds, millis);
            }

            @Override
            public void audit(
                    String user, @Nullable InetAddress address, String path, @Nullable CallerContext context) {
                files.audit(user, address, path, context);
            }

            @Override
            public int contextMax() {
                return files.contextMax();
            }
        };
    }

    private static ReplicaBalancer.Topology topology(NamespaceReader namespace) {
        return new ReplicaBalancer.Topology() {
            @Override
            public ToIntFunction<Node> distancesFrom(String readerAddress) {
                return namespace.distancesFrom(readerAddress);
            }

            @Override
            public boolean isAvoided(DatanodeInfoWithStorage node) {
                return namespace.isAvoided(node);
            }

            @Override
            public boolean isStorageTypeConsidered() {
                return namespace.isStorageTypeConsidered();
            }

            @Override
            public boolean isLoadConsidered() {
                return namespace.isLoadConsidered();
            }
        };
    }

    @Override
    public void stop() {
        running = false;
        AdminCommands registered = admin;
        if (registered != null) {
            RefreshRegistry.defaultRegistry().unregister(AdminCommands.IDENTIFIER, registered);
            admin = null;
        }
        ChangeAuditLogger audited = auditLogger;
        if (audited != null) {
            audited.passTo(null);
            auditLogger = null;
        }
        ChangeTail followed = changeTail;
        if (followed != null) {
            followed.close();
            changeTail = null;
        }
        LayoutLeases granted = leases;
        if (granted != null) {
            granted.close();
            leases = null;
        }
        Checkpoints kept = checkpoints;
        if (kept != null) {
            kept.close();
            checkpoints = null;
        }
        OpenTrail opens = trail;
        if (opens != null) {
            opens.close();
            trail = null;
        }
        GrantLog log = grantLog;
        if (log != null) {
            log.close();
            grantLog = null;
        }
        StockClientHints hints = stockHints;
        if (hints != null) {
            hints.close();
            stockHints = null;
        }
        metrics.unregister();
    }

    @Override
    public void close() {
        stop();
    }
}
