/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.file.FileOps;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Set;

/** Real files, but the k-th operation fails or is torn, or the process dies before it. */
public final class FaultyFileOps extends FileOps {
    /** What the k-th operation does. */
    public enum Fault {
        /** The process is gone: this and every later operation does not happen. */
        KILL,
        /** This one operation fails, as on a broken device. */
        FAIL,
        /** If it is a write, half of it happens, and then it fails; all else goes well. */
        TEAR
    }

    /** The process is gone; no code of ours may handle it. */
    public static final class Killed extends Error {
        private static final long serialVersionUID = 1;

        Killed(String operation) {
            super(operation);
        }
    }

    private final Fault fault;
    private final int failing;
    private int operations;
    private String failed = "none";
    private boolean full;

    public FaultyFileOps(Fault fault, int failing) {
        this.fault = fault;
        this.failing = failing;
    }

    /** From now on no byte can be written to an SSD, or again. */
    public void full(boolean isFull) {
        full = isFull;
    }

    public boolean hasFailed() {
        return operations >= failing;
    }

    public String failed() {
        return failed;
    }

    private void step(String operation, Path path) throws IOException {
        operations++;
        if (operations == failing) {
            failed = operation + " " + path;
        }
        if (fault == Fault.KILL && operations >= failing) {
            throw new Killed(failed);
        }
        if (fault == Fault.FAIL && operations == failing) {
            throw new IOException("made to fail: " + failed);
        }
    }

    /** An open file, each of whose operations is one that can fail. */
    private final class DeviceOf implements FaultyChannel.Device {
        private final Path file;

        DeviceOf(Path file) {
            this.file = file;
        }

        @Override
        public void before(String operation) throws IOException {
            step(operation, file);
            if (full && operation.equals("write") && file.toString().contains("/ssd0/")) {
                throw new IOException("No space left on device");
            }
        }

        @Override
        public boolean isTorn() {
            return fault == Fault.TEAR && operations == failing;
        }
    }

    @Override
    public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
        step("open", file);
        return new FaultyChannel(super.open(file, options), new DeviceOf(file));
    }

    @Override
    public void link(Path link, Path target) throws IOException {
        step("link", link);
        super.link(link, target);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        step("rename", from);
        super.rename(from, to);
    }

    @Override
    public boolean deleteIfExists(Path file) throws IOException {
        step("delete", file);
        return super.deleteIfExists(file);
    }

    @Override
    public void lastModified(Path file, FileTime time) throws IOException {
        step("lastModified", file);
        super.lastModified(file, time);
    }

    @Override
    public FileChannel openDirectory(Path dir) throws IOException {
        step("openDirectory", dir);
        return new FaultyChannel(super.openDirectory(dir), new DeviceOf(dir));
    }

    @Override
    public void createDirectory(Path dir) throws IOException {
        step("createDirectory", dir);
        super.createDirectory(dir);
    }

    @Override
    public boolean isResident(FileChannel channel, long position, long most) {
        return false; // so that the cold reader reads
    }
}
