import { expect, test } from "vitest";
import { arrayBinary } from "./array-binary.ts";

/** The bytes of an array, given its type's number and its elements with their lengths. */
function bytesOf(oid: number, ...elements: (string | null)[]): string {
  const int = (value: number) => (value >>> 0).toString(16).padStart(8, "0");
  const head = [1, elements.includes(null) ? 1 : 0, oid, elements.length, 1].map(int).join("");
  return head + elements.map((hex) => (hex === null ? int(-1) : int(hex.length / 2) + hex)).join("");
}

const id = "01920000-ABCD-7000-8000-00000000abef";
const idBytes = "01920000abcd7000800000000000abef";
const at = new Date("2000-01-01T00:00:00.001Z");
const high = "\u0141".repeat(100); // its UTF-16 has the low byte of a letter

const written: [type: string, values: unknown[], bytes: string][] = [
  ["uuid", [id, null, id, undefined], bytesOf(2950, idBytes, null, idBytes, null)],
  ["uuid", [null, null, id.toLowerCase()], bytesOf(2950, null, null, idBytes)],
  ["text", ["a", null, "", "ü€😀"], bytesOf(25, "61", null, "", "c3bce282acf09f9880")],
  ["text", ["\ud83d", "\ude00"], bytesOf(25, "efbfbd", "efbfbd")],
  ["text", [1, -0, true, 3n, at], bytesOf(25, ...["1", "0", "true", "3", at.toISOString()].map(hexOf))],
  ["text", [high], bytesOf(25, hexOf(high))],
  ["jsonb", ['{"a":1}', null], bytesOf(3802, `01${hexOf('{"a":1}')}`, null)],
  [
    "int",
    [1, -1, -0, 2147483647, -2147483648],
    bytesOf(23, "00000001", "ffffffff", "00000000", "7fffffff", "80000000"),
  ],
  ["bigint", [1, -1, 2 ** 53 - 1], bytesOf(20, "0000000000000001", "ffffffffffffffff", "001fffffffffffff")],
  ["float8", [1.5, -0, Number.NaN], bytesOf(701, "3ff8000000000000", "0000000000000000", "7ff8000000000000")],
  ["bool", [true, false], bytesOf(16, "01", "00")],
  ["bytea", [Buffer.from("a"), new Uint8Array(2)], bytesOf(17, "61", "0000")],
  ["timestamptz", [at, new Date("1999-12-31T23:59:59.999Z")], bytesOf(1184, "00000000000003e8", "fffffffffffffc18")],
];

function hexOf(text: string): string {
  return Buffer.from(text).toString("hex");
}

test.each(written)("%s, %#", (type, values, bytes) => {
  expect(arrayBinary(type, values)?.toString("hex")).toBe(bytes);
});

const left: [type: string, ...values: unknown[]][] = [
  ["uuid"],
  ["date", "2026-11-22"],
  ["constructor", "a"],
  ["uuid", id, `{${id.slice(2)}}`],
  ["uuid", id.replaceAll("-", "")],
  ["uuid", id.replace("-", "0")],
  ["uuid", `${id.slice(0, -1)}g`],
  ["uuid", `${id.slice(0, -1)}\u0130`], // its low byte is a digit
  ["uuid", `\u0130${id.slice(1)}`, id],
  ["uuid", 1],
  ["text", ["a"]],
  ["text", {}],
  ["text", new Date(Number.NaN)],
  ["jsonb", { a: 1 }],
  ["jsonb", 1],
  ["int", 2147483648],
  ["int", 1.5],
  ["int", "1"],
  ["bigint", 2 ** 53],
  ["bigint", "1"],
  ["float8", "1"],
  ["bool", "true"],
  ["bytea", "\\x00"],
  ["timestamptz", at, "2026-11-22"],
  ["timestamptz", new Date("2286-01-01")],
  ["timestamptz", new Date("1714-01-01")],
  ["timestamptz", new Date(Number.NaN)],
];

test.each(left)("%s, %#: what it does not usually have is left to the text", (type, ...values) => {
  expect(arrayBinary(type, values)).toBeNull();
});

test("a large array is whole, and one after it too", () => {
  const many = Array.from({ length: 3_000 }, (_, place) => `${place} ${"ä".repeat(300)}`);
  const bytes = bytesOf(25, ...many.map(hexOf));
  const large = arrayBinary("text", many);
  const ids = Array.from({ length: 3_000 }, () => id);
  expect(arrayBinary("uuid", ids)?.toString("hex")).toBe(bytesOf(2950, ...ids.map(() => idBytes)));
  expect(arrayBinary("text", ["a"])?.toString("hex")).toBe(bytesOf(25, "61"));
  expect(large?.toString("hex") === bytes).toBe(true);
});
