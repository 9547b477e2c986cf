import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { twMerge } from "tailwind-merge";
import { describe, expect, it } from "vitest";
import { merge } from "./merge.ts";

const root = join(import.meta.dirname, "../..");

/** Every word in a string of the project that could be a class. */
function candidates(): string[] {
  const found = new Set<string>();
  for (const folder of ["app", "components"]) {
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      if (!/\.tsx?$/.test(file) || /\.test\.tsx?$|ui\/merge\.ts$/.test(file)) continue;
      for (const [text] of readFileSync(join(root, folder, file), "utf8").matchAll(/"[^"\n]*"|`[^`]*`/g)) {
        for (const word of text.slice(1, -1).split(/\s+/)) if (/^[!-]?[a-z[][^"`;{}$<]*$/.test(word)) found.add(word);
      }
    }
  }
  return [...found];
}

const withoutConditions = (name: string): string => name.replace(/^(?:(?:\[[^\]]*\]|\([^)]*\)|[^[(:])*:(?=.))*!?/, "");

/** tailwind-merge keeps one of two equal classes, but both of two equal words that it does not know. */
const isKnown = (name: string): boolean => twMerge(`${name} ${name}`) === name;

describe("merge", () => {
  const used = candidates();
  const bare = [...new Set(used.map(withoutConditions))].filter(isKnown);

  it("reads the classes of the project", () => {
    expect(bare).toEqual(expect.arrayContaining(["h-8", "text-sm", "border-b", "rounded-md", "bg-hover", "inset-y-0"]));
  });

  it("agrees with tailwind-merge on any two classes we use", () => {
    const differing = bare.flatMap((first) =>
      bare
        .map((second) => `${first} ${second}`)
        .filter((both) => merge(both) !== twMerge(both))
        .map((both) => `${both}: ${merge(both)}, not ${twMerge(both)}`),
    );
    expect(differing).toEqual([]);
  });

  it("agrees with it about conditions", () => {
    for (const name of used) {
      const plain = withoutConditions(name);
      if (plain === "" || plain === name || !isKnown(plain)) continue;
      for (const both of [`${name} ${plain}`, `${plain} ${name}`, `${name} ${name}`]) {
        expect(merge(both), both).toBe(twMerge(both));
      }
    }
  });

  it("keeps the order and the words it does not know", () => {
    expect(merge("  h-8 hook  px-2 h-auto px-0 other-hook ")).toBe("hook h-auto px-0 other-hook");
    expect(merge("")).toBe("");
    expect(merge("size-4 h-6")).toBe("size-4 h-6");
    expect(merge("h-6 size-4")).toBe("size-4");
    expect(merge("hover:bg-hover bg-card hover:bg-muted")).toBe("bg-card hover:bg-muted");
    expect(merge("!h-7 h-8")).toBe("!h-7 h-8");
    expect(merge("[&>svg]:size-4 [&>svg]:size-3 size-5")).toBe("[&>svg]:size-3 size-5");
  });
});
