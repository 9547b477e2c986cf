/** A resolver on this machine, over UDP: it answers what a test says of SRV and MX records. */
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { afterAll, beforeAll } from "vitest";

export type DnsRecord =
  | { type: "SRV"; name: string; priority: number; weight: number; port: number; target: string }
  | { type: "MX"; name: string; priority: number; target: string };

const TYPES = { MX: 15, SRV: 33 } as const;

const encoded = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .split(".")
      .filter(Boolean)
      .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ]);

function short(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) buffer.writeUInt16BE(value, at * 2);
  return buffer;
}

export class DnsServer {
  readonly #socket: Socket = createSocket("udp4");
  records: DnsRecord[] = [];
  /** questions that were asked, as `SRV _imaps._tcp.acme.example` */
  readonly asked: string[] = [];
  /** it answers nothing */
  silent = false;

  async start(): Promise<void> {
    this.#socket.on("message", (message, { port, address }) => {
      const answer = this.#answer(message);
      if (answer) this.#socket.send(answer, port, address);
    });
    this.#socket.bind(0, "127.0.0.1");
    await once(this.#socket, "listening");
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  #answer(message: Buffer): Buffer | null {
    const labels: string[] = [];
    let at = 12;
    for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
      labels.push(message.toString("latin1", at + 1, at + 1 + length));
      at += length + 1;
    }
    const name = labels.join(".").toLowerCase();
    const type = message.readUInt16BE(at + 1);
    const typeName = Object.entries(TYPES).find(([, number]) => number === type)?.[0] ?? String(type);
    this.asked.push(`${typeName} ${name}`);
    if (this.silent) return null;
    const records = this.records.filter((record) => record.name === name && TYPES[record.type] === type);
    const answers = records.map((record) => {
      const data =
        record.type === "SRV"
          ? Buffer.concat([short(record.priority, record.weight, record.port), encoded(record.target)])
          : Buffer.concat([short(record.priority), encoded(record.target)]);
      return Buffer.concat([encoded(record.name), short(type, 1, 0, 60, data.length), data]);
    });
    const id = message.readUInt16BE(0);
    // An answer with recursion; without records, a name that does not exist.
    const header = short(id, records.length > 0 ? 0x8180 : 0x8183, 1, records.length, 0, 0);
    return Buffer.concat([header, message.subarray(12, at + 5), ...answers]);
  }
}

export function useDnsServer(): DnsServer {
  const server = new DnsServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  return server;
}
