import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EncryptionKey } from "#lib/settings/env-values.ts";
import { decrypt, encrypt, keyIdOf } from "./encrypted.ts";

const key = (id: string): EncryptionKey => ({ id, key: Buffer.alloc(32, id) });
const keys = [key("k2"), key("k1")];
const text = fc.string({ unit: "grapheme" });

describe("an encrypted value", () => {
  test("decrypts to the original text", () => {
    fc.assert(
      fc.property(text, text, (clear, purpose) => decrypt(keys, purpose, encrypt(keys, purpose, clear)) === clear),
    );
  });

  test("is sealed with the first key and opens with any", () => {
    const old = encrypt([key("k1")], "p", "secret");
    expect(keyIdOf(old)).toBe("k1");
    expect(keyIdOf(encrypt(keys, "p", "secret"))).toBe("k2");
    expect(decrypt(keys, "p", old)).toBe("secret");
  });

  test("differs each time and does not show its text", () => {
    const values = Array.from({ length: 50 }, () => encrypt(keys, "p", "a secret of some length"));
    expect(new Set(values).size).toBe(50);
    for (const value of values) {
      const shown = value + value.split(".").map((part) => Buffer.from(part, "base64url").toString("latin1"));
      expect(shown).not.toContain("secret");
    }
  });

  test("does not open for another purpose", () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        fc.pre(one !== other);
        expect(() => decrypt(keys, other, encrypt(keys, one, "secret"))).toThrow();
      }),
    );
  });

  test("does not open when any one bit of it changed", () => {
    const sealed = encrypt(keys, "p", "secret");
    const [version, id, ...parts] = sealed.split(".");
    parts.forEach((part, place) => {
      const bytes = Buffer.from(part, "base64url");
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
        const value = [version, id, ...parts.with(place, changed.toString("base64url"))].join(".");
        expect(() => decrypt(keys, "p", value), `part ${place} bit ${bit}`).toThrow();
      }
    });
  });

  test("does not open when it was cut short, its tag included", () => {
    const sealed = encrypt(keys, "p", "secret");
    for (let length = 0; length < sealed.length; length++) {
      // Base64url ignores half a byte at the end: at least a whole byte must be missing.
      const cut = sealed.slice(0, length);
      const [a, b] = [cut, sealed].map((value) => Buffer.from(value.split(".")[3] ?? "", "base64url"));
      if (a?.equals(b as Buffer)) continue;
      expect(() => decrypt(keys, "p", cut), `${length} characters`).toThrow();
    }
  });

  test("does not open as the value of another key", () => {
    const sealed = encrypt(keys, "p", "secret").replace("v1.k2.", "v1.k1.");
    expect(() => decrypt(keys, "p", sealed)).toThrow();
  });

  test.each([
    "",
    "secret",
    "v1",
    "v1.k2.AAAA",
    "v2.k2.AAAA.AAAA",
    "v1.gone.AAAA.AAAA",
    "v1.k2.AAAA.AAAA",
    "v1.k2..AAAA",
  ])("is not %j", (value) => {
    expect(() => decrypt(keys, "p", value)).toThrow();
  });

  test("needs a key to be made", () => {
    expect(() => encrypt([], "p", "secret")).toThrow("no encryption key");
  });
});
