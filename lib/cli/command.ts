import type { Command } from "commander";
import type { Result } from "./answer.ts";

/** Writes a piece of an answer too large for one text; resolves when the next piece may be written. */
export type Print = (text: string) => Promise<void>;

/** A command's work. It imports services itself, once the database is open and the database client generated. */
export type Work = (print: Print) => Promise<Result>;

/** `database: "closed"`: a command on this installation that opens no database before its work. */
export type Perform = (work: Work, needs?: { database: "open" | "closed" }) => void;

/** Adds arguments, options and the action to a command of the first level. `client`: what to send as `x-service-client`. */
export type Fill = (command: Command, perform: Perform, client: string) => void;
