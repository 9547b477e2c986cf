import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { CommandFailure } from "../failure.ts";

/** The text of a file, or of standard input for `-` and for nothing. `needed`: what to give, for the message. */
export async function textFrom(file: string | undefined, needed: string): Promise<string> {
  if (file !== undefined && file !== "-") {
    try {
      return utf8(readFileSync(file), file);
    } catch (error) {
      if (error instanceof CommandFailure) throw error;
      throw new CommandFailure(2, "usage", `${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
    }
  }
  if (process.stdin.isTTY) throw new CommandFailure(2, "usage", needed);
  return text(process.stdin);
}

function utf8(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CommandFailure(2, "usage", `${file} is no text in UTF-8.`);
  }
}

/** A JSON document, or one JSON value a line. */
export function jsonFrom(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return text.split("\n").flatMap((line, at) => (line.trim() === "" ? [] : [jsonOfLine(line, at + 1)]));
  }
}

function jsonOfLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    const hint = "Give an array, or one observation a line.";
    throw new CommandFailure(2, "invalid_json", `Line ${number} of the input is not JSON. ${hint}`);
  }
}
