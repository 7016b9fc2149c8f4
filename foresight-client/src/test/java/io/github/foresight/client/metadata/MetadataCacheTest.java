/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.core.graph.Usefulness;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.OutcomeProto;
import io.github.foresight.protocol.proto.NoteProtos.PredictedFileProto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.Test;

class MetadataCacheTest {

    private static final int CLASS = 20;

    private final AtomicLong nanos = new AtomicLong();
    private boolean isWaiting = true;
    private MetadataCache cache = cache("16m");
    private final List<Long> warmed = new ArrayList<>();

    private MetadataCache cache(String capacity) {
        return cache(capacity, new ProcessBytes(nanos::get), "128m");
    }

    private MetadataCache cache(String capacity, ProcessBytes process, String processCapacity) {
        Configuration conf = new Configuration(false);
        conf.set("foresight.client.consistency", "bounded");
        conf.set("foresight.client.metadata.capacity", capacity);
        conf.set("foresight.client.metadata.process.capacity", processCapacity);
        return new MetadataCache(ClientSettings.read(conf), nanos::get, () -> isWaiting, process);
    }

    private static final NameNodeNoteProto NO_MORE = NameNodeNoteProto.getDefaultInstance();

    private static LocatedBlocksProto layout(long blockId) {
        return LocatedBlocksProto.newBuilder()
                .setFileLength(1)
                .setUnderConstruction(false)
                .setIsLastBlockComplete(true)
                .addBlocks(CachedFileTest.block(blockId, 0))
                .build();
    }

    private static NameNodeNoteProto.Builder predicting(String path, long blockId) {
        return NameNodeNoteProto.newBuilder()
                .addFiles(PredictedFileProto.newBuilder()
                        .setPath(path)
                        .setConfidenceClass(CLASS)
                        .setLocations(layout(blockId).toByteString()));
    }

    private void take(MetadataCache to, NameNodeNoteProto.Builder note) {
        to.take(note.build(), to.position())
                .forEach(taken -> warmed.add(taken.layout().getBlocks(0).getB().getBlockId()));
    }

    private CachedOpen opened(String path) {
        return Objects.requireNonNull(cache.layoutToOpen(path), path);
    }

    private boolean isKept(String path) {
        return cache.layoutToOpen(path) != null;
    }

    @Test
    void predictedFile_isOpenedAndReportedAsUsed() {
        take(cache, predicting("/a", 7));
        assertThat(opened("/a").layout()).isEqualTo(layout(7));
        assertThat(opened("/a").layout()).isEqualTo(layout(7));

        ClientNoteProto note = cache.note().build();
        assertThat(note.getHitsList()).containsExactly(7L, 7L);
        assertThat(note.getOutcomesList())
                .containsExactly(OutcomeProto.newBuilder()
                        .setConfidenceClass(CLASS)
                        .setUsed(1)
                        .setWasted(0)
                        .build());
        assertThat(cache.note().getHitsList()).as("all is said once").isEmpty();
    }

    @Test
    void data_isMadeResidentFromTheFirstPredictionOnThatComesTrue() {
        take(cache, predicting("/old", 5));
        take(cache, predicting("/a", 7).mergeFrom(predicting("/b", 8).build()));
        assertThat(warmed).isEmpty();
        assertThat(opened("/b").others())
                .extracting(PredictedLayout::path, PredictedLayout::layout)
                .containsExactly(tuple("/a", layout(7)));
        assertThat(opened("/a").others()).isEmpty();
        take(cache, predicting("/c", 9));
        assertThat(warmed).containsExactly(9L);
    }

    @Test
    void predictedData_isMadeResidentOnceFilesWaitForIt() {
        isWaiting = false;
        take(cache, predicting("/a", 7));
        assertThat(opened("/a").others()).isEmpty();
        take(cache, predicting("/b", 8));
        take(cache, predicting("/c", 9).mergeFrom(predicting("/d", 10).build()));
        assertThat(opened("/b").others()).isEmpty();
        assertThat(warmed).isEmpty();

        isWaiting = true;
        assertThat(opened("/c").others())
                .as("of the last group")
                .extracting(PredictedLayout::path)
                .containsExactly("/d");
        take(cache, predicting("/e", 11));
        assertThat(warmed).containsExactly(11L);

        isWaiting = false;
        take(cache, predicting("/f", 12));
        assertThat(warmed).containsExactly(11L);
    }

    @Test
    void predictedFile_notOpenedWithinItsAge_isGivenUpAndReportedAsWasted() {
        take(cache, predicting("/a", 7));
        nanos.addAndGet(Duration.ofSeconds(10).toNanos());
        assertThat(isKept("/a")).isFalse();
        assertThat(cache.note().getOutcomesList())
                .containsExactly(OutcomeProto.newBuilder()
                        .setConfidenceClass(CLASS)
                        .setUsed(0)
                        .setWasted(1)
                        .build());
    }

    @Test
    void predictedFile_notOpenedAmongManyOpens_isReportedAsWastedAndStillServed() {
        take(cache, predicting("/a", 7));
        for (int i = 0; i < 101; i++) {
            cache.missed();
        }
        assertThat(cache.note().getOutcomesList())
                .containsExactly(OutcomeProto.newBuilder()
                        .setConfidenceClass(CLASS)
                        .setUsed(0)
                        .setWasted(1)
                        .build());
        assertThat(isKept("/a")).isTrue();
        assertThat(cache.note().getOutcomesList())
                .as("its end is reported once")
                .isEmpty();
    }

    @Test
    void age_isNotRenewedByOpens() {
        cache.answered("/a", layout(7), NO_MORE, cache.position());
        nanos.addAndGet(Duration.ofSeconds(9).toNanos());
        assertThat(isKept("/a")).isTrue();
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(isKept("/a")).isFalse();
    }

    @Test
    void ownChange_ofADirectory_forgetsWhatIsBelowAndNotBeside() {
        for (String path : List.of("/d/a", "/d/e/b", "/dd", "/d")) {
            cache.answered(path, layout(1), NO_MORE, cache.position());
        }
        cache.forget("/d");
        assertThat(isKept("/d/a")).isFalse();
        assertThat(isKept("/d/e/b")).isFalse();
        assertThat(isKept("/d")).isFalse();
        assertThat(isKept("/dd")).isTrue();
    }

    @Test
    void answerThatWasUnderWayDuringOwnChange_isNotKept() {
        long askedAt = cache.position();
        cache.forget("/elsewhere");
        cache.answered("/a", layout(1), NO_MORE, askedAt);
        assertThat(isKept("/a")).isFalse();
    }

    @Test
    void invalidation_byTheNameNode_isObeyedAfterWhatCameWithIt() {
        take(cache, predicting("/d/a", 1).addInvalidated("/d/a"));
        assertThat(isKept("/d/a")).isFalse();
        cache.answered("/x", layout(1), NO_MORE, cache.position());
        take(cache, NameNodeNoteProto.newBuilder().setAllInvalidated(true));
        assertThat(isKept("/x")).isFalse();
    }

    @Test
    void replyFromAnotherRecord_makesWhatCameBeforeForgotten() {
        take(cache, predicting("/a", 1).setGrantRecord(5));
        take(cache, predicting("/b", 2).setGrantRecord(5));
        assertThat(isKept("/a")).isTrue();
        NameNodeNoteProto note = predicting("/c", 3).setGrantRecord(6).build();
        cache.answered("/d", layout(4), note, cache.position());
        take(cache, note.toBuilder());
        assertThat(isKept("/a")).as("from the record before").isFalse();
        assertThat(isKept("/b")).as("from the record before").isFalse();
        assertThat(isKept("/c")).isTrue();
        assertThat(isKept("/d")).isTrue();
        take(cache, predicting("/e", 5));
        assertThat(isKept("/c")).as("now there is no record").isFalse();
        assertThat(isKept("/e")).isTrue();
    }

    @Test
    void replyThatWasOvertakenByAnInvalidation_isNotKept() {
        take(cache, predicting("/a", 1).setGrantRecord(5));
        long askedAt = cache.position();
        take(cache, NameNodeNoteProto.newBuilder().setGrantRecord(5).addInvalidated("/b"));

        NameNodeNoteProto overtaken = predicting("/b", 2).setGrantRecord(5).build();
        cache.answered("/c", layout(3), overtaken, askedAt);
        cache.take(overtaken, askedAt);

        assertThat(isKept("/b")).isFalse();
        assertThat(isKept("/c")).isFalse();
        assertThat(isKept("/a")).as("came before and has not changed").isTrue();
        take(cache, predicting("/d", 4).setGrantRecord(5));
        assertThat(isKept("/d")).as("asked for after the invalidation").isTrue();
    }

    @Test
    void replyThatWasOvertakenByAnotherRecord_isNotKept() {
        take(cache, predicting("/a", 1).setGrantRecord(5));
        long askedAt = cache.position();
        take(cache, predicting("/b", 2).setGrantRecord(6));

        cache.take(predicting("/c", 3).setGrantRecord(5).build(), askedAt);

        assertThat(isKept("/c")).isFalse();
    }

    @Test
    void requestWithoutAnAnswer_makesAllForgottenAndIsReportedAgain() {
        take(cache, predicting("/a", 7).setGrantRecord(5));
        take(cache, predicting("/b", 8).setGrantRecord(5));
        opened("/a");
        opened("/b");
        long askedAt = cache.position();
        ClientNoteProto said = cache.note().build();
        opened("/a");

        cache.restoreNote(said);

        assertThat(cache.note().getHitsList()).containsExactly(7L, 8L, 7L);
        assertThat(isKept("/a")).isFalse();
        cache.take(predicting("/c", 9).setGrantRecord(5).build(), askedAt);
        assertThat(isKept("/c")).as("under way meanwhile").isFalse();
    }

    @Test
    void hitsOfARequestWithoutAnAnswer_areBounded() {
        take(cache, predicting("/a", 7));
        for (int i = 0; i < 900; i++) {
            opened("/a");
        }
        ClientNoteProto said = cache.note().build();
        for (int i = 0; i < 900; i++) {
            opened("/a");
        }
        cache.restoreNote(said);
        assertThat(cache.note().getHitsCount()).isEqualTo(1000);
    }

    @Test
    void fileBeingWrittenOrEmpty_isNotKept() {
        cache.answered("/a", layout(1).toBuilder().setUnderConstruction(true).build(), NO_MORE, cache.position());
        cache.answered("/b", layout(1).toBuilder().clearBlocks().build(), NO_MORE, cache.position());
        assertThat(isKept("/a")).isFalse();
        assertThat(isKept("/b")).isFalse();
    }

    @Test
    void garbage_isPassedOver() {
        take(
                cache,
                NameNodeNoteProto.newBuilder()
                        .addFiles(PredictedFileProto.newBuilder()
                                .setPath("/a")
                                .setLocations(ByteString.copyFromUtf8("no layout")))
                        .addFiles(PredictedFileProto.newBuilder()
                                .setLocations(layout(1).toByteString()))
                        .addFiles(PredictedFileProto.newBuilder()
                                .setPath("/b")
                                .setConfidenceClass(1_000_000)
                                .setLocations(layout(1).toByteString())));
        assertThat(isKept("/a")).isFalse();
        assertThat(isKept("/b")).isFalse();
        assertThat(warmed).isEmpty();
    }

    @Test
    void capacity_inBytes_isKept() {
        MetadataCache small = cache("64k");
        int kept = 0;
        for (int i = 0; i < 1000; i++) {
            small.answered("/a" + i, layout(i), NO_MORE, small.position());
        }
        for (int i = 0; i < 1000; i++) {
            kept += small.layoutToOpen("/a" + i) == null ? 0 : 1;
        }
        assertThat(kept).isBetween(20, (64 << 10) / 1_900);
    }

    @Test
    void fullCache_takesPredictedFiles_andKeepsWhatIsOpenedAgain() {
        cache = cache("64k");
        for (int i = 0; i < 1000; i++) {
            cache.answered("/a" + i, layout(i), NO_MORE, cache.position());
            cache.layoutToOpen("/a" + i);
        }
        cache.answered("/often", layout(2000), NO_MORE, cache.position());
        for (int i = 0; i < 3; i++) {
            opened("/often");
        }
        fill(cache, 500);
        assertThat(cache.has("/f499")).as("predicted last").isTrue();
        assertThat(cache.has("/f0")).as("predicted first").isFalse();
        assertThat(isKept("/often")).isTrue();
        assertThat(cache.has("/a0")).isFalse();
    }

    @Test
    void predictedAgain_staysAsIfItHadComeNow() {
        cache = cache("64k");
        take(cache, predicting("/again", 7000));
        for (int i = 0; i < 1000; i++) {
            take(cache, predicting("/f" + i, i));
            take(cache, predicting("/again", 7000));
        }
        assertThat(cache.has("/f0")).isFalse();
        assertThat(isKept("/again")).isTrue();
        nanos.addAndGet(Duration.ofSeconds(10).toNanos());
        assertThat(isKept("/again")).as("its age is over").isFalse();
    }

    @Test
    void hits_neverReported_areBounded() {
        take(cache, predicting("/a", 7));
        for (int i = 0; i < 5000; i++) {
            cache.layoutToOpen("/a");
        }
        assertThat(cache.note().getHitsCount()).isEqualTo(1000);
    }

    private static NameNodeNoteProto.Builder group(int confidenceClass, String... paths) {
        NameNodeNoteProto.Builder note = NameNodeNoteProto.newBuilder();
        for (String path : paths) {
            note.addFiles(PredictedFileProto.newBuilder()
                    .setPath(path)
                    .setConfidenceClass(confidenceClass)
                    .setLocations(layout(path.hashCode()).toByteString()));
        }
        return note;
    }

    @Test
    void openingAQuarterOfAGroup_looksAheadOnce() {
        take(cache, group(CLASS, "/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8"));
        assertThat(opened("/1").isLookingAhead()).isFalse();
        assertThat(opened("/1").isLookingAhead()).as("opened again").isFalse();
        assertThat(opened("/2").isLookingAhead()).isTrue();
        assertThat(opened("/3").isLookingAhead()).isFalse();
        take(cache, group(CLASS, "/9", "/10", "/11", "/12", "/13", "/14", "/15", "/16"));
        assertThat(opened("/4").isLookingAhead()).isFalse();
        assertThat(opened("/9").isLookingAhead()).isFalse();
        assertThat(opened("/10").isLookingAhead()).isTrue();
    }

    @Test
    void filesOfAListing_areNoGroupToLookAheadOf() {
        take(cache, group(Usefulness.LISTED, "/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8"));
        for (int i = 1; i <= 8; i++) {
            assertThat(opened("/" + i).isLookingAhead()).isFalse();
        }
    }

    @Test
    void lookingAhead_canBeSwitchedOff() {
        Configuration conf = new Configuration(false);
        conf.set("foresight.client.consistency", "bounded");
        conf.set("foresight.client.metadata.ahead.enabled", "false");
        cache = new MetadataCache(ClientSettings.read(conf), nanos::get, () -> isWaiting);
        take(cache, group(CLASS, "/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8"));
        for (int i = 1; i <= 8; i++) {
            assertThat(opened("/" + i).isLookingAhead()).isFalse();
        }
    }

    private static int held(MetadataCache cache, int files) {
        int held = 0;
        for (int i = 0; i < files; i++) {
            held += cache.has("/f" + i) ? 1 : 0;
        }
        return held;
    }

    private void fill(MetadataCache cache, int files) {
        for (int i = 0; i < files; i++) {
            take(cache, predicting("/f" + i, i));
        }
    }

    @Test
    void caches_ofOneProcess_shareALimit_andAnIdleOneGivesUpWhatIsOld() {
        ProcessBytes process = new ProcessBytes(nanos::get);
        MetadataCache idle = cache("16m", process, "64k");
        MetadataCache busy = cache("16m", process, "64k");
        fill(idle, 1000);
        assertThat(process.total()).isBetween(60L << 10, 64L << 10);
        int room = held(idle, 1000);

        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        fill(busy, 1000);
        assertThat(held(busy, 1000)).as("the idle cache's are still good").isLessThan(5);

        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        fill(busy, 1000);
        assertThat(held(busy, 1000)).isEqualTo(room);
        assertThat(process.total()).isLessThanOrEqualTo(64L << 10);

        busy.clear();
        assertThat(process.total()).isZero();
    }

    @Test
    void cachesThatAreCollected_areForgottenWithTheNextNewOne() {
        ProcessBytes process = new ProcessBytes(nanos::get);
        for (int i = 0; i < 1000; i++) {
            fill(cache("16m", process, "64k"), 1);
        }
        await().untilAsserted(() -> {
            System.gc();
            cache("16m", process, "64k");
            assertThat(process.caches()).isLessThan(10);
        });
    }

    @Test
    void cacheThatIsCollected_givesItsShareBack() {
        ProcessBytes process = new ProcessBytes(nanos::get);
        fill(cache("16m", process, "64k"), 1000);
        MetadataCache other = cache("16m", process, "64k");
        await().untilAsserted(() -> {
            System.gc();
            nanos.addAndGet(Duration.ofSeconds(2).toNanos());
            fill(other, 10);
            assertThat(held(other, 10)).isEqualTo(10);
        });
    }
}
