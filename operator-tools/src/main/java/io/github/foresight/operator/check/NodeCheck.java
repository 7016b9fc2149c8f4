/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import com.google.common.collect.ImmutableList;
import io.github.foresight.protocol.conf.ByteSize;
import io.github.foresight.protocol.conf.ConfKey;
import io.github.foresight.protocol.conf.DataNodeKeys;
import io.github.foresight.protocol.conf.InvalidValueException;
import io.github.foresight.protocol.conf.KeyCatalogue;
import io.github.foresight.protocol.conf.PlacementKeys;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Checks one node for one or more roles. The constructor receives all facts about the node. Not thread-safe.
 *
 * <p>Each method checks one subject and adds its findings, so that one run shows all faults of a node.
 */
final class NodeCheck {

    static final List<String> TESTED_HADOOP = ImmutableList.of("3.3.6", "3.4.3", "3.5.0");

    private static final int JAVA_LEAST = 8;
    private static final int JAVA_LEAST_HADOOP_3_5 = 17;
    private static final int JAVA_TESTED = 17;
    private static final Pattern MAJOR_MINOR = Pattern.compile("(\\d+)\\.(\\d+).*");
    private static final String PROVIDER = "dfs.client.failover.proxy.provider.";
    private static final String OBSERVERS = "dfs.client.replica.accessor.builder.classes";
    private static final String FORESIGHT_PROVIDER = "io.github.foresight.client.ForesightProxyProvider";
    private static final String FORESIGHT_OBSERVER = "io.github.foresight.client.ReadObserver";
    private static final String PLUGINS_KEY = "dfs.namenode.plugins";
    private static final String FORESIGHT_PLUGIN = "io.github.foresight.namenode.ForesightPlugin";
    private static final String AUDIT_LOGGERS = "dfs.namenode.audit.loggers";
    private static final String FORESIGHT_AUDIT_LOGGER = "io.github.foresight.namenode.ChangeAuditLogger";
    private static final String POLICY_KEY = "dfs.block.replicator.classname";
    private static final String FORESIGHT_POLICY = "io.github.foresight.placement.OrthogonalPlacementPolicy";
    private static final String EC_POLICY_KEY = "dfs.block.placement.ec.classname";
    private static final String HDFS_POLICIES = "org.apache.hadoop.hdfs.server.blockmanagement.";
    private static final String UPGRADE_DOMAINS = HDFS_POLICIES + "BlockPlacementPolicyWithUpgradeDomain";
    private static final String DOMAIN_FACTOR = "dfs.namenode.upgrade.domain.factor";
    private static final String HOSTS_KEY = "dfs.namenode.hosts.provider.classname";
    private static final String HOSTS_WITH_DOMAINS = HDFS_POLICIES + "CombinedHostFileManager";
    private static final String NODE_GROUPS = "org.apache.hadoop.net.NetworkTopologyWithNodeGroup";

    /** As the policy has them. */
    private static final List<String> BASES = ImmutableList.of(
            HDFS_POLICIES + "BlockPlacementPolicyDefault",
            UPGRADE_DOMAINS,
            HDFS_POLICIES + "BlockPlacementPolicyRackFaultTolerant",
            HDFS_POLICIES + "AvailableSpaceBlockPlacementPolicy",
            HDFS_POLICIES + "AvailableSpaceRackFaultTolerantBlockPlacementPolicy");

    private static final String FACTORY_KEY = "dfs.datanode.fsdataset.factory";
    private static final String FORESIGHT_FACTORY =
            "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ForesightDatasetFactory";
    private static final String NATIVE_CALLS = "io.github.foresight.datanode.pagecache.ResidentFile";
    private static final String HDFS_LOCKED = "dfs.datanode.max.locked.memory";

    private final NodeConfiguration configuration;
    private final NodeClasses classes;
    private final DaemonJava java;
    private final LockLimit lockLimit;
    private final List<Finding> findings = new ArrayList<>();

    NodeCheck(NodeConfiguration configuration, NodeClasses classes, DaemonJava java, LockLimit lockLimit) {
        this.configuration = configuration;
        this.classes = classes;
        this.java = java;
        this.lockLimit = lockLimit;
    }

    /** All findings about a node with these roles, in the order of the checks. */
    List<Finding> run(Set<NodeRole> roles) throws IOException {
        String hadoop = classes.hadoopVersion();
        checkJava(hadoop == null ? "" : hadoop);
        checkHadoop(hadoop == null ? "" : hadoop);
        checkClasses(roles);
        checkInstalled(roles);
        checkKeys();
        if (roles.stream().anyMatch(NodeCheck::placesReplicas)) {
            checkPlacement();
        }
        if (roles.contains(NodeRole.NAMENODE)) {
            checkAuditLogger();
        }
        if (roles.contains(NodeRole.DATANODE) && isInstalled(NodeRole.DATANODE)) {
            checkNativeCalls();
            checkMemory();
        }
        if (roles.contains(NodeRole.CLIENT)) {
            checkClient();
        }
        return ImmutableList.copyOf(findings);
    }

    private void checkJava(String hadoop) {
        int feature = java.feature();
        String found = "Java " + feature + " at " + java.source();
        boolean needs17 = series(hadoop) >= 305;
        if (feature < JAVA_LEAST) {
            wrong("java", found + "; Foresight needs " + JAVA_LEAST + " or later.", "run the daemon on a later JDK.");
        } else if (needs17 && feature < JAVA_LEAST_HADOOP_3_5) {
            wrong(
                    "java",
                    found + "; Hadoop " + hadoop + " needs " + JAVA_LEAST_HADOOP_3_5 + " or later.",
                    "run the daemon on JDK " + JAVA_LEAST_HADOOP_3_5 + ".");
        } else if (feature > JAVA_TESTED) {
            warning(
                    "java",
                    found + "; Foresight is tested on " + JAVA_TESTED + ".",
                    "try it on one node first, or run the daemon on JDK " + JAVA_TESTED + ".");
        } else {
            fine("java", found + ".");
        }
    }

    private void checkHadoop(String version) {
        int series = series(version);
        String tested = String.join(", ", TESTED_HADOOP);
        if (version.isEmpty()) {
            wrong(
                    "hadoop",
                    classes.classpath().isEmpty()
                            ? "the class path is empty, or nothing that it names is there."
                            : "there is no hadoop-common on the class path.",
                    "put the 'hadoop' command on PATH, or give --classpath \"$(hadoop classpath)\".");
        } else if (TESTED_HADOOP.contains(version)) {
            fine("hadoop", "Hadoop " + version + ".");
        } else if (series < 303) {
            wrong("hadoop", "Hadoop " + version + " is too old; tested are " + tested + ".", "upgrade Hadoop first.");
        } else {
            warning(
                    "hadoop",
                    "Hadoop " + version + " is not among the versions tested: " + tested + ".",
                    "try it on one node first.");
        }
    }

    /** 303 for 3.3.6; 0 for a text that is no version. */
    private static int series(String version) {
        Matcher matcher = MAJOR_MINOR.matcher(version);
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) * 100 + Integer.parseInt(matcher.group(2)) : 0;
    }

    private void checkClasses(Set<NodeRole> roles) throws IOException {
        for (String key : configuration.names()) {
            List<ClassKey> uses = roles.stream()
                    .flatMap(role -> role.classKeys().stream())
                    .filter(classKey -> classKey.matches(key))
                    .collect(Collectors.toList());
            if (!uses.isEmpty()) {
                for (String name : list(key)) {
                    if (uses.get(0).isClassName(name)) {
                        checkClass(uses, key, name);
                    }
                }
            }
        }
    }

    /**
     * Checks a class that a key names.
     *
     * @param uses at least one; the uses of this key by the roles, which differ in their consequence only
     */
    private void checkClass(List<ClassKey> uses, String key, String name) throws IOException {
        ClassKey classKey = uses.get(0);
        try {
            Class<?> named = classes.load(name);
            Optional<String> misfit = misfit(named, classKey);
            if (misfit.isPresent()) {
                unusable(uses, key, name + " " + misfit.get(), "name a class that fits, or remove the key.");
            } else if (!classes.isOnClasspath(named)) {
                checkAbsent(uses, key, name);
            } else {
                checkPlaces(key, name);
            }
        } catch (ClassNotFoundException e) {
            unusable(
                    uses,
                    key,
                    name + " is in no jar on the class path",
                    isForesights(name)
                            ? copy(classKey) + "."
                            : "put the jar that holds it on the class path (HADOOP_CLASSPATH in hadoop-env.sh), or"
                                    + " correct the name.");
        } catch (UnsupportedClassVersionError e) {
            unusable(
                    uses,
                    key,
                    name + " is compiled for a later Java than " + DaemonJava.running(),
                    "run the daemon on a later JDK.");
        } catch (LinkageError e) {
            unusable(
                    uses,
                    key,
                    name + " is there but cannot be loaded, for want of something it needs (" + e.getMessage() + ")",
                    "bring the jars of Hadoop and of this class to versions that fit.");
        }
    }

    /** The class is in a jar of the release that has not been copied. */
    private void checkAbsent(List<ClassKey> uses, String key, String name) {
        String absent = name + " is in this release's lib folder but not on the class path of this node's Hadoop";
        List<ClassKey> bound =
                uses.stream().filter(use -> !use.hasOtherClassPaths()).collect(Collectors.toList());
        if (bound.isEmpty()) {
            warning(
                    key,
                    absent + "; if it is not on the applications' either, " + consequences(uses) + ".",
                    copy(uses.get(0)) + ", and onto the class path of applications that have their own.");
        } else {
            unusable(bound, key, absent, copy(uses.get(0)) + ".");
        }
    }

    private void unusable(List<ClassKey> uses, String key, String message, String remedy) {
        String finding = message + ": " + consequences(uses) + ".";
        if (uses.stream().anyMatch(use -> use.isLoaded(configuration))) {
            wrong(key, finding, remedy);
        } else {
            warning(key, finding, remedy);
        }
    }

    private static String consequences(List<ClassKey> uses) {
        return uses.stream().map(ClassKey::consequence).distinct().collect(Collectors.joining("; "));
    }

    private static boolean isForesights(String className) {
        return className.startsWith("io.github.foresight.") || className.equals(FORESIGHT_FACTORY);
    }

    private static String copy(ClassKey classKey) {
        return "copy lib/" + classKey.artifact() + ".jar to $HADOOP_HOME/share/hadoop/hdfs/lib/ (or add it to"
                + " HADOOP_CLASSPATH in hadoop-env.sh)";
    }

    private void checkPlaces(String key, String name) throws IOException {
        List<String> places = classes.places(name);
        if (places.size() > 1) {
            warning(
                    key,
                    name + " is there " + places.size() + " times; the first counts: " + String.join(", ", places)
                            + ".",
                    "remove the others.");
        } else {
            fine(key, name + " loads" + (places.isEmpty() ? "." : " from " + places.get(0) + "."));
        }
    }

    /** The reason why HDFS cannot create an object of a class, or empty. */
    private Optional<String> misfit(Class<?> named, ClassKey classKey) throws ClassNotFoundException {
        Class<?> superType = classes.loadBeside(named, classKey.superType());
        if (!superType.isAssignableFrom(named)) {
            return Optional.of("is no " + superType.getName());
        }
        Class<?>[] types = new Class<?>[classKey.constructorTypes().size()];
        for (int i = 0; i < types.length; i++) {
            types[i] = classes.loadBeside(named, classKey.constructorTypes().get(i));
        }
        try {
            Constructor<?> constructor =
                    classKey.publicConstructor() ? named.getConstructor(types) : named.getDeclaredConstructor(types);
            return Modifier.isAbstract(constructor.getDeclaringClass().getModifiers())
                    ? Optional.of("is abstract")
                    : Optional.empty();
        } catch (NoSuchMethodException e) {
            String shape = Arrays.stream(types).map(Class::getSimpleName).collect(Collectors.joining(", "));
            return Optional.of("has no " + (classKey.publicConstructor() ? "public " : "") + "constructor (" + shape
                    + "), by which HDFS makes it");
        }
    }

    /** A node that is checked for all roles need not have Foresight in each. */
    private void checkInstalled(Set<NodeRole> roles) {
        List<NodeRole> without =
                roles.stream().filter(role -> !isInstalled(role)).collect(Collectors.toList());
        boolean nowhere = roles.stream().noneMatch(this::isInstalled);
        for (NodeRole role : without) {
            String message = role.classKeys().isEmpty()
                    ? "the " + role.title() + " loads no class that these files name."
                    : "nothing here names Foresight: the " + role.title() + " runs as stock HDFS.";
            if (nowhere && role.hasArtifact()) {
                warning(
                        role.title(),
                        message,
                        "add the properties of conf/" + role.artifact() + ".xml to hdfs-site.xml.");
            } else {
                fine(role.title(), message);
            }
        }
    }

    private boolean isInstalled(NodeRole role) {
        switch (role) {
            case NAMENODE:
                return uses(PLUGINS_KEY, FORESIGHT_PLUGIN);
            case DATANODE:
                return uses(FACTORY_KEY, FORESIGHT_FACTORY);
            case PLACEMENT:
                return uses(POLICY_KEY, FORESIGHT_POLICY);
            case CLIENT:
                return uses(OBSERVERS, FORESIGHT_OBSERVER)
                        || !foresightProviders().isEmpty();
            default:
                return namesForesight(role);
        }
    }

    private boolean namesForesight(NodeRole role) {
        for (String key : configuration.names()) {
            if (role.classKeys().stream().anyMatch(classKey -> classKey.matches(key))
                    && list(key).stream().anyMatch(NodeCheck::isForesights)) {
                return true;
            }
        }
        return false;
    }

    private void checkKeys() {
        Set<String> known = new TreeSet<>(KeyCatalogue.byName().keySet());
        for (String name : configuration.names()) {
            if (!name.startsWith(KeyCatalogue.PREFIX)) {
                continue;
            }
            ConfKey<?> key = KeyCatalogue.find(name);
            String value = String.valueOf(configuration.get(name));
            if (key == null) {
                String meant = NearestName.of(name, known)
                        .map(near -> "did you mean " + near + "? ")
                        .orElse("");
                warning(name, "there is no such key; it has no effect.", meant + "All keys: docs/configuration.md.");
                continue;
            }
            try {
                key.parse(value);
                fine(name, value);
            } catch (InvalidValueException e) {
                wrong(
                        name,
                        "'" + value + "' is not accepted, and Foresight stays off.",
                        "give " + key.accepted() + "; the default is '" + key.defaultText() + "'.");
            }
        }
    }

    private static boolean placesReplicas(NodeRole role) {
        return role.classKeys().stream().anyMatch(classKey -> classKey.matches(POLICY_KEY));
    }

    /** Settings that conflict with Foresight's placement policy. */
    private void checkPlacement() {
        if (uses(EC_POLICY_KEY, FORESIGHT_POLICY)) {
            wrong(
                    EC_POLICY_KEY,
                    FORESIGHT_POLICY + " places replicas, and leaves erasure-coded blocks to HDFS's own policy.",
                    "remove the key, or give " + HDFS_POLICIES + "BlockPlacementPolicyRackFaultTolerant, its default.");
        }
        if (!uses(POLICY_KEY, FORESIGHT_POLICY)) {
            return;
        }
        String key = PlacementKeys.BASE_CLASSNAME.name();
        String configured = configuration.get(key);
        String base = configured == null || configured.trim().isEmpty()
                ? HDFS_POLICIES + "BlockPlacementPolicyDefault"
                : configured.trim();
        if (base.equals(FORESIGHT_POLICY)) {
            wrong(key, base + " cannot be its own base: the NameNode will not start.", giveBase());
        } else if (!BASES.contains(base)) {
            wrong(
                    key,
                    base
                            + " is no policy that Foresight works on: it does all by itself, and no file has a replica node.",
                    giveBase());
        }
        for (String topology : ImmutableList.of("net.topology.impl", "dfs.net.topology.impl")) {
            if (uses(topology, NODE_GROUPS)) {
                wrong(
                        topology,
                        "Foresight places nothing on " + NODE_GROUPS + ": HDFS's own policy does all.",
                        "leave Foresight's policy out (" + POLICY_KEY + ") on a cluster with node groups.");
            }
        }
        if (!base.equals(UPGRADE_DOMAINS)) {
            String lost = "the base policy is " + base + ", which does not know upgrade domains";
            String remedy = "give " + key + "=" + UPGRADE_DOMAINS + " if DataNodes have upgrade domains.";
            if (configuration.get(DOMAIN_FACTOR) != null) {
                wrong(DOMAIN_FACTOR, lost + ": replicas may share one.", remedy);
            } else if (uses(HOSTS_KEY, HOSTS_WITH_DOMAINS)) {
                warning(HOSTS_KEY, "its file can give DataNodes upgrade domains, but " + lost + ".", remedy);
            }
        }
    }

    private static String giveBase() {
        return "give one of " + String.join(", ", BASES) + ".";
    }

    private void checkAuditLogger() {
        if (uses(PLUGINS_KEY, FORESIGHT_PLUGIN) && !uses(AUDIT_LOGGERS, FORESIGHT_AUDIT_LOGGER)) {
            String others = list(AUDIT_LOGGERS).isEmpty() ? "default" : String.join(",", list(AUDIT_LOGGERS));
            warning(
                    AUDIT_LOGGERS,
                    FORESIGHT_PLUGIN + " is named but not " + FORESIGHT_AUDIT_LOGGER
                            + ": clients are not told of changes by WebHDFS, and get no leases.",
                    "give " + others + "," + FORESIGHT_AUDIT_LOGGER + ".");
        }
    }

    private void checkNativeCalls() {
        String unavailable;
        try {
            Object reason = classes.load(NATIVE_CALLS)
                    .getMethod("nativeUnavailableReason")
                    .invoke(null);
            if (reason == null) {
                fine("native calls", "memory can be mapped, locked and given back.");
                return;
            }
            unavailable = reason.toString();
        } catch (InvocationTargetException e) {
            unavailable = String.valueOf(e.getCause());
        } catch (ReflectiveOperationException | LinkageError e) {
            unavailable = e.toString();
        }
        warning(
                "native calls",
                "not to be had (" + unavailable + "): prefetched data is not held in memory, and the kernel may drop it"
                        + " before it is read.",
                "let the DataNode's user execute files in its java.io.tmpdir and home (JNA unpacks its library there).");
    }

    private void checkMemory() {
        long machine = lockLimit.machineBytes();
        long lockable = lockLimit.lockableBytes();
        long hdfs;
        long capacity;
        try {
            String configured = configuration.get(HDFS_LOCKED);
            hdfs = configured == null ? 0 : ByteSize.parse(configured);
            capacity = DataNodeKeys.CACHE_CAPACITY.get(configuration::get);
        } catch (InvalidValueException e) {
            return; // checkKeys reports it
        } catch (IllegalArgumentException e) {
            wrong(HDFS_LOCKED, e.getMessage() + ": the DataNode will not start.", "give a size.");
            return;
        }
        String key = DataNodeKeys.CACHE_CAPACITY.name();
        String raise = "raise the limit of the DataNode's user ('ulimit -l', LimitMEMLOCK in a systemd unit)";
        if (machine == 0) {
            warning("memory", "this machine's memory limits cannot be told from /proc.", "run the check on Linux.");
        } else if (capacity < 0 && lockable - hdfs < machine / 32) {
            warning(
                    "memory",
                    lockLimit.user() + " may lock only " + mib(lockable) + ": " + key
                            + "=auto takes an eighth of the machine's memory and cannot hold it.",
                    raise + ", or run this check as that user.");
        } else if (capacity > machine / 2) {
            warning(
                    key,
                    mib(capacity) + " is more than half of the machine's " + mib(machine) + ".",
                    "give less, so that daemons and the kernel have room.");
        } else if (capacity > 0 && capacity + hdfs > lockable) {
            warning(
                    "memory",
                    lockLimit.user() + " may lock " + mib(lockable) + ", less than " + key + " (" + mib(capacity)
                            + ") and " + HDFS_LOCKED + " (" + mib(hdfs) + ") together: the rest is not held.",
                    raise + " to " + mib(capacity + hdfs) + " or more.");
        } else {
            fine("memory", lockLimit.user() + " may lock " + mib(lockable) + " of " + mib(machine) + ".");
        }
        if (!lockLimit.isOfRunningDaemon()) {
            fine(
                    "memory",
                    "these are the limits of this shell, without a heap. The DataNode's unit or container may have less"
                            + " (MemoryMax, LimitMEMLOCK): --pid looks at a running DataNode.");
        }
    }

    private void checkClient() {
        List<String> providers = foresightProviders();
        boolean observes = uses(OBSERVERS, FORESIGHT_OBSERVER);
        if (observes && providers.isEmpty()) {
            warning(
                    OBSERVERS,
                    FORESIGHT_OBSERVER + " is named but no " + PROVIDER + "* names " + FORESIGHT_PROVIDER
                            + ": no hints are sent.",
                    "add both properties of conf/foresight-client.xml.");
        }
        for (String provider : providers) {
            if (!observes) {
                warning(
                        provider,
                        FORESIGHT_PROVIDER + " is named but " + OBSERVERS + " does not name " + FORESIGHT_OBSERVER
                                + ": the client does not see what is read.",
                        "add both properties of conf/foresight-client.xml.");
            }
            checkCluster(provider);
        }
    }

    /** A provider key ends in the name of its cluster; the operator must rename the shipped key. */
    private void checkCluster(String provider) {
        String cluster = provider.substring(PROVIDER.length());
        Set<String> clusters = new TreeSet<>(list("dfs.nameservices"));
        String defaultFs = configuration.get("fs.defaultFS");
        try {
            String host = defaultFs == null ? null : URI.create(defaultFs).getHost();
            if (host != null) {
                clusters.add(host);
            }
        } catch (IllegalArgumentException e) {
            wrong("fs.defaultFS", "'" + defaultFs + "' is no URI.", "give one like hdfs://mycluster.");
        }
        if (!clusters.contains(cluster)) {
            warning(
                    provider,
                    "no cluster here is called '" + cluster + "'; known are "
                            + (clusters.isEmpty() ? "none" : String.join(", ", clusters)) + ".",
                    "end the key in the nameservice, or in the host as it stands in fs.defaultFS.");
        }
    }

    private List<String> foresightProviders() {
        List<String> keys = new ArrayList<>();
        for (String name : configuration.names()) {
            if (name.startsWith(PROVIDER) && uses(name, FORESIGHT_PROVIDER)) {
                keys.add(name);
            }
        }
        return keys;
    }

    private boolean uses(String key, String className) {
        return list(key).contains(className);
    }

    private List<String> list(String key) {
        String value = configuration.get(key);
        return value == null
                ? ImmutableList.of()
                : Arrays.stream(value.split(",", -1))
                        .map(String::trim)
                        .filter(part -> !part.isEmpty())
                        .collect(Collectors.toList());
    }

    private static String mib(long bytes) {
        return bytes < 1 << 20 ? (bytes >> 10) + " KiB" : (bytes >> 20) + " MiB";
    }

    private void fine(String subject, String message) {
        findings.add(Finding.fine(subject, message));
    }

    private void warning(String subject, String message, String remedy) {
        findings.add(Finding.warning(subject, message, remedy));
    }

    private void wrong(String subject, String message, String remedy) {
        findings.add(Finding.wrong(subject, message, remedy));
    }
}
