import { jobAuthority } from "#lib/auth/jobs.ts";
import type { Caller } from "#lib/core/context.ts";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { insertFolder, insertMailbox, type MailboxRow } from "#lib/domain/integrations/mailboxes/queries.ts";
import { type Arrived, keepEach } from "#lib/domain/integrations/mailboxes/service/keep.ts";
import { sealLogin } from "#lib/domain/integrations/mailboxes/service/login.ts";
import { insideOf } from "#lib/jobs/inside.ts";
import { type ParsedMail, parseMail } from "#lib/text/mail/parse.ts";
import type { addTestMember } from "./member.fixture.ts";

/** A message as text: headers by name, then the body. */
export const mailOf = (headers: Readonly<Record<string, string>>, body = "Hello"): Buffer =>
  Buffer.from(
    `${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\r\n")}\r\n\r\n${body}\r\n`,
  );

/** Who has a mailbox. */
type Member = Pick<Awaited<ReturnType<typeof addTestMember>>, "userId" | "email"> & { workspaceId: WorkspaceId };

/** A member's mailbox without a server, unless there is one that takes `password`: messages are put into its folders as a sync would. */
export async function addMailbox(member: Member, settings: Partial<MailboxRow> = {}, password = "secret") {
  const { workspaceId, userId, email } = member;
  const id = newId();
  const row = {
    ...{ id, userId, address: email, host: "imap.example.com", port: 993, secure: true, login: email },
    ...{
      share: "metadata",
      contacts: "written_to",
      since: new Date("2026-01-01"),
      folders: [],
      blocked: [],
      keepsBodies: true,
    },
    credentials: sealLogin(id, { user: settings.login ?? email, password }),
    provider: null,
    ...settings,
  } as const;
  await withWorkspace(workspaceId, (db) => insertMailbox(db, row as Parameters<typeof insertMailbox>[1]));
  const places = new Map<string, bigint>();
  return {
    id,
    /** Puts messages into a folder, at its place or another; says whether they were kept. */
    async receive(sources: readonly (Buffer | ParsedMail)[], path = "INBOX", at?: bigint): Promise<boolean> {
      const from = at ?? places.get(path) ?? 1n;
      if (!places.has(path))
        await withWorkspace(workspaceId, (db) =>
          insertFolder(db, { mailboxId: id, path, uidValidity: "1", nextUid: 1n }),
        );
      const arrived: Arrived[] = await Promise.all(
        sources.map(async (source, index) => ({
          ...{ uid: Number(from) + index, receivedAt: new Date("2026-06-03T10:00:00Z") },
          mail: Buffer.isBuffer(source) ? await parseMail(source) : source,
        })),
      );
      const to = from + BigInt(sources.length);
      places.set(path, to);
      const ctx = (await jobAuthority(workspaceId, newId())) as Caller;
      return keepEach(insideOf(ctx), {
        mailboxId: id,
        path,
        isSent: path === "Sent",
        uidValidity: "1",
        place: { from, to },
        arrived,
      });
    },
  };
}
