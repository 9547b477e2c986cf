import pino from "pino";
import { afterEach, beforeEach } from "vitest";
import { log } from "#lib/core/log.ts";

export type LogLine = { level: number; msg: string; request_id?: string; operation?: string; status?: number } & Record<
  string,
  unknown
>;

/** pino's level of an error; lower levels call for no action. */
export const ERROR = 50;

/** What a busy machine adds to any log, at any moment. */
const isStall = ({ msg }: LogLine): boolean => msg.startsWith("the event loop stalled");

/** Catches what is logged during each test of a file, at any LOG_LEVEL; but for stalls. */
export function useLog(): { lines(): LogLine[]; text(): string } {
  const written: string[] = [];
  const lines = () => written.map((line) => JSON.parse(line) as LogLine).filter((line) => !isStall(line));
  const logger = log as unknown as Record<symbol, unknown> & { level: string };
  const { streamSym } = pino.symbols;
  let before: { stream: unknown; level: string };
  beforeEach(() => {
    written.length = 0;
    before = { stream: logger[streamSym], level: logger.level };
    logger[streamSym] = { write: (line: string) => written.push(line) };
    logger.level = "trace";
  });
  afterEach(() => {
    logger[streamSym] = before.stream;
    logger.level = before.level;
  });
  return { lines, text: () => written.join("") };
}
