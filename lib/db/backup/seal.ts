import { ReadableStream as WebStream } from "node:stream/web";
import { setImmediate as turn } from "node:timers/promises";
import type { Decrypter, Encrypter } from "age-encryption";
import { OperatorError } from "#lib/settings/operator-error.ts";
import type { Storage } from "./storage.ts";

/** How a sealed file begins: the format of age (age-encryption.org), which its own tools open too. */
const SEALED = Buffer.from("age-encryption.org/v1\n");
/** So much is sealed before others have their turn: this runs in the app too. */
const AT_ONCE = 64 * 1024;

type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * A storage whose files are sealed with the first key, and opened with whichever fits. Without a key files are written as they are.
 * Files that are not sealed are read as they are: a key may have been set later.
 */
export function sealedStorage(storage: Storage, keys: readonly string[]): Storage {
  let tools: Promise<Tools> | undefined;
  const load = () => {
    tools ??= loadTools(keys);
    return tools;
  };
  return {
    ...storage,
    write: async (name, pieces) => {
      if (keys.length === 0) return storage.write(name, pieces);
      const { encrypter } = await load();
      return storage.write(name, await encrypter.encrypt(streamOf(inTurns(pieces))));
    },
    read: async (name) => {
      const stored = await storage.read(name);
      if (!stored) return null;
      const { isSealed, pieces, close } = await peek(stored);
      if (!isSealed) return pieces;
      const file = `${storage.address}/${name}`;
      try {
        if (keys.length === 0)
          throw new OperatorError(`${file} is sealed: set BACKUP_KEY to the key that it was sealed with.`);
        return await unseal((await load()).decrypter, pieces, file);
      } catch (error) {
        await close();
        throw error;
      }
    },
  };
}

type Tools = { encrypter: Encrypter; decrypter: Decrypter };

async function loadTools(keys: readonly string[]): Promise<Tools> {
  const age = await import("age-encryption");
  const [encrypter, decrypter] = [new age.Encrypter(), new age.Decrypter()];
  try {
    for (const key of keys) decrypter.addIdentity(key);
    encrypter.addRecipient(await age.identityToRecipient(keys[0] as string));
  } catch (error) {
    throw new OperatorError("BACKUP_KEY holds a key that was cut or changed; rapport admin backup key makes one.", {
      cause: error,
    });
  }
  return { encrypter, decrypter };
}

/** A new key for `BACKUP_KEY`. */
export const makeKey = async (): Promise<string> => (await import("age-encryption")).generateX25519Identity();

/** The plain pieces. What does not fit says which file it is; an error of reading stays what it is. */
async function unseal(decrypter: Decrypter, pieces: Pieces, file: string): Promise<AsyncIterable<Uint8Array>> {
  let unread: { error: unknown } | undefined;
  const reading = async function* () {
    try {
      yield* inTurns(pieces);
    } catch (error) {
      unread = { error };
      throw error;
    }
  };
  const reasonOf = (error: unknown): unknown => {
    if (unread) return unread.error;
    const isOtherKey = (error as Error).message.startsWith("no identity matched");
    return new OperatorError(
      isOtherKey
        ? `${file} was sealed with another key than BACKUP_KEY.`
        : `The backup is broken: ${file} was cut or changed since it was sealed.`,
      { cause: error },
    );
  };
  try {
    const plain = await decrypter.decrypt(streamOf(reading()));
    return (async function* () {
      try {
        yield* plain;
      } catch (error) {
        throw reasonOf(error);
      }
    })();
  } catch (error) {
    throw reasonOf(error);
  }
}

async function* inTurns(pieces: Pieces): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces)
    for (let place = 0; place < piece.length; place += AT_ONCE) {
      yield piece.subarray(place, place + AT_ONCE);
      await turn();
    }
}

/** As the types of browsers know it, which age uses. */
const streamOf = (pieces: AsyncIterable<Uint8Array>) => WebStream.from(pieces) as unknown as ReadableStream<Uint8Array>;

/** Whether a file is sealed, and all of it. */
async function peek(stored: AsyncIterable<Uint8Array>) {
  const rest = stored[Symbol.asyncIterator]();
  const start: Uint8Array[] = [];
  const length = () => start.reduce((sum, piece) => sum + piece.length, 0);
  for (let isOver = false; !isOver && length() < SEALED.length; ) {
    const { done, value } = await rest.next();
    if (done) isOver = true;
    else start.push(value);
  }
  const isSealed = Buffer.concat(start).subarray(0, SEALED.length).equals(SEALED);
  return { isSealed, pieces: again(start, rest), close: () => rest.return?.() };
}

async function* again(start: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* start;
    yield* { [Symbol.asyncIterator]: () => rest };
  } finally {
    await rest.return?.();
  }
}
