import { z } from "zod";
import { HOUR_MS } from "#lib/text/time.ts";
import { canSign, standardWebhooks } from "./webhook-signatures.ts";

/** A key that encrypts columns. `id` travels inside each encrypted value. */
export interface EncryptionKey {
  readonly id: string;
  readonly key: Buffer;
}

/** A schema over the variable's text. An error thrown in `read` says what is wrong with it. */
export const text = <T>(read: (value: string) => T) =>
  z.string().transform((value, context): T => {
    try {
      return read(value);
    } catch (error) {
      context.addIssue({ code: "custom", message: (error as Error).message });
      return z.NEVER;
    }
  });

export const refuse = (why: string): never => {
  throw new Error(why);
};

export const integer = (min: number, max: number) =>
  text((value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : refuse("is not a whole number");
    return number >= min && number <= max ? number : refuse("is out of range");
  });

/** Hours or days, such as `24h`, in milliseconds; 1h to 30d. */
export const interval = text((value) => {
  const [, count, unit] = /^(\d{1,3})([hd])$/.exec(value) ?? refuse("is not hours or days");
  const hours = Number(count) * (unit === "d" ? 24 : 1);
  return hours >= 1 && hours <= 30 * 24 ? hours * HOUR_MS : refuse("is out of range");
});

export const oneOf = <const T extends string>(choices: readonly T[]) =>
  text((value): T => choices.find((choice) => choice === value) ?? refuse("is not one of the choices"));

export const plain = text((value) => value);

const ANY_TENANT = ["common", "organizations", "consumers"];

/** A directory of Microsoft Entra ID; not one of the words that let in people of any. */
export const tenant = text((value) => {
  if (ANY_TENANT.includes(value.toLowerCase())) refuse("would let in people of every directory");
  return /^[a-z0-9][a-z0-9.-]{0,253}$/i.test(value) ? value : refuse("is not an id or a domain");
});

/** Words with spaces between. */
export const words = text((value) => value.split(/\s+/));

/** A secret of that length or more, or several, comma separated. A comma between shorter texts is part of one secret. */
export const secrets = (length: number) =>
  text((value): readonly string[] => {
    if (value.length < length) refuse(`has ${value.length} characters`);
    const each = listed(value);
    const areSeveral = each.length > 0 && each.every((secret) => secret.length >= length);
    return Object.freeze(areSeveral ? each : [value]);
  });

/** An absolute URL with one of `schemes`, kept as written. */
export const url = (...schemes: string[]) => text((value) => toUrl(value, schemes));

/** A URL, or one fixed word with another meaning. */
export const urlOrWord = (word: string, ...schemes: string[]) =>
  text((value) => (value === word ? value : toUrl(value, schemes)));

function toUrl(value: string, schemes: readonly string[]): string {
  const parsed = URL.parse(value) ?? refuse("is not an absolute URL");
  if (!schemes.includes(parsed.protocol.slice(0, -1))) refuse(`has the scheme ${parsed.protocol}//`);
  return parsed.hostname || parsed.searchParams.get("host") ? value : refuse("names no host");
}

const toOrigin = (value: string): string => {
  const parsed = URL.parse(value) ?? refuse("is not an absolute URL");
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") refuse(`has the scheme ${parsed.protocol}//`);
  if (parsed.pathname !== "/" || parsed.search || parsed.hash || parsed.username) {
    refuse("has more than scheme, host and port");
  }
  return parsed.origin;
};

const listed = (value: string): string[] =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

export const origin = text(toOrigin);

export const origins = text((value): readonly string[] => Object.freeze([...new Set(listed(value).map(toOrigin))]));

/** Names or addresses of machines, comma separated, in lower case. */
export const hosts = text((value): readonly string[] => {
  const names = listed(value.toLowerCase());
  if (!names.every((name) => /^[a-z0-9._:-]{1,253}$/.test(name)))
    refuse("holds something else than names or addresses");
  return Object.freeze(names);
});

/** As `hosts`, for names without a port; `*.` in front of one stands for what is below it. */
export const hostPatterns = text((value): readonly string[] => {
  const patterns = listed(value.toLowerCase());
  if (!patterns.every((each) => /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(each)))
    refuse("holds something else than names, or *. and a name");
  return Object.freeze(patterns);
});

/** `<id>:<base64 of 32 bytes>`, or a comma separated list of them. */
export const encryptionKeys = text((value): readonly EncryptionKey[] => {
  const keys = listed(value).map((item): EncryptionKey => {
    const [, id, encoded] =
      /^([\w-]{1,32}):([A-Za-z0-9+/_-]+={0,2})$/.exec(item) ?? refuse("holds a key that is not <key id>:<base64>");
    const key = Buffer.from(encoded as string, "base64");
    return key.length === 32 ? Object.freeze({ id: id as string, key }) : refuse(`holds a key of ${key.length} bytes`);
  });
  if (keys.length === 0) refuse("holds no key");
  const ids = keys.map((key) => key.id);
  if (new Set(ids).size < ids.length) refuse("names a key id twice");
  return Object.freeze(keys);
});

/** A folder, or a bucket of S3 with a prefix. */
export const backupPlace = text((value) =>
  value.includes("://") && !/^s3:\/\/[a-z0-9.-]+(\/[\w.-]+)*\/?$/.test(value)
    ? refuse("is neither a folder nor s3://bucket/prefix")
    : value,
);

/** Secret keys of age, comma separated. Whether one was cut shows when it is used: that takes a library. */
export const backupKeys = text((value): readonly string[] => {
  const keys = listed(value);
  if (keys.length === 0 || !keys.every((key) => /^AGE-SECRET-KEY-(PQ-)?1[0-9A-Z]{50,}$/.test(key)))
    refuse("holds something else than keys of age");
  return Object.freeze(keys);
});

/** The sender chooses the length: anything that can verify a signature is accepted. */
export const signingSecret = text((value) =>
  canSign(standardWebhooks, value) ? value : refuse("is not a Standard Webhooks secret"),
);
