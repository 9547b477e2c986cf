import { expect, test } from "vitest";
import { EmailAddress } from "./schema.ts";

test.each([
  [" Ada@Acme.Example ", "ada@acme.example"],
  ["a.b+c@mail.acme.co.uk", "a.b+c@mail.acme.co.uk"],
  ["root@localhost", "root@localhost"],
  ["o'hara@acme.example", "o'hara@acme.example"],
  ["ada", null],
  ["ada@", null],
  ["@acme.example", null],
  ["ada@@acme.example", null],
  ["ada@acme..example", null],
  [".ada@acme.example", null],
  ["ada @acme.example", null],
  ["ada@-acme.example", null],
  ["ada@acme.example\nbcc: x@y.example", null],
  [`${"a".repeat(250)}@acme.example`, null],
])("%j is the address %j", (text, email) => {
  expect(EmailAddress.safeParse(text).data ?? null).toBe(email);
});
