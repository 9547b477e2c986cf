import { randomBytes } from "node:crypto";
import { administer, onDatabase, roleOf, startServer } from "../postgres.ts";

export type Scratch = {
  /** As the app connects. */
  ownerUrl: string;
  adminUrl: string;
};

/** Gives `work` an empty database of its own and throws it away. */
export async function onScratchDatabase<T>(work: (scratch: Scratch) => Promise<T>): Promise<T> {
  const server = await startServer();
  const name = `rapport_scratch_${randomBytes(4).toString("hex")}`;
  try {
    await administer(server.adminUrl, (client) =>
      client.query(`CREATE DATABASE ${name} OWNER ${roleOf(server.appUrl)}`),
    );
    return await work({ ownerUrl: onDatabase(server.appUrl, name), adminUrl: onDatabase(server.adminUrl, name) });
  } finally {
    await administer(server.adminUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    await server.stop();
  }
}
