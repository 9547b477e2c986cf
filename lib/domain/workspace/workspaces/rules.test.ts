import { expect, test } from "vitest";
import { normaliseWebsite } from "./rules.ts";

test.each([
  ["acme.com", "https://acme.com"],
  [" Acme.COM/ ", "https://acme.com"],
  ["http://www.acme.com/about/?a=1#b", "http://www.acme.com/about"],
  ["acme.co.uk:8443/x", "https://acme.co.uk:8443/x"],
  ["münchen.example", "https://xn--mnchen-3ya.example"],
  ["ftp://acme.com", null],
  ["javascript:alert(1)", null],
  ["https://user:pass@acme.com", null],
  ["acme", null],
  ["acme inc", null],
  ["", null],
])("%s is the site %s", (text, website) => {
  expect(normaliseWebsite(text)).toBe(website);
});
