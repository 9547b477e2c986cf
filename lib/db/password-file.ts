import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import pg from "pg";
import { OperatorError } from "#lib/settings/operator-error.ts";

/**
 * From now on every connection whose address has no password reads it from this file, at the moment in which it is made. So a token that
 * lasts for minutes, or a password that is changed now and then, is used as long as it is good.
 */
export function readPasswordFrom(file: string | undefined): void {
  // The driver takes a function wherever it takes a password, and calls it on the client; its types say so of a client only.
  const password =
    file === undefined
      ? undefined
      : async function (this: { connection: { stream: Socket } }): Promise<string> {
          try {
            return await passwordIn(file);
          } catch (error) {
            // The driver reports the error and leaves the socket open, and Postgres waits for the password for a minute.
            setImmediate(() => this.connection.stream.destroy());
            throw error;
          }
        };
  Object.assign(pg.defaults, { password });
}

async function passwordIn(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`DATABASE_PASSWORD_FILE cannot be read: ${file} (${error.code}).`, { cause: error });
  });
  const password = text.replace(/\r?\n$/, "");
  if (password === "") throw new OperatorError(`DATABASE_PASSWORD_FILE is empty: ${file}.`);
  return password;
}
