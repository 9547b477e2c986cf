import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { Env } from "./env.ts";
import { type EncryptionKey, encryptionKeys } from "./env-values.ts";
import { OperatorError } from "./operator-error.ts";
import { writeAtomically } from "./write-atomically.ts";

export interface Secrets {
  readonly sessionSecret: string;
  /** Those before, which still open what they sealed. */
  readonly oldSessionSecrets?: readonly string[];
  /** The first encrypts, all decrypt. */
  readonly encryptionKeys: readonly EncryptionKey[];
}

const SecretsFile = z.object({ sessionSecret: z.string().min(32), encryptionKeys });

const fileOf = (env: Env): string => path.join(/*turbopackIgnore: true*/ env.RAPPORT_DATA_DIR, "secrets.json");

/**
 * The session secret and the encryption keys: from the environment, else from `secrets.json` in the data folder,
 * which the first start writes. Keys of the file still decrypt after `ENCRYPTION_KEY` is set.
 */
export function loadSecrets(env: Env): Secrets {
  const file = fileOf(env);
  const complete = env.SESSION_SECRET !== undefined && env.ENCRYPTION_KEY !== undefined;
  const stored = readStored(file) ?? (complete ? undefined : createStored(file));
  if (stored) keepPrivate(file);
  const [sessionSecret = "", ...oldSessionSecrets] = env.SESSION_SECRET ?? [stored?.sessionSecret as string];
  return Object.freeze({ sessionSecret, oldSessionSecrets, encryptionKeys: keysOf(env, stored) });
}

/** Every secret that opens what concerns sessions, the current one first. */
export const sessionSecretsOf = ({ sessionSecret, oldSessionSecrets = [] }: Secrets): readonly string[] => [
  sessionSecret,
  ...oldSessionSecrets,
];

/** The encryption keys of an installation, without changing anything; none where there are none yet. */
export const readEncryptionKeys = (env: Env): readonly EncryptionKey[] => keysOf(env, readStored(fileOf(env)));

type Stored = z.output<typeof SecretsFile>;

function keysOf(env: Env, stored: Stored | undefined): readonly EncryptionKey[] {
  const keys = env.ENCRYPTION_KEY ?? [];
  const kept = stored?.encryptionKeys.filter((key) => !keys.some(({ id }) => id === key.id)) ?? [];
  return Object.freeze([...keys, ...kept]);
}

function createStored(file: string): Stored | undefined {
  const secrets = {
    sessionSecret: randomBytes(32).toString("base64url"),
    encryptionKeys: `k${randomBytes(3).toString("hex")}:${randomBytes(32).toString("base64")}`,
  };
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    // Two processes may do their first start at the same time: both use the file that was written first.
    writeAtomically(file, `${JSON.stringify(secrets, null, 2)}\n`, { exclusive: true });
  } catch (error) {
    throw new OperatorError(`Cannot write ${file}: ${(error as Error).message}`, { cause: error });
  }
  return readStored(file);
}

function readStored(file: string): Stored | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new OperatorError(`Cannot read ${file}: ${message}`, { cause: error });
  }
  try {
    return SecretsFile.parse(JSON.parse(text));
  } catch (error) {
    throw new OperatorError(
      `${file} is damaged: restore it from a backup (without its encryption key, stored credentials cannot be read).`,
      { cause: error },
    );
  }
}

/** Removes everyone else's access to the file. */
function keepPrivate(file: string) {
  if (process.platform === "win32" || (statSync(file).mode & 0o077) === 0) return;
  try {
    chmodSync(file, 0o600);
  } catch (error) {
    throw new OperatorError(`${file} can be read by other users: run chmod 600 ${file}`, { cause: error });
  }
}
