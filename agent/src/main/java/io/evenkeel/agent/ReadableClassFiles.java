/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import java.io.IOException;
import java.nio.ByteBuffer;
import net.bytebuddy.ClassFileVersion;
import net.bytebuddy.dynamic.ClassFileLocator;

/**
 * Class files of any version, for readers that refuse those which are newer than they know. Only the number in the file
 * is lowered: what we ask for, names and members, keeps its form from version to version. So a JDK that is newer than
 * Byte Buddy does not stop a broker, unless it has a new kind of constant, the last of which came with Java 11. Nothing
 * that is read here is ever loaded. Thread safe.
 */
final class ReadableClassFiles implements ClassFileLocator {
    private static final int MAJOR_VERSION_AT = 6;

    private final ClassFileLocator others;

    ReadableClassFiles(ClassFileLocator others) {
        this.others = others;
    }

    @Override
    public Resolution locate(String name) throws IOException {
        Resolution found = others.locate(name);
        return found.isResolved() ? new Resolution.Explicit(readable(found.resolve())) : found;
    }

    private static byte[] readable(byte[] bytes) {
        int newest = ClassFileVersion.latest().getMajorVersion();
        int major = ByteBuffer.wrap(bytes).getShort(MAJOR_VERSION_AT) & 0xffff;
        if (major <= newest) {
            return bytes;
        }
        byte[] lowered = bytes.clone();
        ByteBuffer.wrap(lowered).putShort(MAJOR_VERSION_AT, (short) newest);
        return lowered;
    }

    @Override
    public void close() throws IOException {
        others.close();
    }
}
