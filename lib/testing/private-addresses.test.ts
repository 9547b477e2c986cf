/** One list of addresses that strangers must not reach through us, and every place that asks an address that one chose. */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { wrongWith } from "#lib/domain/integrations/triggers/rules/targets.ts";
import { openCalendarClient } from "#lib/providers/caldav/client.ts";
import { readClientDocument } from "#lib/providers/client-documents.ts";
import { openMailClient } from "#lib/providers/imap/client.ts";
import type { Address } from "#lib/providers/provider.ts";
import { providerNames, providerOf } from "#lib/providers/registry.ts";
import { post } from "#lib/providers/webhook-target/post.ts";
import { setBoot } from "#lib/settings/boot.ts";
import { readEnv } from "#lib/settings/env.ts";
import { isTest, readTree } from "./structure/tree.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

beforeAll(() =>
  setBoot({ env: readEnv({} as never), databaseUrl: "", secrets: { sessionSecret: "", encryptionKeys: [] } }),
);

/** The places by their file: why they do not ask the address; null when they would. */
const places: Readonly<Record<string, (host: string) => Promise<string | null>>> = {
  "lib/providers/webhook-target/post.ts": async (host) => {
    const given = { url: `http://${host}:9/latest/meta-data`, headers: {}, body: "{}" };
    return (await post(given, { privateAllowed: false, timeoutMs: 2_000 })).problem;
  },
  "lib/providers/caldav/http.ts": (host) =>
    openCalendarClient(`https://${host}:9`, { user: "anna", password: "secret" })
      .calendars()
      .then(
        () => null,
        ({ message }: Error) => message,
      ),
  "lib/providers/client-documents.ts": (host) =>
    readClientDocument(`https://${host}:9/client.json`).then(
      () => null,
      ({ message }: Error) => message,
    ),
  "lib/providers/imap/client.ts": (host) =>
    openMailClient({ host, port: 9, secure: true }, { user: "anna", password: "secret" }).then(
      () => null,
      ({ message }: Error) => message,
    ),
};

const refusal = "Its address is not one of the public internet.";

const hosts = [
  ...["127.0.0.1", "127.1", "127.255.255.254", "2130706433", "0x7f000001", "0x7f.1", "017700000001", "0177.0.0.1"],
  ...["0.0.0.0", "0", "0.1.2.3", "10.0.0.1", "10.1", "0xa.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
  ...["169.254.169.254", "2852039166", "0xA9FEA9FE", "169.254.170.2", "100.64.0.1", "100.100.100.200"],
  ...["192.0.0.192", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1"],
  ...["255.255.255.255", "１２７.0.0.1", "127。0。0。1", "127.0.0.1."],
  ...[
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:a9fe:a9fe]",
    "[::127.0.0.1]",
    "[::a9fe:a9fe]",
  ],
  ...["[::ffff:0:7f00:1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::a9fe:a9fe]", "[2002:7f00:1::]", "[2001:0:7f00:1::]"],
  ...["[fe80::1]", "[fec0::1]", "[fc00::1]", "[fd00:ec2::254]", "[ff02::1]", "[100::1]", "[2001:db8::1]", "[4000::1]"],
  ...["localhost", "LOCALHOST"],
];

describe.each(Object.entries(places))("%s", (_, ask) => {
  test.each(hosts)("does not ask %s", async (host) => {
    expect(await ask(host)).toBe(refusal);
  });
});

/** One of each kind: how they are read is proven above. */
const some = ["127.0.0.1", "2130706433", "169.254.169.254", "10.0.0.1", "[::1]", "[::ffff:a9fe:a9fe]", "localhost"];

/** What a provider is asked, with the address that its name led to. Fathom is asked nothing: it only delivers. */
const questions = providerNames.flatMap((name): [string, (address: Address) => Promise<unknown>][] => {
  const provider = providerOf(name);
  const { ask, category, crm } = provider;
  const credentials = Object.fromEntries(provider.credentials.required.map((field) => [field, "secret"]));
  const asked: [string, (address: Address) => Promise<unknown>][] = [];
  if (category !== "recording") asked.push([`${name}: whose account it is`, (address) => ask(address, credentials)]);
  if (crm)
    asked.push([
      `${name}: its contacts`,
      (address) => crm.open({ ...address, token: "secret", portal: "", turn: async () => undefined }).listContacts(""),
    ]);
  if (provider.deliveries === "registered")
    asked.push([
      `${name}: its subscriptions`,
      (address) => provider.subscriptions.find(address, credentials, "https://rapport.example.com/"),
    ]);
  return asked;
});

describe.each(questions)("%s", (_, question) => {
  test.each(some)("is not asked at %s", async (host) => {
    const asked = question({ base: `http://${host}:9`, configured: false });
    await expect(asked).rejects.toMatchObject({
      trouble: "unreachable",
      reason: "its name leads to a private address",
    });
  });
});

test("every provider but the one that only delivers is asked there", () => {
  const asked = new Set(questions.map(([what]) => what.split(":")[0]));
  expect(providerNames.filter((name) => !asked.has(name))).toEqual(["fathom"]);
  const fetching = readTree(root)
    .filter(({ path, text }) => path.startsWith("lib/providers/") && !isTest(path) && /\bfetch\(/.test(text))
    .map(({ path }) => path);
  // The others ask the operator's own address; what IMAP calls FETCH is asked of a connection.
  expect(fetching.toSorted()).toEqual([
    "lib/providers/embeddings/client.ts",
    "lib/providers/imap/client.ts",
    "lib/providers/llm/client.ts",
    "lib/providers/request.ts",
  ]);
});

test.each([
  ...hosts,
  "db.internal",
  "printer.local",
  "router.home.arpa",
  "intranet",
  "rapport.localhost",
  "localhost.",
])("a trigger is not saved for %s", (host) =>
  expect(wrongWith(`https://${host}/`, { privateAllowed: false })).not.toBeNull(),
);

test("every file that asks addresses of strangers is one of these places", () => {
  const door = "lib/providers/checked-lookup.ts";
  const asking = readTree(root)
    .filter(({ path, imports }) => !isTest(path) && imports.some(({ target }) => target === door))
    .map(({ path }) => path);
  expect(asking.toSorted()).toEqual(Object.keys(places).toSorted());
});
