/**
 * Every operation is served through a builder of routes, which does what is the same for all: credentials, rate, size, type and
 * JSON. So that is proven with one operation of each kind (`credentials`, `size`, `order`, `protocol`).
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { operations, userOperations } from "#lib/registry.ts";

const root = join(import.meta.dirname, "../../..");

/** The builders, and where they come from. */
const builders: Readonly<Record<string, string>> = {
  route: "#lib/http/route.ts",
  userRoute: "#lib/http/user-route.ts",
  appRoute: "#lib/http/app-route.ts",
};

type Built = { address: string; builder: string; from: string; operation: string };

/** What a route file exports: `export const GET = route(listNotes);`. */
const built: Built[] = globSync("app/**/route.ts", { cwd: root }).flatMap((file) => {
  const code = readFileSync(join(root, file), "utf8");
  const from = (name: string): string =>
    [...code.matchAll(/^import \{([^}]+)\} from "([^"]+)";$/gm)].find(([, names = ""]) =>
      names.split(",").some((one) => one.trim() === name),
    )?.[2] ?? "";
  const path = `/${file
    .replace(/^app\//, "")
    .replace(/\/route\.ts$/, "")
    .replaceAll(/\[(\w+)\]/g, ":$1")}`;
  return [...code.matchAll(/^export const (\w+) = (\w+)\(\s*([^()]*?),?\s*\);$/gm)].map(
    ([, method, builder = "", operation = ""]) => ({
      address: `${method} ${path}`,
      builder,
      from: from(builder),
      operation,
    }),
  );
});

const addressesOf = (all: readonly { contract: { name: string; http: { method: string; path: string } } }[]) =>
  all.map(({ contract: { name, http } }) => `${http.method} ${http.path} ${name}`).sort();
const builtBy = (name: string) =>
  built
    .filter(({ builder }) => builder === name)
    .map(({ address, operation }) => `${address} ${operation}`)
    .sort();

describe("the builder", () => {
  test.each(Object.entries(builders))("%s is always that of %s", (name, from) => {
    const own = built.filter(({ builder }) => builder === name);
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((one) => one.from !== from)).toEqual([]);
  });

  test("of keys serves every public operation at its own address, and nothing else", () => {
    expect(builtBy("route")).toEqual(addressesOf(operations.filter(({ contract }) => contract.surface === "public")));
  });

  test("of people serves every operation of theirs at its own address, and nothing else", () => {
    expect(builtBy("userRoute")).toEqual(addressesOf(userOperations));
  });

  test("of the browser serves everything below a workspace's address, by each method", () => {
    const [address] = builtBy("appRoute").map((line) => line.replace(/^\w+ /, "").trim());
    expect(address).toMatch(/^\/api\/app\//);
    expect(builtBy("appRoute")).toEqual(["DELETE", "GET", "PATCH", "POST"].map((method) => `${method} ${address} `));
    // Files and announcements are no operations; their routes have tests of their own.
    const beside = ["exportFileRoute", "exportRoute", "liveRoute"];
    const below = built.filter((one) => one.address.includes(" /api/app/")).map(({ builder }) => builder);
    expect(below.sort()).toEqual([...Array(4).fill("appRoute"), ...beside]);
  });
});
