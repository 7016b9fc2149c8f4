/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.protocol.note.Notes;
import io.github.foresight.protocol.proto.HintProtos.BlockTokenProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import io.github.foresight.protocol.proto.HintProtos.HintResponseProto;
import io.github.foresight.protocol.proto.HintProtos.HintedBlockProto;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.OutcomeProto;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.apache.hadoop.util.ToolRunner;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The access rights of predictions. No user gets a predicted file without the right to read the file. A prediction changes nothing in the namespace,
 * and no log shows a prediction as a read.
 */
final class PredictionRightsIT {

    private static final long ACCESS_TIME_PRECISION_MILLIS = 1;
    private static final FsPermission PRIVATE = new FsPermission((short) 0600);
    private static final FsPermission PUBLIC = new FsPermission((short) 0644);
    private static final FsPermission OPEN_FOLDER = new FsPermission((short) 0777);
    private static final String UNREADABLE = "security.hdfs.unreadable.by.superuser";

    /** The log shows loggers' whole names, because the names of HDFS's and Foresight's audit loggers have the same end. */
    private static final String LOG4J = """
            log4j.rootLogger=INFO,console
            log4j.appender.console=org.apache.log4j.ConsoleAppender
            log4j.appender.console.target=System.err
            log4j.appender.console.layout=org.apache.log4j.PatternLayout
            log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p %c: %m%n
            """;

    private static TestCluster cluster;
    private static DistributedFileSystem root;
    private static UserGroupInformation alice;
    private static UserGroupInformation bob;

    @BeforeAll
    static void start() throws Exception {
        TestCluster.Plan plan = TestCluster.plan("prediction-rights");
        java.nio.file.Path log4j = Files.writeString(plan.work().resolve("log4j.properties"), LOG4J);
        cluster = plan.processes(processes -> processes.javaOption("-Dlog4j.configuration=" + log4j.toUri()))
                .dataNodes(2)
                .onNameNode(Map.of(
                        "foresight.namenode.siblings.enabled",
                        "false",
                        "dfs.namenode.accesstime.precision",
                        String.valueOf(ACCESS_TIME_PRECISION_MILLIS)))
                .onAll(Map.of(
                        "dfs.replication",
                        "1",
                        "dfs.block.access.token.enable",
                        "true",
                        "hadoop.caller.context.enabled",
                        "true",
                        // The tests count the first open, too.
                        "foresight.client.metadata.after",
                        "0"))
                .start();
        root = cluster.stockClient();
        root.setPermission(new Path("/"), OPEN_FOLDER);
        alice = UserGroupInformation.createUserForTesting("alice", new String[] {"a"});
        bob = UserGroupInformation.createUserForTesting("bob", new String[] {"b"});
    }

    @AfterAll
    static void stop() throws Exception {
        root.close();
        cluster.close();
    }

    private static void write(String path, UserGroupInformation owner, FsPermission permission) throws Exception {
        Path file = new Path(path);
        root.mkdirs(file.getParent(), OPEN_FOLDER);
        root.setPermission(file.getParent(), OPEN_FOLDER);
        try (FSDataOutputStream out = root.create(file)) {
            out.write(path.getBytes(StandardCharsets.UTF_8));
        }
        root.setOwner(file, owner.getShortUserName(), "g");
        root.setPermission(file, permission);
    }

    /** Opens files in an order as a user, twice, so that the NameNode learns the order. */
    private static void learn(UserGroupInformation user, String... order) throws Exception {
        for (int round = 0; round < 2; round++) {
            try (NameNodeTalk talk = NameNodeTalk.as(user, cluster)) {
                for (String path : order) {
                    talk.open(path, UnknownFieldSet.getDefaultInstance());
                }
            }
        }
    }

    private static NameNodeNoteProto opened(UserGroupInformation user, String path) throws Exception {
        try (NameNodeTalk talk = NameNodeTalk.as(user, cluster)) {
            return talk.open(path);
        }
    }

    /** Returns the predicted files of one folder. The note may also have predicted files from other tests' opens. */
    private static List<String> paths(String folder, NameNodeNoteProto note) {
        return NameNodeTalk.paths(note).stream()
                .filter(path -> path.startsWith(folder + "/"))
                .collect(Collectors.toList());
    }

    @Test
    void fileThatOnlyAnotherMayRead_isNotToldOf() throws Exception {
        write("/r/one", alice, PUBLIC);
        write("/r/secret", alice, PRIVATE);
        write("/r/two", alice, PUBLIC);
        learn(alice, "/r/one", "/r/secret", "/r/two");

        assertThat(paths("/r", opened(alice, "/r/one"))).contains("/r/secret", "/r/two");
        assertThat(paths("/r", opened(bob, "/r/one"))).containsExactly("/r/two");
        assertThat(opened(bob, "/r/one").toString()).doesNotContain("secret");
        eventually(
                () -> assertThat(cluster.nameNodeMetric("RefusedByPermission")).isPositive());
    }

    @Test
    void fileBelowAClosedFolder_isNotToldOf() throws Exception {
        write("/f/one", alice, PUBLIC);
        write("/f/closed/two", alice, PUBLIC);
        root.setOwner(new Path("/f/closed"), "alice", "g");
        learn(alice, "/f/one", "/f/closed/two");
        root.setPermission(new Path("/f/closed"), new FsPermission((short) 0700));

        assertThat(paths("/f", opened(alice, "/f/one"))).containsExactly("/f/closed/two");
        assertThat(paths("/f", opened(bob, "/f/one"))).isEmpty();
    }

    @Test
    void fileInAFolderThatTheCallerMayNotList_isReturnedOnlyToThoseThatHaveOpenedIt() throws Exception {
        write("/n/one", alice, PUBLIC);
        write("/n/traversed/two", alice, PUBLIC);
        root.setOwner(new Path("/n/traversed"), "alice", "g");
        learn(alice, "/n/one", "/n/traversed/two");
        root.setPermission(new Path("/n/traversed"), new FsPermission((short) 0711));

        assertThat(paths("/n", opened(alice, "/n/one"))).containsExactly("/n/traversed/two");
        assertThat(opened(bob, "/n/one").toString()).doesNotContain("traversed");
        opened(bob, "/n/traversed/two");
        assertThat(paths("/n", opened(bob, "/n/one"))).containsExactly("/n/traversed/two");
    }

    @Test
    void fileInAFolderWithAnAcl_isReturnedToThoseThatMayListIt() throws Exception {
        write("/a/one", alice, PUBLIC);
        write("/a/listed/two", alice, PUBLIC);
        root.setOwner(new Path("/a/listed"), "alice", "g");
        learn(alice, "/a/one", "/a/listed/two");
        root.setPermission(new Path("/a/listed"), new FsPermission((short) 0711));

        assertThat(paths("/a", opened(bob, "/a/one"))).isEmpty();
        root.modifyAclEntries(new Path("/a/listed"), AclEntry.parseAclSpec("user:bob:r-x", true));
        assertThat(paths("/a", opened(bob, "/a/one"))).containsExactly("/a/listed/two");
    }

    @Test
    void superuser_isNotToldOfWhatSuperusersMayNotRead() throws Exception {
        write("/x/one", alice, PUBLIC);
        write("/x/two", alice, PUBLIC);
        learn(alice, "/x/one", "/x/two");
        UserGroupInformation superuser = UserGroupInformation.getCurrentUser();
        assertThat(paths("/x", opened(superuser, "/x/one"))).containsExactly("/x/two");
        root.setXAttr(new Path("/x/two"), UNREADABLE, null);
        assertThat(paths("/x", opened(superuser, "/x/one"))).isEmpty();
    }

    @Test
    void grantedBlock_comesWithATokenForItAndNoOther() throws Exception {
        write("/t/one", bob, PUBLIC);
        write("/t/two", bob, PUBLIC);
        write("/t/secret", alice, PRIVATE);
        learn(bob, "/t/one", "/t/two");
        learn(alice, "/t/secret");

        LocatedBlockProto granted = onlyBlock(opened(bob, "/t/one").getFiles(0).getLocations());
        LocatedBlockProto secret;
        try (NameNodeTalk talk = NameNodeTalk.as(alice, cluster)) {
            secret = talk.open("/t/secret", UnknownFieldSet.getDefaultInstance())
                    .getLocations()
                    .getBlocks(0);
        }
        assertThat(hint(granted, granted).getAccepted()).isEqualTo(1);
        assertThat(hint(secret, secret).getAccepted()).isEqualTo(1);
        assertThat(hint(secret, granted).getAccepted()).isZero();
    }

    @Test
    void grantedFile_isReadByItsUserWithoutAnotherOpen() throws Exception {
        write("/u/one", bob, PUBLIC);
        write("/u/two", bob, PRIVATE);
        learn(bob, "/u/one", "/u/two");
        long before = cluster.opensAtNameNode();
        String content = bob.doAs((PrivilegedExceptionAction<String>) () -> {
            try (DistributedFileSystem fs = cluster.foresightClient()) {
                fs.open(new Path("/u/one")).close();
                try (var in = fs.open(new Path("/u/two"))) {
                    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
                }
            }
        });
        assertThat(content).isEqualTo("/u/two");
        assertThat(cluster.opensAtNameNode() - before).isEqualTo(1);
    }

    private static LocatedBlockProto onlyBlock(ByteString locations) throws Exception {
        return LocatedBlocksProto.parseFrom(locations).getBlocks(0);
    }

    /** Sends a hint for a block with a token to a DataNode that holds the block. The DataNode checks the token as for a read. */
    private static HintResponseProto hint(LocatedBlockProto block, LocatedBlockProto tokenOf) throws Exception {
        HintedBlockProto record = HintedBlockProto.newBuilder()
                .setBlockId(block.getB().getBlockId())
                .setGenerationStamp(block.getB().getGenerationStamp())
                .setLength(block.getB().getNumBytes())
                .setToken(BlockTokenProto.newBuilder()
                        .setIdentifier(tokenOf.getBlockToken().getIdentifier())
                        .setPassword(tokenOf.getBlockToken().getPassword())
                        .setKind(tokenOf.getBlockToken().getKind())
                        .setService(tokenOf.getBlockToken().getService()))
                .build();
        int port = block.getLocs(0).getId().getXferPort();
        int node = cluster.processes().dataPort(0) == port ? 0 : 1;
        return cluster.hintProxy(node)
                .hint(
                        null,
                        HintRequestProto.newBuilder()
                                .setOpType(OpType.HINT)
                                .setClientId(block.getB().getBlockId())
                                .setFileId(tokenOf.getB().getBlockId())
                                .setBlockPoolId(block.getB().getPoolId())
                                .setBlockNum(1)
                                .addBlocks(record)
                                .build());
    }

    @Test
    void prediction_setsNoAccessTimeAndIsLoggedInItsOwnLogOnly() throws Exception {
        write("/l/one", bob, PUBLIC);
        write("/l/two", bob, PUBLIC);
        learn(bob, "/l/one", "/l/two");
        long accessed = root.getFileStatus(new Path("/l/two")).getAccessTime();
        eventually(() -> assertThat(System.currentTimeMillis())
                .as("the clock, so that an access now would show")
                .isGreaterThan(accessed + ACCESS_TIME_PRECISION_MILLIS));
        assertThat(paths("/l", opened(bob, "/l/one"))).containsExactly("/l/two");
        assertThat(root.getFileStatus(new Path("/l/two")).getAccessTime()).isEqualTo(accessed);

        eventually(() -> assertThat(nameNodeLog())
                .anyMatch(line -> line.contains("ugi=bob")
                        && line.contains("cmd=prefetch")
                        && line.contains("src=/l/one")
                        && line.contains("dst=/l/two")));
        long opens = nameNodeLog().stream()
                .filter(line -> line.contains("cmd=open") && line.contains("src=/l/two"))
                .count();
        assertThat(opens).as("the two of learning").isEqualTo(2);
    }

    @Test
    void servedOpen_isInTheAuditLogAsAnOpenOfItsUser_andSetsTheAccessTime() throws Exception {
        write("/v/one", bob, PUBLIC);
        write("/v/two", bob, PRIVATE);
        write("/v/three", bob, PUBLIC);
        learn(bob, "/v/one", "/v/two");
        long accessed = root.getFileStatus(new Path("/v/two")).getAccessTime();
        eventually(() -> assertThat(System.currentTimeMillis())
                .as("the clock, so that an access now would show")
                .isGreaterThan(accessed + ACCESS_TIME_PRECISION_MILLIS));
        long before = cluster.opensAtNameNode();
        bob.doAs((PrivilegedExceptionAction<Void>) () -> {
            CallerContext.setCurrent(new CallerContext.Builder("job_7").build());
            try (DistributedFileSystem fs = cluster.foresightClient()) {
                for (String path : List.of("/v/one", "/v/two", "/v/three")) {
                    fs.open(new Path(path)).close();
                }
            } finally {
                CallerContext.setCurrent(null);
            }
            return null;
        });
        assertThat(cluster.opensAtNameNode() - before)
                .as("opens of the first and the third file")
                .isEqualTo(2);

        eventually(() -> assertThat(served("/v/two"))
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains(
                        "allowed=true\tugi=bob (auth:SIMPLE)\tip=/127.0.0.1\tcmd=open\tsrc=/v/two\tdst=null\tperm=null\tproto=rpc")
                .endsWith("\tcallerContext=job_7"));
        assertThat(served("/v/one")).as("in HDFS's own log").isEmpty();
        eventually(() -> assertThat(root.getFileStatus(new Path("/v/two")).getAccessTime())
                .isGreaterThan(accessed + ACCESS_TIME_PRECISION_MILLIS));
        eventually(() -> assertThat(cluster.nameNodeMetric("AccessTimes")).isPositive());
    }

    /** Returns the lines about opens of a file in Foresight's audit log. */
    private static List<String> served(String path) throws Exception {
        return nameNodeLog().stream()
                .filter(line -> line.contains(" foresight.audit: ")
                        && line.contains("\tcmd=open\t")
                        && line.contains("\tsrc=" + path + "\t"))
                .collect(Collectors.toList());
    }

    private static List<String> nameNodeLog() throws Exception {
        return Files.readAllLines(cluster.processes().nameNode().log());
    }

    @Test
    void fileBeingWritten_isNotToldOf() throws Exception {
        write("/w/one", bob, PUBLIC);
        write("/w/two", bob, PUBLIC);
        learn(bob, "/w/one", "/w/two");
        try (FSDataOutputStream out = root.append(new Path("/w/two"))) {
            out.write(1);
            out.hflush();
            assertThat(paths("/w", opened(bob, "/w/one"))).isEmpty();
        }
        assertThat(paths("/w", opened(bob, "/w/one"))).containsExactly("/w/two");
    }

    @Test
    void safeMode_nothingIsToldOf() throws Exception {
        write("/s/one", bob, PUBLIC);
        write("/s/two", bob, PUBLIC);
        learn(bob, "/s/one", "/s/two");
        root.setSafeMode(SafeModeAction.ENTER);
        try {
            assertThat(paths("/s", opened(bob, "/s/one"))).isEmpty();
        } finally {
            root.setSafeMode(SafeModeAction.LEAVE);
        }
        assertThat(paths("/s", opened(bob, "/s/one"))).containsExactly("/s/two");
    }

    @Test
    void listing_tellsOfTheFilesThatTheCallerMayRead() throws Exception {
        write("/d/mine", bob, PRIVATE);
        write("/d/public", alice, PUBLIC);
        write("/d/secret", alice, PRIVATE);
        try (NameNodeTalk talk = NameNodeTalk.as(bob, cluster)) {
            assertThat(paths("/d", talk.list("/d"))).containsExactly("/d/mine", "/d/public");
        }
    }

    @Test
    void changes_areToldToThoseThatWereToldOfTheFile() throws Exception {
        write("/i/one", bob, PUBLIC);
        write("/i/two", bob, PUBLIC);
        write("/i/three", bob, PUBLIC);
        learn(bob, "/i/one", "/i/two");
        try (NameNodeTalk ofBob = NameNodeTalk.as(bob, cluster);
                NameNodeTalk ofAlice = NameNodeTalk.as(alice, cluster)) {
            assertThat(paths("/i", ofBob.open("/i/one"))).containsExactly("/i/two");
            // Alice might get these files as predicted files after other tests' opens. Therefore she requests no
            // predicted files.
            ofAlice.open("/i/three", NameNodeTalk.greeting().setFilesWanted(0));
            root.rename(new Path("/i/two"), new Path("/i/zwei"));
            assertThat(ofAlice.open("/i/three", NameNodeTalk.greeting().setFilesWanted(0))
                            .getInvalidatedList())
                    .isEmpty();
            assertThat(ofBob.open("/i/three").getInvalidatedList()).containsExactly("/i/two");
            root.setPermission(new Path("/i"), OPEN_FOLDER);
            assertThat(ofBob.open("/i/three").getInvalidatedList()).containsExactlyInAnyOrder("/i/one", "/i/three");
        }
    }

    @Test
    void garbageInTheNote_isPassedOverAndTheFileOpened() throws Exception {
        write("/g/one", bob, PUBLIC);
        try (NameNodeTalk talk = NameNodeTalk.as(bob, cluster)) {
            UnknownFieldSet garbage = UnknownFieldSet.newBuilder()
                    .addField(
                            Notes.FIELD,
                            UnknownFieldSet.Field.newBuilder()
                                    .addLengthDelimited(ByteString.copyFromUtf8("garbage"))
                                    .addVarint(7)
                                    .build())
                    .build();
            assertThat(talk.open("/g/one", garbage).getLocations().getBlocksCount())
                    .isEqualTo(1);
            NameNodeNoteProto note = talk.open(
                    "/g/one",
                    NameNodeTalk.greeting()
                            .addHits(-1)
                            .addHits(Long.MIN_VALUE)
                            .addHits(0)
                            .setFilesWanted(-5)
                            .setMaxAgeMillis(-1)
                            .addOutcomes(OutcomeProto.newBuilder()
                                    .setConfidenceClass(-3)
                                    .setUsed(-1)
                                    .setWasted(Integer.MAX_VALUE))
                            .addOutcomes(OutcomeProto.newBuilder()
                                    .setConfidenceClass(3)
                                    .setUsed(-1)
                                    .setWasted(-1)));
            assertThat(note).isNotNull();
        }
        eventually(() -> assertThat(cluster.nameNodeMetric("InternalErrors")).isZero());
    }

    private static String admin(UserGroupInformation user, int expected, String... command) throws Exception {
        String[] args = new String[command.length + 3];
        args[0] = "-refresh";
        args[1] = cluster.processes().uri().substring("hdfs://".length());
        args[2] = "foresight";
        System.arraycopy(command, 0, args, 3, command.length);
        PrintStream out = System.out;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            int code = user.doAs((PrivilegedExceptionAction<Integer>)
                    () -> ToolRunner.run(new DFSAdmin(cluster.clientConf()), args));
            assertThat(code).as(said.toString(StandardCharsets.UTF_8)).isEqualTo(expected);
        } finally {
            System.setOut(out);
        }
        return said.toString(StandardCharsets.UTF_8);
    }

    @Test
    void adminCommands_areForSuperusersAndSayWhatTheyAccept() throws Exception {
        UserGroupInformation superuser = UserGroupInformation.getCurrentUser();
        assertThat(admin(superuser, 0, "status")).contains("learn: on", "foresight.namenode.group.size = 16");
        assertThat(admin(bob, 1, "disable", "learn")).contains("superusers");
        assertThat(admin(superuser, 0, "status")).contains("learn: on");
        assertThat(admin(superuser, 1, "enable", "lern")).contains("'lern'", "learn");
        assertThat(admin(superuser, 1, "dance")).contains("'dance'", "status");
        assertThat(admin(superuser, 1, "set", "foresight.namenode.group.size", "many"))
                .contains("foresight.namenode.group.size", "'many'");
        assertThat(admin(superuser, 1, "set", "foresight.namenode.window", "3")).contains("foresight.namenode.window");
        assertThat(admin(superuser, 0, "set", "foresight.namenode.group.size", "8"))
                .contains("is 8");
        assertThat(admin(superuser, 0, "status")).contains("foresight.namenode.group.size = 8");
        assertThat(admin(superuser, 0, "set", "foresight.namenode.group.size", "16"))
                .contains("is 16");
    }

    @Test
    void features_switchedOffAndOn_stopAndGoOn() throws Exception {
        UserGroupInformation superuser = UserGroupInformation.getCurrentUser();
        write("/o/one", bob, PUBLIC);
        write("/o/two", bob, PUBLIC);
        learn(bob, "/o/one", "/o/two");
        admin(superuser, 0, "disable", "prefetch");
        assertThat(paths("/o", opened(bob, "/o/one"))).isEmpty();
        admin(superuser, 0, "enable", "prefetch");
        assertThat(paths("/o", opened(bob, "/o/one"))).containsExactly("/o/two");
    }
}
