/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import com.google.common.hash.Hashing;
import com.google.common.hash.HashingInputStream;
import com.google.common.hash.HashingOutputStream;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UTFDataFormatException;

/**
 * Graphs as a stream of bytes, to outlive the process. Written while others use the graphs, each vertex as it was at some moment;
 * read into graphs of any capacity. Takes constant memory.
 *
 * <pre>
 *   magic | version | owner | graphs x ( vertices x ( 1 | vertex | visits | user | size | size x ( successor | weight )) | 0 ) | checksum
 *   long    short     text                          byte  long    short    byte   byte          long        short     byte   int
 * </pre>
 *
 * <p>The user is the number of the one to whom the vertex is charged, 0 for nobody. Version 1 has none and charges nobody.
 *
 * <p>The checksum (CRC-32C) is over all that is before it. Stateless.
 */
public final class GraphSnapshot {

    private static final long MAGIC = 0x464f524553494748L;
    private static final int VERSION = 2;
    private static final int VERSION_WITHOUT_USERS = 1;
    private static final int VERTEX = 1;
    private static final int END = 0;

    /** A stream could be read, but holds no snapshot, or a damaged one, or another owner's. */
    public static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        RefusedException(String message) {
            super(message);
        }

        RefusedException(String message, IOException cause) {
            super(message, cause);
        }
    }

    private GraphSnapshot() {}

    /**
     * Writes graphs and flushes, without closing.
     *
     * @param owner whose graphs they are; who reads them must say the same
     */
    public static void write(OutputStream to, String owner, PackedGraph... graphs) throws IOException {
        DataOutputStream unchecked = new DataOutputStream(new BufferedOutputStream(to));
        HashingOutputStream checked = new HashingOutputStream(Hashing.crc32c(), unchecked);
        DataOutputStream out = new DataOutputStream(checked);
        out.writeLong(MAGIC);
        out.writeShort(VERSION);
        out.writeUTF(owner);
        for (PackedGraph graph : graphs) {
            graph.copyTo((vertex, successors) -> write(out, vertex, successors));
            out.writeByte(END);
        }
        unchecked.writeInt(checked.hash().asInt());
        unchecked.flush();
    }

    private static void write(DataOutputStream out, long vertex, Successors successors) throws IOException {
        out.writeByte(VERTEX);
        out.writeLong(vertex);
        out.writeShort(successors.visits);
        out.writeByte(successors.owner);
        out.writeByte(successors.size);
        for (int rank = 0; rank < successors.size; rank++) {
            out.writeLong(successors.files[rank]);
            out.writeShort(successors.weights[rank]);
        }
    }

    /**
     * Reads a stream to its end to see whether it is whole and whose it is.
     *
     * @param graphs how many it must hold
     * @throws RefusedException saying what is wrong with it
     * @throws IOException if it cannot be read
     */
    public static void check(InputStream from, String owner, int graphs) throws IOException {
        read(from, owner, graphs, (graph, vertex, successors) -> {});
    }

    /**
     * Puts what a stream holds into graphs; what they know already is merged with it. To be used on what has been {@linkplain #check
     * checked}, for what is wrong shows only at the end.
     *
     * @param trust by how much more a visit in the stream counts than one in the graphs, more than 0
     * @throws IOException saying what is wrong; something may have been read by then
     */
    public static void read(InputStream from, String owner, double trust, PackedGraph... graphs) throws IOException {
        read(
                from,
                owner,
                graphs.length,
                (graph, vertex, successors) -> graphs[graph].restore(vertex, successors, trust));
    }

    /** Takes what is read. */
    @FunctionalInterface
    private interface Reader {
        void vertex(int graph, long vertex, Successors successors);
    }

    private static void read(InputStream from, String owner, int graphs, Reader reader) throws IOException {
        DataInputStream unchecked = new DataInputStream(new BufferedInputStream(from));
        HashingInputStream checked = new HashingInputStream(Hashing.crc32c(), unchecked);
        DataInputStream in = new DataInputStream(checked);
        try {
            int version = readHeader(in, owner);
            Successors successors = new Successors(PackedGraph.MOST_SUCCESSORS);
            for (int graph = 0; graph < graphs; graph++) {
                for (int kind = in.readUnsignedByte(); kind != END; kind = in.readUnsignedByte()) {
                    if (kind != VERTEX) {
                        throw new RefusedException("it is corrupt: " + kind + " stands where a vertex should begin");
                    }
                    long vertex = in.readLong();
                    readSuccessors(in, version, successors);
                    if (vertex == 0) {
                        throw new RefusedException("it is corrupt: a vertex without a number");
                    }
                    reader.vertex(graph, vertex, successors);
                }
            }
            if (unchecked.readInt() != checked.hash().asInt()) {
                throw new RefusedException("it is corrupt: the checksum does not match");
            }
            if (unchecked.read() >= 0) {
                throw new RefusedException("it is corrupt: something stands behind its end");
            }
        } catch (EOFException e) {
            throw new RefusedException("it is cut off", e);
        } catch (UTFDataFormatException e) {
            throw new RefusedException("it is corrupt: it does not say whose it is", e);
        }
    }

    private static int readHeader(DataInputStream in, String owner) throws IOException {
        if (in.readLong() != MAGIC) {
            throw new RefusedException("it is no snapshot of a graph");
        }
        int version = in.readUnsignedShort();
        if (version != VERSION && version != VERSION_WITHOUT_USERS) {
            throw new RefusedException(
                    "its version is " + version + "; accepted are " + VERSION_WITHOUT_USERS + " and " + VERSION);
        }
        String found = in.readUTF();
        if (!found.equals(owner)) {
            throw new RefusedException("it is of '" + found + "'; accepted is that of '" + owner + "'");
        }
        return version;
    }

    private static void readSuccessors(DataInputStream in, int version, Successors successors) throws IOException {
        successors.visits = in.readUnsignedShort();
        successors.owner = version == VERSION_WITHOUT_USERS ? SuccessorGraph.NOBODY : in.readUnsignedByte();
        if (successors.owner > SuccessorGraph.OWNERS_MAX) {
            throw new RefusedException("it is corrupt: a vertex of user " + successors.owner);
        }
        int size = in.readUnsignedByte();
        if (size > PackedGraph.MOST_SUCCESSORS) {
            throw new RefusedException("it is corrupt: a vertex of " + size + " successors");
        }
        for (int rank = 0; rank < size; rank++) {
            successors.files[rank] = in.readLong();
            successors.weights[rank] = in.readUnsignedShort();
        }
        successors.size = size;
    }
}
