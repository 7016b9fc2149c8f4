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

/** Messages of the hint protocol. */
public final class HintRequests {

    private HintRequests() {}

    /**
     * A block's record.
     *
     * @param offset where it begins in its file, bytes
     * @param length its length, bytes
     * @param token left out if it is empty, as it is where the cluster has no block tokens
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
     * Has the first blocks of files made resident, each by the first DataNode that holds it. Erasure-coded files are left out.
     *
     * @param clientId of the process that asks
     * @return by the DataNode to tell, which is to be told with the token it is here with
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
