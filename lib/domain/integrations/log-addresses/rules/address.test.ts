import fc from "fast-check";
import { expect, test } from "vitest";
import { headersIn } from "#lib/text/mail/headers.ts";
import { addressOf, isLogAddress, type LogMailbox, logMailboxOf, mintToken, tokenIn, workspaceIn } from "./address.ts";

const URL = "imaps://log%40acme.example:p%40ss%3Aword@imap.acme.example:1993";
const mailbox = logMailboxOf(URL, undefined) as LogMailbox;
const workspace = "0190a6e0-0000-7000-8000-000000000001";

test("the setting names server, login and address", () => {
  expect(mailbox).toEqual({
    server: { host: "imap.acme.example", port: 1993, secure: true },
    login: { user: "log@acme.example", password: "p@ss:word" },
    ...{ local: "log", domain: "acme.example", authservId: "imap.acme.example" },
  });
  expect(logMailboxOf("imaps://log:secret@mail.acme.example", "mx.acme.example")).toMatchObject({
    ...{ server: { port: 993 }, domain: "mail.acme.example", authservId: "mx.acme.example" },
  });
  expect(logMailboxOf(undefined, undefined)).toBeNull();
});

test("a token says its workspace, is never the same twice, and fits into an address", () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      const token = mintToken(id);
      expect(workspaceIn(token)).toBe(id);
      expect(mintToken(id)).not.toBe(token);
      expect(addressOf(mailbox, token).split("@")[0]?.length).toBeLessThanOrEqual(64);
      expect(tokenIn([{ name: "to", value: `<${addressOf(mailbox, token).toUpperCase()}>` }], mailbox)).toBe(token);
    }),
  );
});

test("what is no token names no workspace", () => {
  expect(workspaceIn("7".repeat(52))).toBeNull();
});

const [first, second] = [mintToken(workspace), mintToken(workspace)];
const at = (token: string) => addressOf(mailbox, token);

test.for<[string, string, string | null]>([
  ["who got it by Bcc is named by the server alone", `Delivered-To: ${at(first)}\r\nTo: anna@acme.example`, first],
  ["in the line of a server on the way", `Received: from a by b\r\n for <${at(first)}>; Mon, 1 Jun 2026`, first],
  ["the server's word counts before the mail's", `To: ${at(second)}\r\nX-Original-To: ${at(first)}`, first],
  ["the topmost of the server's", `Delivered-To: ${at(first)}\r\nDelivered-To: ${at(second)}`, first],
  ["among its recipients", `To: Anna <anna@acme.example>, Log <${at(first)}>`, first],
  ["no token", "To: log@acme.example", null],
  ["a token of another mailbox", `To: log+${first}@evil.example`, null],
  ["a domain that begins like it", `To: log+${first}@acme.example.evil.example`, null],
  ["a name that ends like it", `To: blog+${first}@acme.example`, null],
  ["too short", `To: log+${first.slice(1)}@acme.example`, null],
  ["in the subject", `Subject: ${at(first)}`, null],
])("a mail is for the token: %s", ([, head, token]) => {
  expect(tokenIn(headersIn(Buffer.from(`${head}\r\n\r\nHello`)), mailbox)).toBe(token);
});

test("every address of the mailbox is known", () => {
  expect(["log@acme.example", at(first), "LOG+any@ACME.example"].every((one) => isLogAddress(mailbox, one))).toBe(true);
  expect(["anna@acme.example", "log@evil.example", "logs@acme.example"].some((one) => isLogAddress(mailbox, one))).toBe(
    false,
  );
});
