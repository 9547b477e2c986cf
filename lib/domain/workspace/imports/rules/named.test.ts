import { expect, test } from "vitest";
import { companyMeant, type Namesake } from "./named.ts";

const byName: Namesake = { kind: "name", value: "acme", domain: null };
const page: Namesake = { kind: "linkedin_url", value: "https://www.linkedin.com/company/acme", domain: null };
const otherPage: Namesake = { kind: "linkedin_url", value: "https://www.linkedin.com/company/acme-2", domain: null };
const site: Namesake = { kind: "domain", value: "acme.com", domain: "acme.com" };
const otherSite: Namesake = { kind: "domain", value: "acme.de", domain: "acme.de" };
/** created under another name */
const renamed: Namesake = { kind: "name", value: "acme payments", domain: null };

test.each<[what: string, namesakes: Namesake[], meant: string | null]>([
  ["none: a new one", [], "name acme"],
  ["the only one", [site], "domain acme.com"],
  ["the only one, without a domain", [page], "linkedin_url https://www.linkedin.com/company/acme"],
  ["the only one, which was called otherwise", [renamed], "name acme payments"],
  ["the only one without a domain", [site, byName], "name acme"],
  ["of several without a domain, the one that was created by the name", [page, byName], "name acme"],
  ["of several with a domain, none", [site, otherSite], null],
  ["of several with a LinkedIn page, none", [page, otherPage], null],
])("of companies of a name, a row that says no more means %s", (_, namesakes, meant) => {
  const named = companyMeant("acme", namesakes);
  expect(named && `${named.kind} ${named.value}`).toBe(meant);
});
