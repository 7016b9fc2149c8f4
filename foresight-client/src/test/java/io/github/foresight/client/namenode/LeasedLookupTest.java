/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.client.lease.ClockedHubs;
import io.github.foresight.client.lease.LeaseMember;
import io.github.foresight.client.lease.MarkedRequest;
import io.github.foresight.client.metadata.CachedFileTest;
import io.github.foresight.client.metadata.CachedOpen;
import io.github.foresight.client.metadata.MetadataCache;
import io.github.foresight.client.metadata.ReplyLayouts;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.protocol.proto.NoteProtos.LeaseReplyProto;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.PredictedFileProto;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.FsPermissionProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.HdfsFileStatusProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * One open from the cache, step by step: it finds the layout, asks for the lease, and finds the layout again. The hub reads the clock in
 * the second step, so a test's action there happens between the two lookups.
 */
final class LeasedLookupTest {

    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration AGE = Duration.ofMinutes(10);

    private final Thread tester = Thread.currentThread();
    private final AtomicLong nanos = new AtomicLong();
    private Runnable betweenLookups;
    private final ClockedHubs hubs = new ClockedHubs(this::read);
    private final MetadataCache cache = cache();
    private final LeaseMember member = hubs.join(cache);

    private static MetadataCache cache() {
        Configuration conf = new Configuration(false);
        conf.set("foresight.client.lease", "5m");
        conf.set("foresight.client.metadata.age", "10m");
        return new MetadataCache(ClientSettings.read(conf), () -> 0, () -> true);
    }

    /** The thread that parks calls reads the clock too. */
    private long read() {
        Runnable action = Thread.currentThread() == tester ? betweenLookups : null;
        if (action != null) {
            betweenLookups = null;
            action.run();
        }
        return nanos.get();
    }

    @AfterEach
    void close() {
        member.close(() -> {});
    }

    private static LocatedBlocksProto layout(long blockId) {
        return LocatedBlocksProto.newBuilder()
                .setFileLength(1)
                .setUnderConstruction(false)
                .setIsLastBlockComplete(true)
                .addBlocks(CachedFileTest.block(blockId, 0))
                .build();
    }

    private static LeaseReplyProto.Builder reply() {
        return LeaseReplyProto.newBuilder()
                .setEpoch(7)
                .setIncarnation(1)
                .setRenewed(true)
                .setLeaseMillis((int) LEASE.toMillis())
                .setLayoutMillis((int) AGE.toMillis());
    }

    private static LeaseReplyProto recall(String path) {
        return reply().setRenewed(false).addRecalls(path).build();
    }

    private static NameNodeNoteProto predicting(String path, long blockId) {
        return NameNodeNoteProto.newBuilder()
                .addFiles(PredictedFileProto.newBuilder()
                        .setPath(path)
                        .setConfidenceClass(20)
                        .setStatus(HdfsFileStatusProto.newBuilder()
                                .setFileType(HdfsFileStatusProto.FileType.IS_FILE)
                                .setPath(ByteString.EMPTY)
                                .setLength(1)
                                .setPermission(FsPermissionProto.newBuilder().setPerm(0644))
                                .setOwner("user")
                                .setGroup("group")
                                .setModificationTime(blockId)
                                .setAccessTime(0)
                                .build()
                                .toByteString())
                        .setLocations(layout(blockId).toByteString()))
                .build();
    }

    private void keep(MarkedRequest request, ReplyLayouts layouts, LeaseReplyProto reply) {
        member.receive(request, reply, (mayKeep, grant) -> cache.keep(layouts, mayKeep, grant));
    }

    /** The file is opened at the NameNode under a lease from now on. */
    private void open(String path, long blockId) {
        MarkedRequest request = member.sending();
        keep(request, cache.layouts(path, layout(blockId), NameNodeNoteProto.getDefaultInstance()), reply().build());
    }

    private void predict(String path, long blockId) {
        MarkedRequest request = member.sending();
        keep(request, cache.layouts(null, null, predicting(path, blockId)), reply().build());
    }

    private boolean isServed(String path) {
        return cache.layoutToOpen(path) != null;
    }

    @Test
    void layout_thatNothingHappensTo_isServed() {
        open("/f", 1);
        betweenLookups = () -> {};
        assertThat(isServed("/f")).isTrue();
        assertThat(betweenLookups).as("the lease was asked for").isNull();
    }

    @Test
    void recall_betweenTheLookups_servesNothing() {
        open("/f", 1);
        MarkedRequest parked = member.sending();
        betweenLookups = () -> member.receive(parked, recall("/f"));
        assertThat(isServed("/f")).isFalse();
        assertThat(member.sending().mark().getRecall()).as("acknowledged").isEqualTo(1);
        assertThat(hubs.expired()).as("the lease has not run out").isZero();
    }

    @Test
    void recallOfAnotherFile_betweenTheLookups_changesNothing() {
        open("/f", 1);
        MarkedRequest parked = member.sending();
        betweenLookups = () -> member.receive(parked, recall("/g"));
        assertThat(isServed("/f")).isTrue();
    }

    @Test
    void recallAndANewLayout_betweenTheLookups_doNotServeTheOldOne() {
        open("/f", 1);
        MarkedRequest parked = member.sending();
        MarkedRequest next = member.sending();
        ReplyLayouts layouts = cache.layouts("/f", layout(2), NameNodeNoteProto.getDefaultInstance());
        betweenLookups = () -> {
            member.receive(parked, recall("/f"));
            keep(next, layouts, reply().setRecallsAfter(1).setGrantedAt(1).build());
        };
        CachedOpen served = cache.layoutToOpen("/f");
        assertThat(served).isNull();
        assertThat(Objects.requireNonNull(cache.layoutToOpen("/f")).layout()).isEqualTo(layout(2));
    }

    @Test
    void ownChange_betweenTheLookups_servesNothing() {
        open("/d/f", 1);
        betweenLookups = () -> member.changing(List.of("/d"));
        assertThat(isServed("/d/f")).isFalse();
    }

    @Test
    void lease_thatRunsOutAfterTheFirstLookup_servesNothing() {
        open("/f", 1);
        betweenLookups = () -> nanos.addAndGet(LEASE.toNanos());
        assertThat(isServed("/f")).isFalse();
        assertThat(hubs.expired()).isEqualTo(1);
    }

    @Test
    void lease_withANanosecondLeft_serves_andCountsFromTheRequest() {
        MarkedRequest request = member.sending();
        ReplyLayouts layouts = cache.layouts("/f", layout(1), NameNodeNoteProto.getDefaultInstance());
        nanos.addAndGet(LEASE.toNanos() / 2);
        keep(request, layouts, reply().build());
        betweenLookups = () -> nanos.set(LEASE.toNanos() - 1);
        assertThat(isServed("/f")).isTrue();
        betweenLookups = () -> nanos.set(LEASE.toNanos());
        assertThat(isServed("/f")).isFalse();
    }

    @Test
    void status_isServedAsALayoutIs() {
        predict("/f", 3);
        assertThat(Objects.requireNonNull(cache.status("/f")).getModificationTime())
                .isEqualTo(3);
        betweenLookups = () -> nanos.addAndGet(LEASE.toNanos());
        assertThat(cache.status("/f")).as("out of lease").isNull();
        assertThat(hubs.expired()).isEqualTo(1);
    }

    @Test
    void status_recalledBetweenTheLookups_isNotServed() {
        predict("/f", 3);
        MarkedRequest parked = member.sending();
        betweenLookups = () -> member.receive(parked, recall("/f"));
        assertThat(cache.status("/f")).isNull();
    }

    @Test
    void recall_whileAReplyIsRead_keepsNothingOfItThatIsRecalled() {
        open("/first", 1);
        MarkedRequest opening = member.sending();
        MarkedRequest parked = member.sending();
        ReplyLayouts layouts = cache.layouts("/d/f", layout(2), predicting("/d/next", 3));
        ReplyLayouts others = cache.layouts("/e", layout(4), predicting("/d/late", 5));
        member.receive(parked, recall("/d"));
        keep(opening, layouts, reply().build());
        keep(opening, others, reply().build());

        assertThat(cache.has("/d/f")).isFalse();
        assertThat(cache.has("/d/next")).isFalse();
        assertThat(cache.has("/d/late")).isFalse();
        assertThat(isServed("/e")).as("granted before, and not recalled").isTrue();
        assertThat(isServed("/first")).isTrue();
    }

    @Test
    void ownChange_whileAReplyIsRead_keepsNothingOfItThatChanges() {
        open("/first", 1);
        MarkedRequest opening = member.sending();
        ReplyLayouts layouts = cache.layouts("/d/f", layout(2), predicting("/e", 3));
        member.changing(List.of("/d"));
        keep(opening, layouts, reply().build());

        assertThat(cache.has("/d/f")).isFalse();
        assertThat(isServed("/e")).isTrue();
    }
}
