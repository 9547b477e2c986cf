import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  companyDomain,
  companyDomainOf,
  type IdentifierKind,
  identifierKey,
  normaliseCompanyName,
  normaliseDomain,
  normaliseEmail,
  normaliseLinkedinUrl,
  notFoundMessage,
  parseFocus,
  type Sought,
  typeNamedBy,
  withEmployers,
} from "./rules.ts";

/** A second reading of a canonical form gives the same form, whatever text it came from. */
function isIdempotent(normalise: (text: string) => string | null, text: fc.Arbitrary<string>): void {
  fc.assert(
    fc.property(text, (given) => {
      const once = normalise(given);
      if (once !== null) expect(normalise(once)).toBe(once);
    }),
    { numRuns: 500 },
  );
}

const wild = fc.string({ unit: "grapheme", maxLength: 40 });
const label = fc.stringMatching(/^[a-zA-Z0-9éüß-]{1,12}$/);
const suffix = fc.constantFrom(
  "com",
  "de",
  "co.uk",
  "github.io",
  "COM.",
  "xn--p1ai",
  "рф",
  "invalid",
  "s3.amazonaws.com",
);
const host = fc
  .tuple(fc.array(fc.oneof(label, fc.constant("www")), { minLength: 1, maxLength: 3 }), suffix)
  .map(([labels, end]) => [...labels, end].join("."));

/** With 64 characters and an @ before it, it makes an address of 254. */
const LONGEST_HOST = `${"a".repeat(57)}.${"a".repeat(63)}.${"a".repeat(63)}.com`;

describe("an e-mail address", () => {
  test.each([
    ["ada@acme.com", "ada@acme.com"],
    ["  Ada.Lovelace@ACME.com\n", "ada.lovelace@acme.com"],
    ["ada+sales@acme.co.uk", "ada+sales@acme.co.uk"],
    ["o'brien@acme.ie", "o'brien@acme.ie"],
    ["ada@mail.acme.github.io", "ada@mail.acme.github.io"],
    ["ada@www.acme.com", "ada@www.acme.com"],
    ["grace@prospect.example", "grace@prospect.example"],
    ["ada@acme.com.", "ada@acme.com"],
    ["ada@MÜNCHEN.de", "ada@xn--mnchen-3ya.de"],
    ["ada@xn--mnchen-3ya.de", "ada@xn--mnchen-3ya.de"],
    ["a@x.com", "a@x.com"],
    ["ada@मी.भारत", "ada@xn--r2b0b.xn--h2brj9c"],
    [`${"a".repeat(64)}@${LONGEST_HOST}`, `${"a".repeat(64)}@${LONGEST_HOST}`],
    ["a.!#$%&'*+/=?^_`{|}~-z09@acme.com", "a.!#$%&'*+/=?^_`{|}~-z09@acme.com"],
    [`${"a".repeat(64)}@acme.com`, `${"a".repeat(64)}@acme.com`],
  ])("%j is %s", (text, expected) => {
    expect(normaliseEmail(text)).toBe(expected);
  });

  test.each([
    "",
    "ada",
    "ada@",
    "@acme.com",
    "ada@acme",
    "ada@localhost",
    "ada@acme.invalidtld",
    "ada@com",
    "ada@example",
    "ada@acme.invalid",
    "ada@co.uk",
    "ada@github.io",
    "ada@127.0.0.1",
    "ada@127.0.0.10",
    "ada@[127.0.0.1]",
    "ada@acme.com:25",
    "ada@@acme.com",
    "ada@acme@acme.com",
    "ada lovelace@acme.com",
    "ada@ac me.com",
    ".ada@acme.com",
    "ada.@acme.com",
    "a..da@acme.com",
    "ada@acme..com",
    "ada@.acme.com",
    "ada@-acme.com",
    "ada@acme-.com",
    "Ada Lovelace <ada@acme.com>",
    "mailto:ada@acme.com",
    '"ada"@acme.com',
    "ada@acme.com/x",
    "ada@acme.com?x",
    "ada@acme.com#x",
    "åda@acme.com",
    `${"a".repeat(65)}@acme.com`,
    `ada@${"a".repeat(64)}.com`,
    `${"a".repeat(64)}@a${LONGEST_HOST}`,
    `ada@${"abcdefghi.".repeat(26)}com`,
  ])("%j is none", (text) => {
    expect(normaliseEmail(text)).toBeNull();
  });

  test("is canonical after one reading", () => {
    isIdempotent(
      normaliseEmail,
      fc.oneof(
        wild,
        fc.tuple(wild, host).map(([local, at]) => `${local}@${at}`),
      ),
    );
    isIdempotent(
      normaliseEmail,
      fc.tuple(fc.stringMatching(/^[\w.+'-]{1,20}$/), host).map(([local, at]) => `${local}@${at}`),
    );
  });

  test("does not depend on case or surrounding space", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9.+-]{1,20}@[a-z0-9-]{1,12}\.(com|io|de)$/), (email) => {
        expect(normaliseEmail(` ${email.toUpperCase()}\t`)).toBe(normaliseEmail(email));
      }),
    );
  });
});

describe("a LinkedIn URL", () => {
  const ada = "https://www.linkedin.com/in/ada-lovelace";

  test.each([
    "https://www.linkedin.com/in/ada-lovelace",
    "https://www.linkedin.com/in/ada-lovelace/",
    "http://linkedin.com/in/ada-lovelace",
    "HTTPS://WWW.LINKEDIN.COM/IN/ADA-LOVELACE",
    "linkedin.com/in/Ada-Lovelace",
    "www.linkedin.com/in/ada-lovelace",
    "https://de.linkedin.com/in/ada-lovelace",
    "https://m.linkedin.com/in/ada-lovelace",
    "https://usa.linkedin.com/in/ada-lovelace",
    "https://www.linkedin.com:443/in/ada-lovelace",
    "https://www.linkedin.com:8/in/ada-lovelace",
    "https://www.linkedin.com:65535/in/ada-lovelace",
    "https://uk.linkedin.com/in/ada-lovelace/?trk=x#y",
    "https://www.linkedin.com/in/ada-lovelace?utm_source=share",
    "https://www.linkedin.com/in/ada-lovelace#about",
    "https://www.linkedin.com/in/ada-lovelace/de",
    "https://www.linkedin.com/in/ada-lovelace/details/experience/",
    "  https://www.linkedin.com/in/ada-lovelace\n",
    "https://www.linkedin.com/in/%61da-lovelace",
  ])("%j is the one of its member", (text) => {
    expect(normaliseLinkedinUrl(text)).toBe(ada);
  });

  test.each([
    ["https://www.linkedin.com/company/Acme-Inc/about/", "https://www.linkedin.com/company/acme-inc"],
    ["https://www.linkedin.com/company/1035", "https://www.linkedin.com/company/1035"],
    ["https://www.linkedin.com/in/%C3%A9ric-b%C3%A9zier", "https://www.linkedin.com/in/%C3%A9ric-b%C3%A9zier"],
    ["https://www.linkedin.com/in/éric-bézier", "https://www.linkedin.com/in/%C3%A9ric-b%C3%A9zier"],
    ["https://www.linkedin.com/in/E%CC%81RIC-B%C3%89ZIER", "https://www.linkedin.com/in/%C3%A9ric-b%C3%A9zier"],
    ["https://www.linkedin.com/in/李雷", "https://www.linkedin.com/in/%E6%9D%8E%E9%9B%B7"],
    ["https://www.linkedin.com/in/o'neil_a.b&co", "https://www.linkedin.com/in/o'neil_a.b%26co"],
    ["https://www.linkedin.com/in/मी", "https://www.linkedin.com/in/%E0%A4%AE%E0%A5%80"],
    ["https://www.linkedin.com/in/mac-acoaabc", "https://www.linkedin.com/in/mac-acoaabc"],
    [`linkedin.com/in/${"a".repeat(120)}`, `https://www.linkedin.com/in/${"a".repeat(120)}`],
  ])("%s is %s", (text, expected) => {
    expect(normaliseLinkedinUrl(text)).toBe(expected);
  });

  test.each([
    "",
    "Ada Lovelace",
    "ada-lovelace",
    "/in/ada-lovelace",
    "https://www.linkedin.com/",
    "https://www.linkedin.com/in/",
    "https://www.linkedin.com/in//",
    "https://www.linkedin.com/in/?x",
    "https://www.linkedin.com/feed/",
    "https://www.linkedin.com/pub/ada/1/2/3",
    "https://www.linkedin.com/in/ACoAABc1234567890",
    "https://www.linkedin.com/in/acoaabc1234567890",
    "https://www.linkedin.com/in/%41CoAABc1234567890",
    "https://www.linkedin.com/in/ACwAABc1234567890",
    "https://www.linkedin.com/in/ada lovelace",
    "https://www.linkedin.com/in/ada%20lovelace",
    "https://www.linkedin.com/in/ada%2Flovelace",
    "https://www.linkedin.com/in/ada%",
    "https://www.linkedin.com/in/ada%ff",
    "https://www.linkedin.com/in/ada%00",
    "https://www.linkedin.com/in/ada%2541",
    "https://www.linkedin.com/in/a",
    "https://.linkedin.com/in/ada-lovelace",
    "https://shop.linkedin.com/in/ada-lovelace",
    "https://linkedin.com:/in/ada-lovelace",
    "https://linkedin.com:123456/in/ada-lovelace",
    "https://linkedin-com/in/ada-lovelace",
    "https://linkedin.com.evil.example/in/ada-lovelace",
    "https://evillinkedin.com/in/ada-lovelace",
    "https://evil.example/?u=linkedin.com/in/ada-lovelace",
    "https://user@www.linkedin.com/in/ada-lovelace",
    "ftp://www.linkedin.com/in/ada-lovelace",
    `https://www.linkedin.com/in/${"a".repeat(121)}`,
  ])("%j is none", (text) => {
    expect(normaliseLinkedinUrl(text)).toBeNull();
  });

  test("is canonical after one reading", () => {
    const slug = fc.oneof(wild, wild.map(encodeURIComponent), fc.stringMatching(/^[\p{L}\p{N}._&'%-]{1,30}$/u));
    const url = fc
      .tuple(
        fc.constantFrom("", "http://", "HTTPS://"),
        fc.constantFrom("", "www.", "de.", "Br."),
        fc.constantFrom("in", "IN", "company", "pub"),
        slug,
        fc.constantFrom("", "/", "/x", "?a=b", "#c"),
      )
      .map(([scheme, country, kind, name, rest]) => `${scheme}${country}linkedin.com/${kind}/${name}${rest}`);
    isIdempotent(normaliseLinkedinUrl, fc.oneof(wild, url));
  });
});

/** The longest that a part of a host may be. */
const LABEL = `${"a".repeat(63)}.`;

describe("a domain", () => {
  test.each([
    ["acme.com", "acme.com"],
    ["ACME.com", "acme.com"],
    ["www.acme.com", "acme.com"],
    ["www.www.acme.com", "acme.com"],
    ["acme.com.", "acme.com"],
    ["https://www.acme.com/about?x=1#y", "acme.com"],
    ["http://acme.com:8080/", "acme.com"],
    ["https://acme%2ecom/", "acme.com"],
    ["acme.com/pricing", "acme.com"],
    ["shop.acme.co.uk", "shop.acme.co.uk"],
    ["www.com", "www.com"],
    ["www.co.uk", "www.co.uk"],
    ["acme.github.io", "acme.github.io"],
    ["www.acme.github.io", "acme.github.io"],
    ["MÜNCHEN.de", "xn--mnchen-3ya.de"],
    ["xn--mnchen-3ya.de", "xn--mnchen-3ya.de"],
    ["яндекс.рф", "xn--d1acpjx3f.xn--p1ai"],
    ["  acme.com\n", "acme.com"],
    ["x.com", "x.com"],
    ["7x7.com", "7x7.com"],
    ["_dmarc.a_b.c_.acme.com", "_dmarc.a_b.c_.acme.com"],
    ["acme.example", "acme.example"],
    ["acme.test", "acme.test"],
    [`${"a".repeat(63)}.com`, `${"a".repeat(63)}.com`],
    [`${LABEL}${LABEL}${LABEL}${"a".repeat(57)}.com`, `${LABEL}${LABEL}${LABEL}${"a".repeat(57)}.com`],
  ])("%j is %s", (text, expected) => {
    expect(normaliseDomain(text)).toBe(expected);
  });

  test.each([
    "",
    "Acme",
    "Acme Inc",
    "Ada Lovelace",
    "com",
    "co.uk",
    "github.io",
    "localhost",
    "http://localhost:3000",
    "acme.invalidtld",
    "node.js",
    "127.0.0.1",
    "127.0.0.10",
    "http://127.0.0.1/x",
    "[::1]",
    "http://[2001:db8::1]/",
    "user:password@acme.com",
    "https://user@acme.com/",
    "ada@acme.com",
    "acme..com",
    ".acme.com",
    "-acme.com",
    "acme-.com",
    "ac me.com",
    "acme,com",
    "https://acme.com/about us",
    "ac!me.com",
    "acme.example.invalidtld",
    "acme.myexample",
    `${LABEL}${LABEL}${LABEL}${"a".repeat(58)}.com`,
    `${"a".repeat(64)}.com`,
    `${"abcdefghi.".repeat(26)}com`,
  ])("%j is none", (text) => {
    expect(normaliseDomain(text)).toBeNull();
  });

  test("is canonical after one reading", () => {
    isIdempotent(
      normaliseDomain,
      fc.oneof(
        wild,
        host,
        host.map((name) => `https://${name}:443/x`),
      ),
    );
  });
});

describe("the domain of a company", () => {
  test.each([
    ["acme.com", "acme.com"],
    ["www.acme.com", "acme.com"],
    ["gmail.com", null],
    ["www.gmail.com", null],
    ["Acme", null],
  ])("named as %s is %s", (text, expected) => {
    expect(companyDomain(text)).toBe(expected);
  });

  test.each([
    ["ada@acme.com", "acme.com"],
    ["ada@mail.acme.co.uk", "acme.co.uk"],
    ["ada@mail.acme.github.io", "acme.github.io"],
    ["ada@gmail.com", null],
    ["ada@mail.gmail.com", null],
    // a mailbox provider at a company's own host
    ["ada@dallas.theboys.com", null],
    ["ada@theboys.com", "theboys.com"],
  ])("that has the address %s is %s", (email, expected) => {
    expect(companyDomainOf(email)).toBe(expected);
  });
});

test.each<[IdentifierKind, string, "person" | "company", string]>([
  ["email", "ada@acme.com", "person", "No person in this workspace has that e-mail address."],
  ["email", "ada/company/@acme.com", "person", "No person in this workspace has that e-mail address."],
  ["domain", "acme.com", "company", "No company in this workspace has that domain."],
  ["linkedin_url", "https://www.linkedin.com/in/ada", "person", "No person in this workspace has that LinkedIn URL."],
  [
    "linkedin_url",
    "https://www.linkedin.com/company/acme",
    "company",
    "No company in this workspace has that LinkedIn URL.",
  ],
])("the %s %s names a %s, and says so when there is none", (kind, value, type, message) => {
  expect(typeNamedBy(kind, value)).toBe(type);
  expect(notFoundMessage({ kind, value })).toBe(message);
});

test("an id names a person or company", () => {
  const sought: Sought = { kind: "id", value: "0190a6e0-0000-7000-8000-000000000001" };
  expect(notFoundMessage(sought)).toBe("No person or company in this workspace has that id.");
});

test("addresses bring the domains of their companies, behind all that was named", () => {
  const named = [
    { kind: "email", value: "ada@mail.acme.com" },
    { kind: "email", value: "ada@gmail.com" },
    { kind: "linkedin_url", value: "https://www.linkedin.com/in/ada" },
    { kind: "domain", value: "shop.acme.com" },
  ] as const;
  expect(withEmployers(named)).toEqual([...named, { kind: "domain", value: "acme.com" }]);
});

test("an identifier's key holds its kind and its value", () => {
  expect(identifierKey({ kind: "domain", value: "acme.com" })).toBe("domain acme.com");
});

describe("a focus", () => {
  const id = "0190a6e0-0000-7000-8000-000000000001";

  test.each([
    ["workspace", { kind: "workspace" }],
    [" workspace\n", { kind: "workspace" }],
    [id.toUpperCase(), { kind: "id", value: id }],
    ["11111111-1111-1111-1111-111111111111", { kind: "id", value: "11111111-1111-1111-1111-111111111111" }],
    ["00000000-0000-0000-0000-000000000000", { kind: "id", value: "00000000-0000-0000-0000-000000000000" }],
    ["Ada@Acme.com", { kind: "email", value: "ada@acme.com" }],
    ["de.linkedin.com/in/Ada", { kind: "linkedin_url", value: "https://www.linkedin.com/in/ada" }],
    ["linkedin.com", { kind: "domain", value: "linkedin.com" }],
    ["https://www.acme.com/team", { kind: "domain", value: "acme.com" }],
    [" acme.com ", { kind: "domain", value: "acme.com" }],
    ["https://acme.com/linkedin-com/", { kind: "domain", value: "acme.com" }],
  ])("%j is %o", (text, expected) => {
    expect(parseFocus(text)).toEqual(expected);
  });

  test.each([
    "",
    " ",
    "Ada Lovelace",
    "Acme",
    "workspaces",
    "Workspace",
    `{${id}}`,
    id.replaceAll("-", ""),
    `${id}0`,
    "https://www.linkedin.com/in/ACoAABc1234567890",
    "https://www.linkedin.com/feed/",
    "https://www.LinkedIn.com/feed/",
    "gmail.com",
    "not an email@acme.com",
    "ada@localhost",
    "192.168.0.1",
    "co.uk",
  ])("%j is none", (text) => {
    expect(parseFocus(text)).toBeNull();
  });

  test("read again from its canonical text is the same", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          wild,
          host,
          fc.uuid(),
          host.map((at) => `ada@${at}`),
        ),
        (text) => {
          const focus = parseFocus(text);
          if (focus && "value" in focus) expect(parseFocus(focus.value)).toEqual(focus);
        },
      ),
      { numRuns: 500 },
    );
  });
});

test.each<[text: string, name: string | null]>([
  ["Acme GmbH", "acme gmbh"],
  ["  ACMÉ   Gmbh ", "acme gmbh"],
  ["Acme", "acme"],
  ["7", "7"],
  ["Self-Employed", null],
  ["Selbstständig", null],
  ["– ", null],
  ["", null],
  ["x".repeat(301), null],
])("the company name %j is found by %j", (text, name) => {
  expect(normaliseCompanyName(text)).toBe(name);
});
