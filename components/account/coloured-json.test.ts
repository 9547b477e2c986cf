import fc from "fast-check";
import { expect, test } from "vitest";
import { partsOfJson } from "./coloured-json.tsx";

test("the parts of any JSON together are the JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value, null, 2);
      const text = partsOfJson(json)
        .map((part) => part.text)
        .join("");
      expect(text).toBe(json);
    }),
  );
});

test("names, texts and values are told apart", () => {
  const parts = partsOfJson('{"a \\" b": "x: 1", "n": -1.5e3, "t": [true, null]}').filter(
    ({ kind }) => kind !== "rest",
  );
  expect(parts).toEqual([
    { text: '"a \\" b"', kind: "name" },
    { text: '"x: 1"', kind: "text" },
    { text: '"n"', kind: "name" },
    { text: "-1.5e3", kind: "value" },
    { text: '"t"', kind: "name" },
    { text: "true", kind: "value" },
    { text: "null", kind: "value" },
  ]);
});
