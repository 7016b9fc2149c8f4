/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.fuzz.Fuzz;
import io.github.foresight.namenode.ForesightPlugin;
import io.github.foresight.namenode.metrics.NameNodeMetrics;
import io.github.foresight.protocol.note.Notes;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.OutcomeProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingRequestProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.server.namenode.InProcessCluster;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RegisteredService;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A NameNode with the plugin takes every note that a client may send with an open, a listing or a status. Everything is switched on, and there is
 * a namespace to predict from. HDFS's answer is whole, and what comes beside it is bounded.
 */
class TranslatorFuzzTest {

    private static final int FILES = 40;
    private static final int GROUP = 16;
    private static final int BUNDLE = 20;

    /** A group's or a bundle's layouts, and HDFS's own answer. */
    private static final int ALLOCATED_MAX = 1 << 20;

    private static final int ALLOCATED_MAX_PER_BYTE = 256;

    private static InProcessCluster cluster;
    private static BlockingService service;

    @BeforeAll
    static void start() throws Exception {
        cluster = InProcessCluster.start(Map.of(
                "dfs.namenode.plugins", ForesightPlugin.class.getName(),
                "foresight.namenode.graph.capacity", "4m",
                "foresight.namenode.group.size", String.valueOf(GROUP),
                "foresight.namenode.bundle.files.max", String.valueOf(BUNDLE)));
        cluster.mkdirs("/d", "755");
        for (int i = 0; i < FILES; i++) {
            cluster.write(path(i), "644");
        }
        RPC.Server server = ((NameNodeRpcServer) cluster.nameNode().getRpcServer()).getClientRpcServer();
        service = RegisteredService.of(server, ClientNamenodeProtocolPB.class);
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    private static String path(int index) {
        return String.format("/d/part-%05d", index);
    }

    private static ClientNoteProto.Builder note(long cache) {
        return ClientNoteProto.newBuilder()
                .setCacheId(cache)
                .setFilesWanted(64)
                .setStatusWanted(true)
                .setMaxAgeMillis(10_000)
                .addHits(1)
                .addOutcomes(OutcomeProto.newBuilder()
                        .setConfidenceClass(3)
                        .setUsed(3)
                        .setWasted(4));
    }

    private static byte[] bytes(ClientNoteProto.Builder note) {
        return Notes.fieldsWith(note)
                .getField(Notes.FIELD)
                .getLengthDelimitedList()
                .get(0)
                .toByteArray();
    }

    private static UnknownFieldSet besides(byte[] note) {
        return UnknownFieldSet.newBuilder()
                .addField(
                        Notes.FIELD,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(ByteString.copyFrom(note))
                                .build())
                .build();
    }

    private static Message call(String method, Message request) throws Exception {
        return service.callBlockingMethod(service.getDescriptorForType().findMethodByName(method), null, request);
    }

    private static long metric(String name) {
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        DefaultMetricsSystem.instance().getSource(NameNodeMetrics.NAME).getMetrics(collector, true);
        List<Long> values = new ArrayList<>();
        for (MetricsRecord record : collector.getRecords()) {
            for (AbstractMetric metric : record.metrics()) {
                if (metric.name().equals(name)) {
                    values.add(metric.value().longValue());
                }
            }
        }
        assertThat(values).as(name).hasSize(1);
        return values.get(0);
    }

    @Test
    void openWithADamagedNote_isAnswered_withABoundedGroup() {
        long granted = metric("Returned");
        int[] opens = {0};
        Fuzz.of("translator-open", TranslatorFuzzTest.class)
                .sample(bytes(note(4711)))
                .sample(bytes(note(1).clearStatusWanted()))
                .sample(bytes(ClientNoteProto.newBuilder()))
                .allocatingAtMost(ALLOCATED_MAX, ALLOCATED_MAX_PER_BYTE)
                .into(message -> {
                    GetBlockLocationsRequestProto request = GetBlockLocationsRequestProto.newBuilder()
                            .setSrc(path(opens[0]++ % FILES))
                            .setOffset(0)
                            .setLength(1L << 30)
                            .setUnknownFields(besides(message))
                            .build();
                    check(call("getBlockLocations", request), GROUP);
                });
        assertThat(metric("Returned") - granted).as("files granted").isPositive();
        assertThat(metric("InternalErrors")).as("internal errors").isZero();
    }

    @Test
    void listingWithADamagedNote_isAnswered_withABoundedBundle() {
        long bundled = metric("Bundled");
        Fuzz.of("translator-listing", TranslatorFuzzTest.class)
                .sample(bytes(note(4712)))
                .sample(bytes(ClientNoteProto.newBuilder()))
                .allocatingAtMost(ALLOCATED_MAX, ALLOCATED_MAX_PER_BYTE)
                .into(message -> {
                    GetListingRequestProto request = GetListingRequestProto.newBuilder()
                            .setSrc("/d")
                            .setStartAfter(ByteString.EMPTY)
                            .setNeedLocation(false)
                            .setUnknownFields(besides(message))
                            .build();
                    check(call("getListing", request), BUNDLE);
                });
        assertThat(metric("Bundled") - bundled).as("files bundled").isPositive();
        assertThat(metric("InternalErrors")).as("internal errors").isZero();
    }

    @Test
    void statusWithADamagedNote_isAnswered_withOneLayoutAndABoundedGroup() {
        long stated = metric("Stated");
        int[] statuses = {0};
        Fuzz.of("translator-status", TranslatorFuzzTest.class)
                .sample(bytes(note(4713)))
                .sample(bytes(note(4714).addStatedHits(1)))
                .sample(bytes(ClientNoteProto.newBuilder()))
                .allocatingAtMost(ALLOCATED_MAX, ALLOCATED_MAX_PER_BYTE)
                .into(message -> {
                    GetFileInfoRequestProto request = GetFileInfoRequestProto.newBuilder()
                            .setSrc(path(statuses[0]++ % FILES))
                            .setUnknownFields(besides(message))
                            .build();
                    check(call("getFileInfo", request), GROUP);
                });
        assertThat(metric("Stated") - stated).as("layouts with statuses").isPositive();
        assertThat(metric("InternalErrors")).as("internal errors").isZero();
    }

    private static void check(Message response, int filesMax) {
        assertThat(response.isInitialized()).isTrue();
        assertThat(response.getAllFields()).as("HDFS's own answer").isNotEmpty();
        NameNodeNoteProto note = Notes.nameNodeNote(response);
        if (note != null) {
            assertThat(note.getFilesCount()).as("files in a note").isLessThanOrEqualTo(filesMax);
        }
    }
}
