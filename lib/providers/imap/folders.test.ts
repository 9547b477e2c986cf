import { expect, test } from "vitest";
import { foldersOf } from "./folders.ts";

const rolesOf = (...folders: [path: string, ...flags: string[]][]) =>
  Object.fromEntries(
    foldersOf(
      folders.map(([path, ...flags]) => ({ path, name: path.split("/").at(-1) ?? path, flags: new Set(flags) })),
    ).map(({ path, role, selectable }) => [path, selectable ? role : `${role}, not selectable`]),
  );

test("folders have the role that the server says", () => {
  expect(
    rolesOf(
      ["INBOX", "\\HasNoChildren"],
      ["[Gmail]", "\\Noselect"],
      ["[Gmail]/All Mail", "\\All"],
      ["[Gmail]/Sent Mail", "\\Sent"],
      ["[Gmail]/Starred", "\\Flagged"],
      ["[Gmail]/Spam", "\\junk"],
      ["[Gmail]/Bin", "\\TRASH"],
      ["[Gmail]/Drafts", "\\Drafts"],
      ["Old", "\\Archive", "\\NonExistent"],
      ["Sent"],
    ),
  ).toEqual({
    INBOX: "inbox",
    "[Gmail]": "other, not selectable",
    "[Gmail]/All Mail": "all",
    "[Gmail]/Sent Mail": "sent",
    "[Gmail]/Starred": "flagged",
    "[Gmail]/Spam": "spam",
    "[Gmail]/Bin": "trash",
    "[Gmail]/Drafts": "drafts",
    Old: "archive, not selectable",
    Sent: "other",
  });
});

test.each([
  ["Sent", "sent"],
  ["Sent Items", "sent"],
  ["Gesendete Elemente", "sent"],
  ["Éléments envoyés", "sent"],
  ["E\u0301le\u0301ments envoye\u0301s", "sent"],
  ["Enviados", "sent"],
  ["Posta inviata", "sent"],
  ["Itens enviados", "sent"],
  ["Verzonden items", "sent"],
  ["Skickat", "sent"],
  ["Elementy wysłane", "sent"],
  ["Отправленные", "sent"],
  ["送信済み", "sent"],
  ["已发送", "sent"],
  ["Archiv", "archive"],
  ["Entwürfe", "drafts"],
  ["Brouillons", "drafts"],
  ["Courrier indésirable", "spam"],
  ["Corbeille", "trash"],
  ["Корзина", "trash"],
  ["Projects", "other"],
])("a folder called %s has the role %s where the server says nothing", (name, role) => {
  expect(rolesOf(["INBOX"], [`INBOX/${name}`])).toEqual({ INBOX: "inbox", [`INBOX/${name}`]: role });
});

test("of several folders with a usual name, the nearest to the top has the role; all bins are bins", () => {
  expect(rolesOf(["INBOX"], ["Clients/Acme/Sent"], ["Sent"], ["Trash"], ["Clients/Trash"])).toEqual({
    INBOX: "inbox",
    "Clients/Acme/Sent": "other",
    Sent: "sent",
    Trash: "trash",
    "Clients/Trash": "trash",
  });
});
