import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * A file on this machine that only this process can read, for what is read from one snapshot and kept afterwards. Its name
 * is removed at once, so that no file is left when the process dies.
 */
export class Spool {
  bytes = 0;
  private readonly file: FileHandle;
  private readonly name: string;

  private constructor(file: FileHandle, name: string) {
    this.file = file;
    this.name = name;
  }

  static async open(id: string): Promise<Spool> {
    const name = path.join(tmpdir(), `rapport-export-${id}`);
    const spool = new Spool(await open(name, "wx+", 0o600), name);
    await unlink(name).catch(() => undefined); // Windows removes it when it is closed
    return spool;
  }

  async add(bytes: Buffer): Promise<void> {
    await this.file.writeFile(bytes);
    this.bytes += bytes.length;
  }

  async read(start: number, size: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.file.read(Buffer.alloc(size), 0, size, start);
    return buffer.subarray(0, bytesRead);
  }

  async close(): Promise<void> {
    await this.file.close();
    await unlink(this.name).catch(() => undefined);
  }
}
