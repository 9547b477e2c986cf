import { connect, type Socket } from "node:net";

/** A connection on which a test decides what is sent, and when. */
export type Wire = {
  write(text: string | Buffer): void;
  /** Resolves with everything received once it matches. */
  until(pattern: RegExp): Promise<string>;
  /** Resolves with everything received when the other side has closed. */
  closed: Promise<string>;
  destroy(): void;
  socket: Socket;
};

export function openWire(url: string): Wire {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = "";
  const closed = new Promise<string>((resolve) => socket.on("close", () => resolve(received)));
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
  });
  socket.on("error", () => undefined); // a reset ends in "close" too, which is what tests look at
  return {
    socket,
    closed,
    write: (text) => void socket.write(text),
    destroy: () => void socket.destroy(),
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!pattern.test(received)) return;
          clearTimeout(timer);
          socket.off("data", look);
          resolve(received);
        };
        const timer = setTimeout(
          () => reject(new Error(`not received: ${pattern}\nbut: ${received.slice(-2_000)}`)),
          30_000,
        );
        socket.on("data", look);
        look();
      }),
  };
}

/** A request as text: every header on its own line, with the body's length unless the headers say otherwise. */
export function requestText(line: string, headers: Record<string, string> = {}, body = ""): string {
  const all: Record<string, string> = { host: "localhost", ...headers };
  if (body !== "" && !all["transfer-encoding"] && !all["content-length"])
    all["content-length"] = String(Buffer.byteLength(body));
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

/** One chunk of a chunked body. */
export const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
