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

/** What a route file exports: `export const GET = route(listNotes);`, and in `others` whatever is written in another way. */
function readRoutes(file: string, code: string): { built: Built[]; others: string[] } {
  const from = (name: string): string =>
    [...code.matchAll(/^import \{([^}]+)\} from "([^"]+)";$/gm)].find(([, names = ""]) =>
      names.split(",").some((one) => one.trim() === name),
    )?.[2] ?? "";
  const path = `/${file
    .replace(/^app\//, "")
    .replace(/\/route\.ts$/, "")
    .replaceAll(/\[(\w+)\]/g, ":$1")}`;
  const usual = [...code.matchAll(/^export const (\w+) = (\w+)\(\s*([^()]*?),?\s*\);$/gm)];
  const places = usual.map(({ index }) => index);
  return {
    built: usual.map(([, method, builder = "", operation = ""]) => ({
      address: `${method} ${path}`,
      builder,
      from: from(builder),
      operation,
    })),
    others: [...code.matchAll(/(?<=^ *)export\b.*$/gm)]
      .filter(({ index }) => !places.includes(index))
      .map(([line]) => `${path}: ${line}`),
  };
}

const files = globSync("app/**/route.ts", { cwd: root }).map((file) =>
  readRoutes(file, readFileSync(join(root, file), "utf8")),
);
const built = files.flatMap((file) => file.built);

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

/** What is no operation: each has tests of its own. */
const noOperations: Readonly<Record<string, string>> = {
  authorizationServer: "GET /%2Ewell-known/oauth-authorization-server",
  backchannelLogout: "POST /api/auth/backchannel-logout",
  protectedResource: "GET /%2Ewell-known/oauth-protected-resource, GET /%2Ewell-known/oauth-protected-resource/mcp",
  exportFileRoute: "GET /api/app/:workspace/v2/exports/:id/file, GET /v2/exports/:id/file",
  exportRoute: "GET /api/app/:workspace/export",
  inbound: "POST /inbound/:provider, POST /inbound/:provider/:workspaceId",
  liveRoute: "GET /api/app/:workspace/live",
  mailSignInRoute: "GET /oauth/mail",
  mcp: "POST /mcp",
  registration: "POST /oauth/register",
  revocation: "POST /oauth/revoke",
  scim: [
    ...["DELETE /scim/v2/Groups/:id", "DELETE /scim/v2/Users/:id", "GET /scim/v2/Groups", "GET /scim/v2/Groups/:id"],
    ...["GET /scim/v2/ResourceTypes", "GET /scim/v2/Schemas", "GET /scim/v2/ServiceProviderConfig"],
    ...["GET /scim/v2/Users", "GET /scim/v2/Users/:id", "PATCH /scim/v2/Groups/:id", "PATCH /scim/v2/Users/:id"],
    ...["POST /scim/v2/Groups", "POST /scim/v2/Users", "PUT /scim/v2/Groups/:id", "PUT /scim/v2/Users/:id"],
  ].join(", "),
  tokens: "POST /oauth/token",
};

describe("everything else that route files export", () => {
  test("is one of these addresses", () => {
    const own = built.filter(({ builder }) => !Object.hasOwn(builders, builder));
    const found = Object.entries(Object.groupBy(own, ({ builder }) => builder)).map(([builder, all]) => [
      builder,
      (all ?? [])
        .map(({ address }) => address)
        .sort()
        .join(", "),
    ]);
    expect(Object.fromEntries(found)).toEqual(noOperations);
  });

  test("is written as one line with a builder, but for documents", () => {
    expect(files.flatMap(({ others }) => others).sort()).toEqual([
      "/docs/fonts/:name: export const GET = docsFont;",
      "/docs/guide/:page: export const GET = guide;",
      "/docs/guide: export const GET = guide;",
      "/docs/reference.css: export const GET = referenceStyle;",
      "/docs/reference.js: export const GET = referenceScript;",
      "/docs: export const GET = apiReference;",
      "/healthz: export const GET = document(async () => ({",
      "/llms-full.txt: export const GET = llmsFull;",
      "/llms.txt: export const GET = llms;",
      "/openapi.json: export const GET = document(async (exchange) => ({ status: 200, value: openApiDocument(originOf(exchange)) }));",
      "/readyz: export const GET = document(async () => {",
    ]);
  });

  test.each([
    "export async function GET(request: Request) {",
    "export { GET } from './other.ts';",
    "export default GET;",
    "export const GET = handler(async (exchange) => answer(exchange));",
    "  export const GET = handler;",
    "export let POST = route(listNotes);",
  ])("is found: %s", (line) => {
    const { built, others } = readRoutes("app/v2/x/route.ts", `import { route } from "#lib/http/route.ts";\n${line}\n`);
    expect([built, others]).toEqual([[], [`/v2/x: ${line.trim()}`]]);
  });
});
