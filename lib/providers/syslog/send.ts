import { once } from "node:events";
import { hostname } from "node:os";
import { connect } from "node:tls";
import { VERSION } from "#lib/settings/version.ts";
import { noAnswerWords } from "../no-answer.ts";

/** One message: `id` says what kind of event it is, in 32 characters at most; `text` is what happened. */
export type SyslogMessage = { at: string; id: string; isWarning: boolean; text: string };

/** The port of syslog over TLS (RFC 5425). */
const PORT = 6514;
const TIMEOUT_MS = 15_000;

/** "Log audit", and the two severities that are used. */
const FACILITY = 13;
const [WARNING, INFORMATIONAL] = [4, 6];

const printable = (text: string, most: number): string => text.replaceAll(/[^\x21-\x7e]/g, "").slice(0, most) || "-";

/** A message as RFC 5424 has it, with its length in front (RFC 5425, 4.3). */
export function frameOf({ at, id, isWarning, text }: SyslogMessage, host = hostname()): string {
  const priority = FACILITY * 8 + (isWarning ? WARNING : INFORMATIONAL);
  const origin = `[origin software="Rapport" swVersion="${VERSION}"]`;
  const message = `<${priority}>1 ${at} ${printable(host, 255)} rapport - ${printable(id, 32)} ${origin} ${text}`;
  return `${Buffer.byteLength(message)} ${message}`;
}

/**
 * Sends messages in order over a TLS connection of their own, whose certificate must be valid. Resolves with null once all of
 * them were handed over and the connection was closed without an error, since syslog acknowledges nothing; else with why not.
 * Never throws.
 */
export async function sendSyslog(
  url: string,
  messages: readonly SyslogMessage[],
  signal: AbortSignal,
): Promise<string | null> {
  const { hostname: host, port } = new URL(url);
  const servername = /[a-z]/i.test(host) && !host.startsWith("[") ? { servername: host } : {};
  const socket = connect({ host: host.replaceAll(/[[\]]/g, ""), port: Number(port || PORT), ...servername });
  const over = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    socket.on("error", () => undefined); // reported where it is awaited
    await once(socket, "secureConnect", { signal: over });
    socket.end(messages.map((message) => frameOf(message)).join(""));
    socket.resume();
    if (!socket.closed) await once(socket, "close", { signal: over });
    return socket.errored ? wordsFor(socket.errored) : null;
  } catch (error) {
    return over.aborted ? "It did not answer in time." : wordsFor(error);
  } finally {
    socket.destroy();
  }
}

const wordsFor = (error: unknown): string =>
  noAnswerWords(error) ?? `The connection failed: ${(error as NodeJS.ErrnoException).code ?? "unknown"}.`;
