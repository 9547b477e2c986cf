import { expect, test } from "vitest";
import { isAuthentic } from "./authentication.ts";
import { headersIn } from "./headers.ts";

const SERVER = "mx.log.example";
const FROM = "ada@acme.example";
const judged = (...values: string[]) =>
  isAuthentic(
    headersIn(
      Buffer.from(
        `${values.map((value) => `Authentication-Results: ${value}`).join("\r\n")}\r\nFrom: ${FROM}\r\n\r\nHello`,
      ),
    ),
    { server: SERVER, from: FROM },
  );

test.for<[string, boolean, ...string[]]>([
  ["no result at all", false],
  ["a server that found nothing", false, `${SERVER}; none`],
  ["DMARC", true, `${SERVER}; dmarc=pass (p=none) header.from=acme.example`],
  ["DMARC without a domain", true, `${SERVER}; dmarc=pass`],
  ["DMARC of another domain", false, `${SERVER}; dmarc=pass header.from=evil.example`],
  ["a version and a method's version", true, `${SERVER} 1; dmarc/1=pass header.from=acme.example`],
  [
    "folded lines, comments and upper case",
    true,
    `${SERVER.toUpperCase()};\r\n\tspf=none (no; record) smtp.mailfrom=x.example;\r\n DMARC=Pass header.from=ACME.example`,
  ],
  ["DKIM of the domain", true, `${SERVER}; dkim=pass header.d=acme.example`],
  ["DKIM by its identity", true, `${SERVER}; dkim=pass header.i=@acme.example`],
  ["DKIM of another domain", false, `${SERVER}; dkim=pass header.d=evil.example`],
  ["DKIM of a domain that ends like it", false, `${SERVER}; dkim=pass header.d=cme.example`],
  ["DKIM of a domain below it", false, `${SERVER}; dkim=pass header.d=evil.acme.example`],
  ["DKIM of all domains", false, `${SERVER}; dkim=pass header.d=example`],
  [
    "DKIM that fails beside one that does not",
    true,
    `${SERVER}; dkim=fail header.d=acme.example; dkim=pass header.d=acme.example`,
  ],
  ["SPF of the domain", true, `${SERVER}; spf=pass smtp.mailfrom=bounce@acme.example`],
  ["SPF of another domain", false, `${SERVER}; spf=pass smtp.mailfrom=ada@evil.example`],
  ["SPF of the greeting alone", false, `${SERVER}; spf=pass smtp.helo=acme.example`],
  [
    "DMARC that fails, whatever else passes",
    false,
    `${SERVER}; dkim=pass header.d=acme.example; dmarc=fail header.from=acme.example`,
  ],
  ["another server's words", false, "mx.evil.example; dmarc=pass header.from=acme.example"],
  [
    "the mail's own words below the server's",
    false,
    `${SERVER}; dmarc=fail header.from=acme.example`,
    `${SERVER}; dmarc=pass header.from=acme.example`,
  ],
  [
    "a server before it, above which it said something",
    true,
    `mx.other.example; dmarc=none`,
    `${SERVER}; dmarc=pass header.from=acme.example`,
  ],
  ["a result in a comment", false, `${SERVER}; none (dmarc=pass header.from=acme.example)`],
  ["a result in quotes of another", false, `${SERVER}; spf=fail reason="; dmarc=pass header.from=acme.example"`],
  [
    "a property in quotes of another",
    false,
    `${SERVER}; dkim=pass reason="ok header.d=acme.example" header.d=evil.example`,
  ],
  ["a domain in quotes", true, `${SERVER}; dkim=pass header.d="acme.example"`],
  [
    "a property that is given twice",
    false,
    `${SERVER}; spf=pass smtp.mailfrom=a@evil.example smtp.mailfrom=a@acme.example`,
  ],
])("%s", ([, expected, ...values]) => {
  expect(judged(...values)).toBe(expected);
});
