/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.hint;

import io.github.foresight.protocol.proto.HintProtos.BlockTokenProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import io.github.foresight.protocol.proto.HintProtos.HintedBlockProto;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/** Messages of the hint protocol. Stateless. */
public final class HintRequests {

    private HintRequests() {}

    /**
     * A block's record.
     *
     * @param offset the offset of the block in its file, bytes
     * @param length the block's length, bytes
     * @param token left out if it is empty, as in a cluster without block tokens
     */
    public static HintedBlockProto.Builder block(
            long blockId, long generationStamp, long offset, long length, Token<BlockTokenIdentifier> token) {
        HintedBlockProto.Builder record = HintedBlockProto.newBuilder()
                .setBlockId(blockId)
                .setGenerationStamp(generationStamp)
                .setOffset(offset)
                .setLength(length);
        if (token.getIdentifier().length > 0) {
            record.setToken(BlockTokenProto.newBuilder()
                    .setIdentifier(ByteString.copyFrom(token.getIdentifier()))
                    .setPassword(ByteString.copyFrom(token.getPassword()))
                    .setKind(token.getKind().toString())
                    .setService(token.getService().toString()));
        }
        return record;
    }

    /**
     * Requests that DataNodes make the first blocks of files resident, each at its first location. Erasure-coded files
     * are left out.
     *
     * @param clientId the client id of the requesting process
     * @return the requests by DataNode; send each request with the token of its target
     */
    public static Map<HintTarget, HintRequestProto.Builder> warm(List<LocatedBlocks> files, long clientId) {
        Map<HintTarget, HintRequestProto.Builder> requests = new LinkedHashMap<>();
        for (LocatedBlocks file : files) {
            LocatedBlock first = file.get(0);
            if (file.getErasureCodingPolicy() == null && first.getLocations().length > 0 && first.getBlockSize() > 0) {
                HintTarget target = new HintTarget(first.getLocations()[0], first.getBlockToken());
                add(first, requests.computeIfAbsent(target, unused -> HintRequestProto.newBuilder()
                        .setOpType(OpType.WARM)
                        .setClientId(clientId)
                        .setFileId(ThreadLocalRandom.current().nextLong())
                        .setBlockPoolId(first.getBlock().getBlockPoolId())));
            }
        }
        return requests;
    }

    private static void add(LocatedBlock first, HintRequestProto.Builder request) {
        ExtendedBlock block = first.getBlock();
        request.addBlocks(
                block(block.getBlockId(), block.getGenerationStamp(), 0, first.getBlockSize(), first.getBlockToken()));
        request.setBlockNum(request.getBlocksCount());
    }
}
