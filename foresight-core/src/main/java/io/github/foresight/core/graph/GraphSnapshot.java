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
 * Writes graphs as a stream of bytes that outlives the process, and reads the stream into graphs of any capacity. Other
 * threads may use the graphs meanwhile; each vertex is written as it is at some moment.
 *
 * <pre>
 *   magic | version | owner | graphs x ( vertices x ( 1 | vertex | visits | user | size | size x ( successor | weight )) | 0 ) | checksum
 *   long    short     text                          byte  long    short    byte   byte          long        short     byte   int
 * </pre>
 *
 * <p>The user is the number of the vertex's owner, 0 for nobody. A stream of version 1 has no users, and its vertices
 * are charged to no user.
 *
 * <p>The checksum (CRC-32C) covers all bytes before it. Takes constant memory and time in proportion to the graphs.
 * Stateless.
 */
public final class GraphSnapshot {

    private static final long MAGIC = 0x464f524553494748L;
    private static final int VERSION = 2;
    private static final int VERSION_WITHOUT_USERS = 1;
    private static final int VERTEX = 1;
    private static final int END = 0;

    /**
     * A stream was read, but its content is refused: it is no snapshot, it is damaged, or it belongs to another owner.
     */
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
     * Writes graphs and flushes the stream, without closing it.
     *
     * @param owner the name of the graphs' owner; a reader must give the same name
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
     * Reads a stream to its end, and checks that it is complete and belongs to an owner.
     *
     * @param graphs the number of graphs that the stream must hold
     * @throws RefusedException if the content is refused; the message names the reason
     * @throws IOException if the stream cannot be read
     */
    public static void check(InputStream from, String owner, int graphs) throws IOException {
        read(from, owner, graphs, (graph, vertex, successors) -> {});
    }

    /**
     * Merges a stream into graphs. Call this only with a stream that was {@linkplain #check checked}, because damage
     * may show only at the end of the stream.
     *
     * @param trust the weight of a visit in the stream, relative to a visit in the graphs; more than 0
     * @throws IOException if the stream is refused or cannot be read; some vertices may be merged by then
     */
    public static void read(InputStream from, String owner, double trust, PackedGraph... graphs) throws IOException {
        read(
                from,
                owner,
                graphs.length,
                (graph, vertex, successors) -> graphs[graph].restore(vertex, successors, trust));
    }

    /** Receives each vertex of a stream. */
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
                throw new RefusedException("it is corrupt: bytes follow its end");
            }
        } catch (EOFException e) {
            throw new RefusedException("it is cut off", e);
        } catch (UTFDataFormatException e) {
            throw new RefusedException("it is corrupt: its owner cannot be read", e);
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
            throw new RefusedException("its owner is '" + found + "'; accepted is '" + owner + "'");
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
