import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll } from "vitest";

export type ReceivedMail = { to: string[]; text: string };

/** A small mail server for a test file; it keeps what it gets. */
export function useMailServer(): { url(): string; received: ReceivedMail[] } {
  const received: ReceivedMail[] = [];
  const server = createServer((socket) => {
    let mail: ReceivedMail = { to: [], text: "" };
    let inData = false;
    let rest = "";
    const say = (line: string) => socket.write(`${line}\r\n`);
    say("220 test ESMTP");
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      const lines = (rest + chunk.toString()).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (inData && line === ".") {
          inData = false;
          received.push({ to: mail.to, text: decodeQuotedPrintable(mail.text) });
          mail = { to: [], text: "" };
          say("250 kept");
        } else if (inData) mail.text += `${line}\n`;
        else if (/^RCPT TO:/i.test(line)) {
          mail.to.push(line.replace(/^RCPT TO:<(.*)>.*$/i, "$1"));
          say("250 ok");
        } else if (/^DATA/i.test(line)) {
          inData = true;
          say("354 go on");
        } else if (/^QUIT/i.test(line)) {
          say("221 bye");
          socket.end();
        } else say("250 ok");
      }
    });
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { url: () => `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

const decodeQuotedPrintable = (text: string): string =>
  text
    .replaceAll("=\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
