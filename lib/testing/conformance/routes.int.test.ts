/** Every operation is served where its contract says, and nothing else is. */
import { describe, expect, test } from "vitest";
import { loadRoutes } from "#lib/http/routes.ts";
import { openApiDocument } from "#lib/openapi/document.ts";
import { operations, userOperations } from "#lib/registry.ts";
import { useLog } from "../log.fixture.ts";
import { useServer } from "../server.fixture.ts";

const server = useServer();
const logged = useLog();
const addressOf = ({ contract: { http } }: { contract: { http: { method: string; path: string } } }): string =>
  `${http.method} ${http.path}`;

const served = (await loadRoutes(process.cwd())).map(({ method, pattern }) => `${method} ${pattern}`);
/** Answers a file, so it is no operation. */
const FILE = "GET /v2/exports/:id/file";
const publicOperations = operations.filter(({ contract }) => contract.surface === "public");

describe("the registry", () => {
  test("names each operation once", () => {
    const names = [...operations, ...userOperations].map(({ contract }) => contract.name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test("has one operation at an address", () => {
    const addresses = operations.map(addressOf);
    expect(addresses.filter((address, index) => addresses.indexOf(address) !== index)).toEqual([]);
  });
});

describe("the routes", () => {
  test("serve every public operation and every operation of users", () => {
    const missing = [...publicOperations, ...userOperations]
      .map(addressOf)
      .filter((address) => !served.includes(address));
    expect(missing).toEqual([]);
  });

  test("of the API serve only operations, and the file of an export", () => {
    const known = new Set([FILE, ...[...publicOperations, ...userOperations].map(addressOf)]);
    const api = served.filter((address) => / \/(v2|api\/v1|api\/account|api\/cli)\//.test(address));
    expect(api.filter((address) => !known.has(address))).toEqual([]);
    expect(api.length).toBeGreaterThan(0);
  });

  test("of the browser serve only operations, by one address, and files and announcements", () => {
    const app = served.filter((address) => address.includes(" /api/app/"));
    const operations = ["DELETE", "GET", "PATCH", "POST"].map((method) => `${method} /api/app/:workspace/*`);
    const beside = ["export", "live", "v2/exports/:id/file"].map((path) => `GET /api/app/:workspace/${path}`);
    expect(app.sort()).toEqual([...operations, ...beside].sort());
  });

  test.each(publicOperations.map((operation) => [addressOf(operation), operation] as const))(
    "%s leads to its own operation",
    async (_address, operation) => {
      const { method, path } = operation.contract.http;
      const response = await fetch(server.url() + path.replaceAll(/:[a-z_]+/g, "x"), {
        method,
        headers: { "x-request-id": "look" },
      });
      expect([response.status, await response.json()]).toMatchObject([401, { error: "unauthorized" }]);
      const requests = logged.lines().filter(({ msg }) => msg === "request");
      expect(requests).toMatchObject([{ request_id: "look", operation: operation.contract.name }]);
    },
  );

  test("under /api/app serve every operation of a workspace by its own address", async () => {
    for (const { contract } of operations) {
      const path = `/api/app/0190a6e0-0000-7000-8000-000000000001${contract.http.path.replaceAll(/:[a-z_]+/g, "x")}`;
      const headers = { origin: server.url(), "sec-fetch-site": "same-origin" };
      const response = await fetch(server.url() + path, { method: contract.http.method, headers });
      expect([response.status, await response.json()], path).toMatchObject([401, { error: "session_required" }]);
      expect(logged.lines().at(-1)).toMatchObject({ operation: contract.name });
    }
  });
});

describe("the OpenAPI document", () => {
  type Documented = { paths: Record<string, Record<string, { operationId?: string }>> };
  const document = openApiDocument("http://api.example") as Documented;

  test("describes exactly the public operations, the file of an export, the inboxes of providers, health and readiness", () => {
    const inboxes = ["POST /inbound/:provider", "POST /inbound/:provider/:workspace_id"];
    const others = [FILE, ...inboxes, "GET /healthz", "GET /readyz"];
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
    );
    expect(described.sort()).toEqual([...publicOperations.map(addressOf), ...others].sort());
  });

  test("refers only to what it holds, and never to an internal type", () => {
    const text = JSON.stringify(document);
    for (const [, reference = ""] of text.matchAll(/"\$ref":"(#[^"]*)"/g)) {
      const target = reference
        .slice(2)
        .split("/")
        .reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], document);
      expect(target, reference).toBeDefined();
    }
    expect(text).not.toMatch(/"\$defs"|#\/\$defs|__schema/);
  });
});
