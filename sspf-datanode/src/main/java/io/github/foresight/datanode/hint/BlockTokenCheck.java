/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.hint;

import io.github.foresight.protocol.proto.HintProtos.BlockTokenProto;
import io.github.foresight.protocol.proto.HintProtos.HintedBlockProto;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockPoolTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks a hinted block's token as HDFS checks the token of a read.
 *
 * <p>HDFS parses a token's identifier before HDFS verifies the identifier, and the parser trusts each length in it: a few bytes make the
 * parser allocate gigabytes, or throw an unchecked exception. So this class checks the lengths first, and takes an exception of the parser for
 * a bad token. Thread-safe.
 */
public final class BlockTokenCheck implements HintService.AccessCheck {

    private static final Logger LOG = LoggerFactory.getLogger(BlockTokenCheck.class);

    /** HDFS's identifiers have some 200 bytes, and 60 more for each replica; chosen, not measured. */
    static final int IDENTIFIER_BYTES_MAX = 16 << 10;

    /** The length of a string that is null. */
    private static final int NONE = -1;

    private final BlockPoolTokenSecretManager secrets;
    private final Predicate<String> withoutTokens;

    /**
     * Makes a check.
     *
     * @param secrets the DataNode's keys
     * @param withoutTokens whether a block pool, of which there are no keys, is known to have no block tokens
     */
    public BlockTokenCheck(BlockPoolTokenSecretManager secrets, Predicate<String> withoutTokens) {
        this.secrets = secrets;
        this.withoutTokens = withoutTokens;
    }

    @Override
    public boolean mayRead(String blockPool, HintedBlockProto block) {
        if (!secrets.isBlockPoolRegistered(blockPool)) {
            return withoutTokens.test(blockPool);
        }
        if (!block.hasToken()) {
            return false;
        }
        BlockTokenProto proto = block.getToken();
        byte[] identifier = proto.getIdentifier().toByteArray();
        if (!hasSoundLengths(identifier)) {
            return false;
        }
        Token<BlockTokenIdentifier> token = new Token<>(
                identifier, proto.getPassword().toByteArray(), new Text(proto.getKind()), new Text(proto.getService()));
        ExtendedBlock extended =
                new ExtendedBlock(blockPool, block.getBlockId(), block.getLength(), block.getGenerationStamp());
        try {
            secrets.checkAccess(token, null, extended, BlockTokenIdentifier.AccessMode.READ, null, null);
            return true;
        } catch (InvalidToken e) {
            return false;
        } catch (RuntimeException e) {
            LOG.debug("A block token of {} cannot be parsed", extended, e);
            return false;
        }
    }

    /**
     * Whether no length in an identifier is larger than the identifier. The older of HDFS's two formats begins with a byte of 0 or less;
     * the other is protobuf, whose parser checks lengths itself.
     */
    private static boolean hasSoundLengths(byte[] identifier) {
        if (identifier.length > IDENTIFIER_BYTES_MAX) {
            return false;
        }
        if (identifier.length == 0 || identifier[0] > 0) {
            return true;
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(identifier));
        try {
            WritableUtils.readVLong(in); // expiry date
            WritableUtils.readVLong(in); // key
            boolean sound = skipStrings(in, 2); // user, block pool
            WritableUtils.readVLong(in); // block
            sound = sound && skipEnums(in, WritableUtils.readVLong(in)); // modes
            // A NameNode of an older version ends the identifier at one of these places.
            sound = sound && (in.available() == 0 || skipEnums(in, WritableUtils.readVLong(in))); // storage types
            sound = sound && (in.available() == 0 || skipStrings(in, WritableUtils.readVLong(in))); // storages
            return sound && (in.available() == 0 || skip(in, WritableUtils.readVLong(in))); // handshake
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean skipEnums(DataInputStream in, long count) throws IOException {
        boolean sound = count >= 0 && count <= in.available();
        for (long i = 0; i < count && sound; i++) {
            sound = skip(in, WritableUtils.readVLong(in));
        }
        return sound;
    }

    private static boolean skipStrings(DataInputStream in, long count) throws IOException {
        boolean sound = count >= 0 && count <= in.available();
        for (long i = 0; i < count && sound; i++) {
            int length = in.readInt();
            sound = length == NONE || skip(in, length);
        }
        return sound;
    }

    private static boolean skip(DataInputStream in, long length) throws IOException {
        return length >= 0 && length <= in.available() && in.skipBytes((int) length) == length;
    }
}
