import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { style } from "./page-style.ts";

test("the colours of /docs are those of the app", () => {
  const valuesIn = (css: string) =>
    new Map(
      [...css.matchAll(/--([a-z-]+):\s*(light-dark\([^)]*\))/g)].map(([, name = "", value = ""]) => [
        name,
        value.replaceAll(" ", ""),
      ]),
    );
  const app = valuesIn(readFileSync(new URL("../../app/globals.css", import.meta.url), "utf8"));
  const own = [...valuesIn(style)];
  expect(own.length).toBeGreaterThan(12);
  for (const [name, value] of own) expect([name, value]).toEqual([name, app.get(name)]);
});
