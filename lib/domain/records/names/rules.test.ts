import { describe, expect, test } from "vitest";
import { beginningsOf, closest, detailOf, exactName, knownName, nameAtCompany, nameOf, partOfName } from "./rules.ts";

describe("names", () => {
  test.each([
    [{ firstName: "Anna", lastName: "Smith", email: "a@acme.com" }, "Anna Smith"],
    [{ firstName: null, lastName: "Smith" }, "Smith"],
    [{ firstName: " ", lastName: null, email: "a@acme.com" }, "a@acme.com"],
    [{ name: "Acme", domain: "acme.com" }, "Acme"],
    [{ name: null, domain: "acme.com" }, "acme.com"],
    [{ name: " ", domain: "acme.com" }, "acme.com"],
    [{ linkedinUrl: "https://www.linkedin.com/in/a" }, "https://www.linkedin.com/in/a"],
    [{}, "Unnamed"],
  ])("of %j is %s", (known, expected) => expect(nameOf(known)).toBe(expected));

  test("of what has none are none", () => expect(knownName({ name: " " })).toBeNull());

  test.each([
    [{ jobTitle: "CFO", company: "Acme", reach: "a@acme.com" }, "CFO at Acme · a@acme.com"],
    [{ jobTitle: null, company: "Acme" }, "Acme"],
    [{ reach: "acme.com" }, "acme.com"],
    [{}, ""],
  ])("detail of %j is %j", (known, expected) => expect(detailOf(known)).toBe(expected));

  test("patterns hold the folded text, its wildcards as characters", () => {
    expect(exactName("  Zoë  MÜLLER ")).toEqual({ person: "%\nzoe muller\n%", company: "zoe muller\n%" });
    expect(exactName("100%_\\")).toEqual({ person: "%\n100\\%\\_\\\\\n%", company: "100\\%\\_\\\\\n%" });
    expect(exactName(" \u0301 ")).toBeNull();
    expect(partOfName("an")).toBeNull();
    expect(partOfName("Ann")).toEqual({ person: "%ann%", company: "%ann%" });
  });

  test.each([
    ["Anna at Acme", "%anna%", "%acme%"],
    ["Anna Smith (Acme GmbH)", "%anna smith%", "%acme gmbh%"],
    ["ANNA, acme.com", "%anna%", "%acme.com%"],
    ["Anna bei Müller", "%anna%", "%muller%"],
  ])("%s is a name with a company", (text, name, company) => expect(nameAtCompany(text)).toEqual({ name, company }));

  test.each(["Anna", "Anna Smith", "Atlassian", "a at b"])("%s names no company", (text) =>
    expect(nameAtCompany(text)).toBeNull(),
  );

  test("words begin as those of an address, without what all addresses have", () => {
    expect(beginningsOf("Ana Smit at Acme", 3)).toBe("\\m(ana|smi|acm)");
    expect(beginningsOf("https://www.linkedin.com/in/anna", 2)).toBe("\\m(in|an)");
    expect(beginningsOf("?!", 2)).toBeNull();
  });

  test("the beginning of a word is closer than its middle", () => {
    const named = ["Joanne Fox", "Ann Lee", "Mary Annable"].map((name) => ({ name }));
    expect(closest("ann", named).map(({ name }) => name)).toEqual(["Ann Lee", "Mary Annable"]);
    expect(closest(" ÁNN  L", named).map(({ name }) => name)).toEqual(["Ann Lee"]);
    expect(closest("oann", named).map(({ name }) => name)).toEqual(["Joanne Fox", "Ann Lee", "Mary Annable"]);
  });
});
