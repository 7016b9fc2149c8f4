/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.hint;

import io.github.foresight.core.guard.KeyedHash;
import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.HintRateLimiter;
import io.github.foresight.core.hint.HintedBlock;
import io.github.foresight.core.hint.ReadAhead;
import io.github.foresight.core.hint.Reader;
import io.github.foresight.core.hint.SessionId;
import io.github.foresight.core.window.BlockExtent;
import io.github.foresight.core.window.Extent;
import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import io.github.foresight.datanode.prefetch.BlockReadAhead;
import io.github.foresight.datanode.replica.BlockFiles;
import io.github.foresight.datanode.settings.DataNodeSettings;
import io.github.foresight.protocol.conf.DataNodeKeys;
import io.github.foresight.protocol.hint.HintProtocolPB;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintResponseProto;
import io.github.foresight.protocol.proto.HintProtos.HintedBlockProto;
import io.github.foresight.protocol.proto.HintProtos.RefusalProto;
import io.github.foresight.protocol.proto.HintProtos.RefusalProto.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.ipc.CallerConnection;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.jspecify.annotations.Nullable;

/**
 * Answers the hint RPC. Hints are advice: whatever is wrong with one is answered with a refusal and counted, and nothing here
 * waits for a disk. Thread-safe.
 */
public final class HintService implements HintProtocolPB {

    private static final int CLIENTS_REMEMBERED = 10_000;

    /** Tells whether a client may read a block; thread-safe. */
    @FunctionalInterface
    public interface AccessCheck {
        boolean mayRead(String blockPool, HintedBlockProto block);
    }

    private final BlockReadAhead readAhead;
    private final AccessCheck access;
    private final ReadAheadMetrics metrics;
    private final HintRateLimiter limiter;
    private final KeyedHash callers;
    private final int maxBlocks;

    public HintService(
            DataNodeSettings settings, BlockReadAhead readAhead, AccessCheck access, ReadAheadMetrics metrics) {
        this.readAhead = readAhead;
        this.access = access;
        this.metrics = metrics;
        this.limiter = new HintRateLimiter(
                settings.get(DataNodeKeys.HINT_RATE), settings.get(DataNodeKeys.HINT_BURST), CLIENTS_REMEMBERED);
        SecureRandom random = new SecureRandom();
        this.callers = new KeyedHash(random.nextLong(), random.nextLong());
        this.maxBlocks = settings.get(DataNodeKeys.HINT_BLOCKS_MAX);
    }

    @Override
    public HintResponseProto hint(RpcController controller, HintRequestProto request) {
        long begin = System.nanoTime();
        metrics.hints.incr();
        Refusals refusals = new Refusals();
        HintResponseProto.Builder response = HintResponseProto.newBuilder();
        if (readAhead.isOff()) {
            refusals.add(Reason.DISABLED);
        } else {
            boolean taken = readAhead.guard().call("take a hint", false, () -> {
                take(request, response, refusals, begin);
                return true;
            });
            if (!taken) {
                refusals.add(Reason.OTHER);
            }
        }
        refusals.writeTo(response);
        metrics.hintTaken(System.nanoTime() - begin);
        return response.build();
    }

    private void take(HintRequestProto request, HintResponseProto.Builder response, Refusals refusals, long nowNanos) {
        String address = readerAddress(request);
        if (!limiter.tryAcquire(address == null ? "" : address, nowNanos)
                && request.getOpType() != HintRequestProto.OpType.RELEASE) {
            // A release is never refused: it costs no more than a refusal, and the session would hold memory until it
            // idles.
            refusals.add(Reason.RATE_LIMITED);
            return;
        }
        if (!request.hasOpType() || !request.hasClientId() || !request.hasFileId()) {
            refusals.add(Reason.MALFORMED);
            return;
        }
        SessionId id = session(request);
        switch (request.getOpType()) {
            case HINT:
                takeBlocks(id, address, request, response, refusals);
                break;
            case PROGRESS:
                break;
            case RELEASE:
                readAhead.release(id);
                return;
            case WARM:
                takeBlocks(id, address, request, response, refusals);
                response.setResidentBytes(metrics.residentBytes.value())
                        .setPrefetchedBytes(metrics.prefetchedBytes.value());
                return;
            case WINDOW:
                takeWindow(id, request, response, refusals);
                return;
        }
        Optional<ReadAhead.Progress> progress = readAhead.progress(id);
        if (progress.isPresent()) {
            response.setBytesRead(progress.get().bytesRead())
                    .setOpenStreams(progress.get().openStreams());
            called(id, request);
        } else {
            response.setUnknownSession(true);
        }
    }

    private void called(SessionId id, HintRequestProto request) {
        readAhead.called(id, CallerConnection.ofCall(), request.getConnectionIdleMillis());
    }

    /**
     * The session that a caller names, which is the caller's own: of another user or from another address the same numbers name another
     * session, so that nobody can end or replace a session by guessing its numbers.
     */
    private SessionId session(HintRequestProto request) {
        UserGroupInformation user = Server.getRemoteUser();
        InetAddress address = Server.getRemoteIp();
        String caller =
                (user == null ? "" : user.getUserName()) + '\n' + (address == null ? "" : address.getHostAddress());
        return new SessionId(callers.of(caller, 0), callers.of(caller, request.getClientId()), request.getFileId());
    }

    /** The NameNode speaks for clients that cannot speak for themselves. */
    private static @Nullable String readerAddress(HintRequestProto request) {
        if (request.hasReaderAddress() && isOwnUser(Server.getRemoteUser())) {
            return request.getReaderAddress();
        }
        return Server.getRemoteIp() == null ? null : Server.getRemoteIp().getHostAddress();
    }

    private static boolean isOwnUser(@Nullable UserGroupInformation caller) {
        try {
            return caller != null
                    && caller.getShortUserName()
                            .equals(UserGroupInformation.getLoginUser().getShortUserName());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void takeBlocks(
            SessionId id,
            @Nullable String address,
            HintRequestProto request,
            HintResponseProto.Builder response,
            Refusals refusals) {
        Reason whole = reasonToRefuse(request);
        if (whole != null) {
            refusals.add(whole);
            return;
        }
        List<HintedBlock> blocks = new ArrayList<>(request.getBlocksCount());
        for (HintedBlockProto block : request.getBlocksList()) {
            Reason reason = isPart(block) && !isRangeWithin(block)
                    ? Reason.MALFORMED
                    : reasonToRefuse(request.getBlockPoolId(), block);
            if (reason == null) {
                blocks.add(hinted(request.getBlockPoolId(), block));
            } else {
                refusals.add(reason);
            }
        }
        if (blocks.isEmpty()) {
            return;
        }
        Reader reader = new Reader(request.hasClientName() ? request.getClientName() : null, address);
        int accepted = request.getOpType() == HintRequestProto.OpType.WARM
                ? readAhead.warm(reader, blocks)
                : readAhead.hint(id, reader, blocks, request.getSequential());
        response.setAccepted(accepted);
        refusals.add(Reason.TOO_MANY, blocks.size() - accepted);
    }

    /** Looks at the message alone and at its block pool's name, never at a block of it. */
    private @Nullable Reason reasonToRefuse(HintRequestProto request) {
        int count = request.getBlocksCount();
        if (count == 0 || count > maxBlocks || request.getBlockNum() != count || !request.hasBlockPoolId()) {
            return Reason.MALFORMED;
        }
        return readAhead.finder().serves(request.getBlockPoolId()) ? null : Reason.UNKNOWN_POOL;
    }

    private void takeWindow(
            SessionId id, HintRequestProto request, HintResponseProto.Builder response, Refusals refusals) {
        Reason whole = reasonToRefuse(request);
        if (whole != null) {
            refusals.add(whole);
            return;
        }
        if (!readAhead.windows().isEnabled()) {
            refusals.add(Reason.DISABLED, request.getBlocksCount());
            return;
        }
        List<BlockExtent> window = new ArrayList<>(request.getBlocksCount());
        for (HintedBlockProto block : request.getBlocksList()) {
            Reason reason = isRangeWithin(block) ? reasonToRefuse(request.getBlockPoolId(), block) : Reason.MALFORMED;
            if (reason == null) {
                window.add(new BlockExtent(
                        new BlockKey(request.getBlockPoolId(), block.getBlockId()),
                        block.getGenerationStamp(),
                        Extent.of(block.getRangeOffset(), rangeEnd(block))));
            } else {
                refusals.add(reason);
            }
        }
        if (readAhead.windows().moved(id, window)) {
            response.setAccepted(window.size());
            called(id, request);
        } else {
            refusals.add(Reason.TOO_MANY, window.size());
        }
    }

    private static boolean isRangeWithin(HintedBlockProto block) {
        long offset = block.getRangeOffset();
        long length = block.getRangeLength();
        return offset >= 0 && length > 0 && offset < block.getLength() && length <= block.getLength() - offset;
    }

    private static boolean isPart(HintedBlockProto block) {
        return block.hasRangeOffset() || block.hasRangeLength();
    }

    private static HintedBlock hinted(String blockPool, HintedBlockProto block) {
        HintedBlock whole = new HintedBlock(
                new BlockKey(blockPool, block.getBlockId()),
                block.getGenerationStamp(),
                block.getOffset(),
                block.getLength());
        return isPart(block) ? whole.part(block.getRangeOffset(), rangeEnd(block)) : whole;
    }

    private static long rangeEnd(HintedBlockProto block) {
        return block.getRangeOffset() + block.getRangeLength();
    }

    private @Nullable Reason reasonToRefuse(String blockPool, HintedBlockProto block) {
        if (!block.hasBlockId() || !block.hasGenerationStamp() || block.getLength() < 1 || block.getOffset() < 0) {
            return Reason.MALFORMED;
        }
        if (!access.mayRead(blockPool, block)) {
            return Reason.BAD_TOKEN;
        }
        Optional<BlockFiles> files = readAhead.finder().find(blockPool, block.getBlockId());
        if (!files.isPresent()) {
            return Reason.NO_REPLICA;
        }
        boolean same = files.get().generationStamp() == block.getGenerationStamp()
                && files.get().lengthBytes() == block.getLength();
        return same ? null : Reason.STALE;
    }

    /** Counts refusals of one message. */
    private final class Refusals {
        private final Map<Reason, Integer> counts = new EnumMap<>(Reason.class);

        void add(Reason reason) {
            add(reason, 1);
        }

        void add(Reason reason, int count) {
            if (count > 0) {
                counts.merge(reason, count, Integer::sum);
                metrics.refused(reason, count);
            }
        }

        void writeTo(HintResponseProto.Builder response) {
            counts.forEach((reason, count) -> response.addRefusals(
                    RefusalProto.newBuilder().setReason(reason).setCount(count)));
        }
    }
}
