/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.BLOCK;
import static io.github.foresight.it.TestCluster.eventually;
import static io.github.foresight.it.TestCluster.read;
import static io.github.foresight.it.TestCluster.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.foresight.cluster.Daemon;
import io.github.foresight.cluster.client.ClientCounters;
import io.github.foresight.protocol.proto.HintProtos.BlockTokenProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import io.github.foresight.protocol.proto.HintProtos.HintResponseProto;
import io.github.foresight.protocol.proto.HintProtos.HintedBlockProto;
import io.github.foresight.protocol.proto.HintProtos.RefusalProto.Reason;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.crypto.key.KeyProviderFactory;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A cluster with HDFS's security features: Kerberos, block tokens, service authorization, private RPC, encrypted data transfer and an encryption
 * zone. Foresight works there, and gives no user more rights than HDFS does.
 */
final class SecureClusterIT {

    private static final String KEY = "zone-key";
    private static final FsPermission OPEN_FOLDER = new FsPermission((short) 0777);
    private static final FsPermission PUBLIC = new FsPermission((short) 0644);
    private static final FsPermission PRIVATE = new FsPermission((short) 0600);
    /** Longer than any test waits. */
    private static final int IDLE_MILLIS = 600_000;

    private static final int READ = 16 << 10;

    private static KerberosRealm realm;
    private static TestCluster cluster;
    private static UserGroupInformation superuser;
    private static UserGroupInformation alice;
    private static UserGroupInformation bob;
    private static UserGroupInformation mallory;
    private static DistributedFileSystem stock;

    @BeforeAll
    static void start() throws Exception {
        TestCluster.Plan plan = TestCluster.plan("secure");
        realm = KerberosRealm.start(plan.work().resolve("kdc"), "alice", "bob", "mallory");
        String keys = "jceks://file" + plan.work().resolve("keys.jceks");
        createKey(keys);
        plan.dataNodes(2)
                .onNameNode(Map.of("foresight.namenode.siblings.enabled", "false"))
                .onDataNodes(Map.of("foresight.datanode.cache.capacity", "64m"))
                .onAll(realm.properties())
                .onAll(Map.of(
                        "hadoop.security.key.provider.path",
                        keys,
                        "hadoop.user.group.static.mapping.overrides",
                        "nn=supergroup;dn=daemons;alice=readers;bob=readers;mallory=others",
                        "security.foresight.hint.protocol.acl",
                        "alice,bob"))
                .processes(processes -> processes.javaOption(realm.javaOption()));
        cluster = plan.start();
        Configuration conf = cluster.clientConf();
        realm.enter(conf);
        superuser = realm.login("nn");
        alice = realm.login("alice");
        bob = realm.login("bob");
        mallory = realm.login("mallory");
        stock = by(superuser, cluster::stockClient);
        stock.setPermission(new Path("/"), OPEN_FOLDER);
    }

    private static void createKey(String keys) throws Exception {
        Configuration conf = new Configuration();
        conf.set("hadoop.security.key.provider.path", keys);
        KeyProvider provider = KeyProviderFactory.getProviders(conf).get(0);
        provider.createKey(KEY, KeyProvider.options(conf));
        provider.flush();
    }

    @AfterAll
    static void stop() throws Exception {
        stock.close();
        cluster.close();
        realm.close();
    }

    private static <T> T by(UserGroupInformation user, PrivilegedExceptionAction<T> action) throws Exception {
        return user.doAs(action);
    }

    private static DistributedFileSystem foresight(UserGroupInformation user) throws Exception {
        return by(user, cluster::foresightClient);
    }

    /** Counts the lines in the DataNodes' logs that admit a user to the hint protocol. */
    private static long admitted(String user) throws Exception {
        long lines = 0;
        for (Daemon node : cluster.processes().dataNodes()) {
            try (var log = Files.lines(node.log())) {
                lines += log.filter(line -> line.contains("Authorization successful for " + user)
                                && line.contains("HintProtocolPB"))
                        .count();
            }
        }
        return lines;
    }

    @Test
    void sequentialRead_isHintedAndPrefetched_andReadsTheSameBytes() throws Exception {
        long written = write(stock, "/sequential", 10, (short) 1);
        cluster.coolDown();
        long hints = cluster.metric("Hints");
        long bytes = cluster.hintedBytesInMemory();
        long used = cluster.metric("UsedBytes");

        try (FileSystem fs = foresight(alice)) {
            assertThat(read(fs, "/sequential")).isEqualTo(written);
        }

        eventually(() -> {
            assertThat(cluster.metric("Hints")).isGreaterThan(hints);
            assertThat(cluster.hintedBytesInMemory() - bytes).isGreaterThan(3L * BLOCK);
            assertThat(cluster.metric("UsedBytes")).as("used").isGreaterThan(used);
        });
        assertThat(admitted("alice")).isPositive();
        assertNoErrors();
    }

    @Test
    void randomReads_haveAWindow_andReadTheSameBytes() throws Exception {
        write(stock, "/random", 4, (short) 2);
        long hits = ClientCounters.value("WindowHits");
        byte[] expected = new byte[READ];
        byte[] buffer = new byte[READ];
        try (FileSystem fs = foresight(alice);
                FSDataInputStream in = fs.open(new Path("/random"));
                FSDataInputStream plain = stock.open(new Path("/random"))) {
            Random random = new Random(2);
            for (int i = 0; i < 400; i++) {
                long offset = i / 100 * (long) BLOCK + 3 * (BLOCK / 8) + random.nextInt(BLOCK / 4);
                in.readFully(offset, buffer);
                plain.readFully(offset, expected);
                assertThat(buffer).as("bytes at %d", offset).isEqualTo(expected);
            }
        }
        assertThat(ClientCounters.value("WindowHits") - hits)
                .as("reads in a window; DataNodes have refused %s", cluster.refusals())
                .isGreaterThan(100);
        assertNoErrors();
    }

    private static void encrypt(Path zone) throws Exception {
        stock.mkdirs(zone);
        by(superuser, () -> {
            new HdfsAdmin(stock.getUri(), stock.getConf())
                    .createEncryptionZone(zone, KEY, EnumSet.noneOf(CreateEncryptionZoneFlag.class));
            return zone;
        });
        stock.setPermission(zone, OPEN_FOLDER);
    }

    @Test
    void fileInAnEncryptionZone_isPrefetched_andReadsTheSameBytes() throws Exception {
        Path zone = new Path("/zone");
        encrypt(zone);
        long written = write(stock, "/zone/file", 10, (short) 1);
        cluster.coolDown();
        long bytes = cluster.hintedBytesInMemory();

        try (FileSystem fs = foresight(alice)) {
            assertThat(read(fs, "/zone/file")).as("first").isEqualTo(written);
            assertThat(read(fs, "/zone/file")).as("again").isEqualTo(written);
        }
        try (FileSystem fs = by(alice, cluster::stockClient)) {
            assertThat(read(fs, "/zone/file")).as("by a stock client").isEqualTo(written);
        }

        eventually(() -> assertThat(cluster.hintedBytesInMemory() - bytes).isGreaterThan(3L * BLOCK));
        assertNoErrors();
    }

    @Test
    void predictedFilesInAnEncryptionZone_areOpenedFromMemory_andReadTheSameBytes() throws Exception {
        Path zone = new Path("/small-zone");
        encrypt(zone);
        List<Path> order = new ArrayList<>();
        Random random = new Random(5);
        for (int i = 0; i < 60; i++) {
            Path file = new Path(zone, Long.toHexString(random.nextLong()) + "x");
            writeOwnPath(file, PUBLIC);
            order.add(file);
        }
        for (int round = 0; round < 2; round++) {
            try (FileSystem fs = foresight(alice)) {
                readOwnPaths(fs, order);
            }
        }
        long hits = ClientCounters.value("MetadataHits");
        try (FileSystem fs = foresight(bob)) {
            readOwnPaths(fs, order);
        }
        assertThat(ClientCounters.value("MetadataHits") - hits).isGreaterThan(order.size() / 3);
        assertNoErrors();
    }

    private static void writeOwnPath(Path file, FsPermission permission) throws Exception {
        try (OutputStream out = stock.create(file)) {
            out.write(file.toUri().getPath().getBytes(StandardCharsets.UTF_8));
        }
        stock.setPermission(file, permission);
        stock.setOwner(file, "alice", "readers");
    }

    private static void readOwnPaths(FileSystem fs, List<Path> files) throws Exception {
        for (Path file : files) {
            try (InputStream in = fs.open(file)) {
                assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                        .isEqualTo(file.toUri().getPath());
            }
        }
    }

    @Test
    void prediction_isReturnedToUsersWhoMayRead_andToNoOther() throws Exception {
        writeOwnPath(new Path("/p/one"), PUBLIC);
        writeOwnPath(new Path("/p/secret"), PRIVATE);
        writeOwnPath(new Path("/p/two"), PUBLIC);
        for (int round = 0; round < 2; round++) {
            try (NameNodeTalk talk = NameNodeTalk.as(alice, cluster)) {
                for (String path : List.of("/p/one", "/p/secret", "/p/two")) {
                    talk.open(path, UnknownFieldSet.getDefaultInstance());
                }
            }
        }

        assertThat(predicted(alice)).contains("/p/secret", "/p/two");
        assertThat(predicted(bob)).contains("/p/two").doesNotContain("/p/secret");
        eventually(
                () -> assertThat(cluster.nameNodeMetric("RefusedByPermission")).isPositive());
        try (FileSystem fs = foresight(bob)) {
            readOwnPaths(fs, List.of(new Path("/p/one"), new Path("/p/two")));
            assertThatThrownBy(() -> fs.open(new Path("/p/secret"))).hasMessageContaining("Permission denied");
        }
    }

    private static List<String> predicted(UserGroupInformation user) throws Exception {
        try (NameNodeTalk talk = NameNodeTalk.as(user, cluster)) {
            return NameNodeTalk.paths(talk.open("/p/one"));
        }
    }

    @Test
    void hint_withABlockToken_isAccepted_andWithoutOneOrWithAForgedOneIsRefused() throws Exception {
        write(stock, "/token", 1, (short) 1);
        LocatedBlock block = TestCluster.blocks(stock, "/token").get(0);
        byte[] password = block.getBlockToken().getPassword().clone();
        byte[] forged = password.clone();
        forged[0]++;

        assertThat(hint(alice, block, record(block).setToken(token(block, password)))
                        .getAccepted())
                .isEqualTo(1);
        for (HintedBlockProto.Builder refused :
                List.of(record(block), record(block).setToken(token(block, forged)))) {
            HintResponseProto response = hint(alice, block, refused);
            assertThat(response.getAccepted()).isZero();
            assertThat(response.getRefusals(0).getReason()).isEqualTo(Reason.BAD_TOKEN);
        }
    }

    @Test
    void hint_byAUserWhomTheServiceAclLeavesOut_isRefusedBeforeItIsLookedAt() throws Exception {
        write(stock, "/acl", 1, (short) 1);
        LocatedBlock block = TestCluster.blocks(stock, "/acl").get(0);

        assertThatThrownBy(() -> hint(mallory, block, record(block)))
                .hasStackTraceContaining("User mallory@EXAMPLE.COM (auth:KERBEROS) is not authorized");
        // Reads use another protocol.
        try (FileSystem fs = foresight(mallory)) {
            write(stock, "/acl-read", 4, (short) 1);
            assertThat(read(fs, "/acl-read")).isEqualTo(read(stock, "/acl-read"));
        }
        assertThat(admitted("mallory")).isZero();
    }

    /** Hadoop's RPC treats each block token as a separate user with a separate connection. */
    @Test
    void connectionsOfHints_endWithTheHints() throws Exception {
        for (int file = 0; file < 3; file++) {
            write(stock, "/connections-" + file, 10, (short) 1);
        }
        try (FileSystem fs = by(
                alice,
                () -> cluster.foresightClientWith("ipc.client.connection.maxidletime", String.valueOf(IDLE_MILLIS)))) {
            for (int file = 0; file < 3; file++) {
                read(fs, "/connections-" + file);
            }
            eventually(() -> assertThat(openConnections()).isLessThanOrEqualTo(6));
        }
    }

    private static long openConnections() throws Exception {
        long connections = 0;
        for (int node = 0; node < 2; node++) {
            connections += cluster.processes()
                    .dataNodes()
                    .get(node)
                    .bean("Hadoop:service=DataNode,name=RpcActivityForPort"
                            + cluster.processes().ipcPort(node))
                    .path("NumOpenConnections")
                    .asLong();
        }
        return connections;
    }

    private static HintedBlockProto.Builder record(LocatedBlock block) {
        return HintedBlockProto.newBuilder()
                .setBlockId(block.getBlock().getBlockId())
                .setGenerationStamp(block.getBlock().getGenerationStamp())
                .setLength(block.getBlockSize());
    }

    private static BlockTokenProto.Builder token(LocatedBlock block, byte[] password) {
        return BlockTokenProto.newBuilder()
                .setIdentifier(ByteString.copyFrom(block.getBlockToken().getIdentifier()))
                .setPassword(ByteString.copyFrom(password))
                .setKind(block.getBlockToken().getKind().toString())
                .setService("");
    }

    /** Sends a hint over a Kerberos connection, not over a connection with a block token. Then only the hint's own check reads the block token. */
    private static HintResponseProto hint(
            UserGroupInformation user, LocatedBlock block, HintedBlockProto.Builder record) throws Exception {
        HintRequestProto request = HintRequestProto.newBuilder()
                .setOpType(OpType.HINT)
                .setClientId(1)
                .setFileId(record.getBlockId())
                .setBlockPoolId(block.getBlock().getBlockPoolId())
                .setBlockNum(1)
                .addBlocks(record)
                .build();
        return by(user, () -> cluster.hintProxy(cluster.nodeOf(block)).hint(null, request));
    }

    private static void assertNoErrors() {
        eventually(() -> {
            assertThat(cluster.metric("InternalErrors")).as("DataNodes'").isZero();
            assertThat(cluster.nameNodeMetric("InternalErrors"))
                    .as("the NameNode's")
                    .isZero();
        });
    }
}
