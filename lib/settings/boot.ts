import { type Env, readEnv } from "./env.ts";
import type { EncryptionKey } from "./env-values.ts";
import { OperatorError } from "./operator-error.ts";
import { loadSecrets, type Secrets } from "./secrets.ts";

export type { EncryptionKey };

/** What the launcher found out before the app started. */
export interface Boot {
  readonly env: Env;
  readonly databaseUrl: string;
  readonly secrets: Secrets;
}

interface BootState {
  boot?: Boot;
  closers: (() => Promise<void> | void)[];
}

const key = Symbol.for("rapport.boot");

const state = (): BootState => {
  const store = globalThis as unknown as Record<symbol, BootState | undefined>;
  store[key] ??= { closers: [] };
  return store[key];
};

/** Called once at the start of the process: by the launcher, the command or a test. */
export function setBoot(boot: Boot): void {
  state().boot = Object.freeze(boot);
}

/** Without the launcher (a test, `next dev`) the values come from the environment, which must name a database. */
export function getBoot(): Boot {
  const store = state();
  store.boot ??= bootFromEnvironment();
  return store.boot;
}

/** The key that seals what is new; the others only open what was sealed before. */
export function currentKey(): EncryptionKey {
  const [key] = getBoot().secrets.encryptionKeys;
  if (!key) throw new Error("no encryption key is configured");
  return key;
}

function bootFromEnvironment(): Boot {
  const env = readEnv();
  if (env.DATABASE_URL === undefined) {
    throw new OperatorError(
      "There is no database: start Rapport with `npm start` or `npm run dev`, or set DATABASE_URL.",
    );
  }
  return Object.freeze({ env, databaseUrl: env.DATABASE_URL, secrets: loadSecrets(env) });
}

/** Registers what must close before the database does: pools, workers, exporters. The last one registered closes first. */
export function onShutdown(close: () => Promise<void> | void): void {
  state().closers.push(close);
}

/** Runs each registered closer once; when one fails the others still close. Returns the errors. */
export async function runShutdown(): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (let close = state().closers.pop(); close; close = state().closers.pop()) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  return failures;
}
