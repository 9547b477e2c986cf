import { shareWords } from "#components/mail/share-words.ts";
import { numeral } from "#components/ui/numbers.ts";
import type { Belongings } from "#lib/domain/access/members/contract.ts";
import type { ShareLevel } from "#lib/domain/knowledge/messages/words.ts";
import type { AuditEntry } from "#lib/domain/records/audit/contract.ts";
import type { AuditAction } from "#lib/domain/records/audit/words.ts";
import { own } from "#lib/text/own.ts";
import { ownedWords } from "./owned-words.ts";

const text = (value: unknown): string =>
  Array.isArray(value) ? value.join(", ") : typeof value === "string" || typeof value === "number" ? String(value) : "";

const retained = (days: unknown): string =>
  days === null ? "the server's default" : `${text(days)} ${days === 1 ? "day" : "days"}`;

const providers: Readonly<Record<string, string>> = {
  cal_com: "Cal.com",
  fathom: "Fathom",
  hubspot: "HubSpot",
  attio: "Attio",
};
const provider = (name: unknown): string => own(providers, text(name)) ?? text(name);

const counted = (number: unknown, one: string, many: string): string =>
  `${typeof number === "number" ? numeral(number) : text(number)} ${number === 1 ? one : many}`;

const account = (name: unknown): string => (text(name) ? ` (${text(name)})` : "");

const named = (name: unknown): string => (text(name) ? ` ${text(name)}` : "");

const asker = (name: unknown): string => text(name) || "an agent";

/** `saveFact` as words. */
const words = (operation: unknown): string =>
  text(operation)
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();

const demands: Readonly<Record<string, string>> = { any: "any way", second_factor: "a second factor", oidc: "OIDC" };
const demand = (name: unknown): string => own(demands, text(name)) ?? text(name);

const bulkVerbs: Readonly<Record<string, string>> = {
  set_stage: "set the stage of",
  set_owner: "set the owner of",
  archive: "archive",
  restore: "restore",
  add_to_list: "add to a lead list",
};
const bulkVerb = (action: unknown): string => own(bulkVerbs, text(action)) ?? "change";

const approvalNotes: Readonly<Record<string, string>> = {
  writes: ", writes need approval",
  human_fields: ", asks to change what people said",
};
const approvalNote = (approval: unknown): string => own(approvalNotes, text(approval)) ?? "";

type Limits = { kinds?: unknown; hidden_fields?: unknown };

const limitNote = ({ kinds, hidden_fields }: Limits): string =>
  `${text(kinds) ? `, only ${text(kinds)}` : ""}${text(hidden_fields) ? `, without ${text(hidden_fields)}` : ""}`;
const limitsNow = (limits: Limits): string => `: ${limitNote(limits).slice(2) || "none"}`;

const changedApproval = (approval: unknown, whose: string): string =>
  approval === "writes"
    ? `made what ${whose} writes need approval`
    : approval === "human_fields"
      ? `made ${whose} ask before it changes what a person said`
      : `let ${whose} write without approval`;

/** What a member left for others to take over. */
const ownedNote = (owned: unknown): string => {
  const parts = ownedWords((owned ?? {}) as Partial<Belongings>).map(({ words }) => words);
  return parts.length > 0 ? `, who owned ${parts.join(", ")}` : "";
};

/** What becomes of what a member shared. */
const withShared = (mail: unknown): string => (mail === "remove" ? " and the mail and meetings they had shared" : "");

/** How much of some mail is shared. */
const shared = (share: unknown): string => shareWords[share as ShareLevel]?.label.toLowerCase() ?? text(share);

type Sentence = (detail: AuditEntry["detail"]) => string;

/** An action in words, with what it was done to. */
const sentences: Readonly<Record<AuditAction, Sentence>> = {
  "user.signed_in": ({ with: how }) => `signed in with ${/^pass(word|key)/.test(text(how)) ? "a " : ""}${text(how)}`,
  "user.signed_out": () => "signed out",
  "user.sign_in_refused": ({ with: how }) =>
    how === "too many tries"
      ? "has to wait: too many tries to sign in"
      : `was refused: ${how === "disabled account" ? "the account is disabled" : `wrong ${text(how)}`}`,
  "user.confirmation_refused": ({ with: how }) => `gave a wrong ${text(how)} while signed in`,
  "user.password_changed": ({ by, email }) =>
    by === "operator"
      ? `set a new password for ${text(email)}`
      : by === "link"
        ? "chose a new password with a link from an e-mail"
        : "changed their password",
  "user.second_factor_added": () => "set up a second factor",
  "user.second_factor_removed": ({ by, email }) =>
    by === "operator" ? `removed the second factor of ${text(email)}` : "removed their second factor",
  "user.passkey_added": ({ name }) => `added the passkey ${text(name)}`,
  "user.passkey_renamed": ({ from, name }) => `renamed the passkey ${text(from)} to ${text(name)}`,
  "user.passkey_removed": ({ name }) => `removed the passkey ${text(name)}`,
  "user.recovery_codes_renewed": () => "made new recovery codes",
  "user.sessions_ended": ({ ended_sessions, provider: by, by: who, email }) =>
    who === "operator"
      ? `signed ${text(email)} out everywhere (${counted(ended_sessions, "session", "sessions")})`
      : by
        ? `was signed out by ${text(by)} (${counted(ended_sessions, "session", "sessions")})`
        : `ended ${counted(ended_sessions, "session", "sessions")} of their own`,
  "user.disabled": ({ email, ended_sessions }) =>
    `keeps ${text(email)} from signing in (${counted(ended_sessions, "session", "sessions")} ended)`,
  "user.enabled": ({ email }) => `lets ${text(email)} sign in again`,
  "audit_log.trimmed": ({ entries }) => `removed ${counted(entries, "old entry", "old entries")} of the audit log`,
  "audit_log.exported": () => "exported the audit log",
  "backup.made": ({ reason }) => `backed up the whole installation${reason === "upgrade" ? " before an upgrade" : ""}`,
  "backup.restored": ({ as_of }) => `restored the whole installation as of ${text(as_of)}`,
  "record.merged": ({ type }) => `merged two ${type === "company" ? "companies" : "people"}`,
  "record.separated": ({ type }) => `undid a merge of two ${type === "company" ? "companies" : "people"}`,
  "import.downloaded": ({ name }) => `downloaded the result of the import ${text(name)}`,
  "workspace.created": ({ name }) => `created the workspace ${text(name)}`,
  "workspace.changed": ({ field, from, to }) =>
    `changed the ${text(field)} from ${text(from) || "nothing"} to ${text(to) || "nothing"}`,
  "sign_in_demand.changed": ({ from, to }) => `changed how members must sign in from ${demand(from)} to ${demand(to)}`,
  "plan.changed": ({ from, to }) => `changed the plan from ${text(from)} to ${text(to)}`,
  "directory_user.added": ({ user_name }) => `added ${text(user_name)} from the directory`,
  "directory_user.activated": ({ user_name }) => `activated ${text(user_name)} again`,
  "directory_user.deactivated": ({ user_name }) => `deactivated ${text(user_name)}`,
  "directory_user.removed": ({ user_name }) => `removed ${text(user_name)} from the directory`,
  "directory_group.added": ({ name }) => `added the group ${text(name)} of the directory`,
  "directory_group.removed": ({ name }) => `removed the group ${text(name)} of the directory`,
  "directory_group.members_changed": ({ name, added, removed }) =>
    `changed who is in the group ${text(name)}: ${text(added)} added, ${text(removed)} removed`,
  "directory_group.role_changed": ({ name, to }) =>
    to === null ? `let the group ${text(name)} give no role` : `let the group ${text(name)} give the role ${text(to)}`,
  "sign_in_groups.changed": ({ from, to }) =>
    text(to) ? `let the groups of ${text(to)} add members` : `stopped the groups of ${text(from)} from adding members`,
  "member.groups_followed": ({ email, groups, role }) =>
    text(role)
      ? `found that the groups of ${text(email)} (${text(groups)}) give the role ${text(role)}`
      : `found that no group of ${text(email)} gives a role`,
  "member.added": ({ email, role }) => `made ${text(email)} a member as ${text(role)}`,
  "member.joined": ({ role }) => `joined as ${text(role)}`,
  "member.left": ({ mail }) => `left the workspace${withShared(mail)}`,
  "member.removed": ({ email, mail, owned }) => `removed ${text(email)}${withShared(mail)}${ownedNote(owned)}`,
  "member.role_changed": ({ email, from, to }) => `changed ${text(email)} from ${text(from)} to ${text(to)}`,
  "invitation.created": ({ email, role }) => `invited ${text(email) || "someone"} as ${text(role)}`,
  "invitation.revoked": ({ email }) => `withdrew the invitation for ${text(email) || "someone"}`,
  "workspace.exported": () => "exported the workspace",
  "workspace.imported": ({ rows }) => `restored the workspace from an export (${text(rows)} rows)`,
  "export.created": ({ what, format }) => `exported ${text(what)} (${text(format)})`,
  "export.downloaded": ({ what }) => `downloaded an export of ${text(what)}`,
  "export.deleted": ({ what }) => `deleted an export of ${text(what)}`,
  "person.allowed": () => "allowed webhooks and imports to create an erased person again",
  "person.exported": () => "exported all data about a person",
  "person.erased": ({ observations, notes }) =>
    `erased a person for good (${text(observations)} observations, ${text(notes)} notes)`,
  "inbound_retention.changed": ({ from, to }) =>
    `changed how long deliveries are kept from ${retained(from)} to ${retained(to)}`,
  "import.started": ({ name, rows }) =>
    `started the import ${text(name)} (${text(rows)} ${rows === 1 ? "row" : "rows"})`,
  "import.resumed": ({ name }) => `went on with the import ${text(name)}`,
  "import.finished": ({ name, created, updated }) =>
    `imported ${text(name)} (${text(created)} created, ${text(updated)} updated)`,
  "import.cancelled": ({ name }) => `stopped the import ${text(name)}`,
  "import.undo_started": ({ name }) => `began to undo the import ${text(name)}`,
  "import.undone": ({ name, removed, restored, kept }) =>
    `undid the import ${text(name)} (${text(removed)} removed, ${text(restored)} as before, ${text(kept)} kept)`,
  "bulk_action.started": ({ what, action }) => `began to ${bulkVerb(action)} all matching ${text(what)}`,
  "bulk_action.cancelled": ({ what }) => `stopped a bulk action on ${text(what)}`,
  "bulk_action.finished": ({ what }) => `finished a bulk action on ${text(what)}`,
  "bulk_action.undo_started": ({ what }) => `began to undo a bulk action on ${text(what)}`,
  "bulk_action.undone": ({ what }) => `undid a bulk action on ${text(what)}`,
  "task.deleted": () => "deleted a task",
  "sample_data.loaded": () => "loaded the sample data",
  "sample_data.removed": () => "removed the sample data",
  "stage_rules.changed": ({ moved }) =>
    `changed the stage rules${typeof moved === "number" && moved > 0 ? ` and moved ${moved} by them` : ""}`,
  "stage_rules.reset": () => "went back to the standard stage rules",
  "client.connected": ({ name, host, scopes, approval, may_always_set, ...limits }) =>
    `connected the client ${text(name)} at ${text(host)} (${text(scopes)}${approvalNote(approval)}${limitNote(limits)}${may_always_set ? `, may always set ${text(may_always_set)}` : ""})`,
  "client.changed": ({ name, approval }) => changedApproval(approval, `the client ${text(name)}`),
  "client.disconnected": ({ name, why }) => `disconnected the client ${text(name)}${why ? `: ${text(why)}` : ""}`,
  "device_login.approved": ({ host, scopes }) => `let ${text(host) || "a program"} sign in (${text(scopes)})`,
  "api_key.minted": ({ name, scopes, approval, ...limits }) =>
    `created the API key ${text(name)} (${text(scopes)}${approvalNote(approval)}${limitNote(limits)})`,
  "api_key.limited": ({ name, ...limits }) => `changed the limits of the API key ${text(name)}${limitsNow(limits)}`,
  "client.limited": ({ name, ...limits }) => `changed the limits of the client ${text(name)}${limitsNow(limits)}`,
  "api_key.changed": ({ name, approval }) => changedApproval(approval, `the API key ${text(name)}`),
  "change.rule_added": ({ property, asked_by }) => `let ${asker(asked_by)} always set ${text(property)}`,
  "change.rule_removed": ({ property, asked_by }) => `no longer lets ${asker(asked_by)} always set ${text(property)}`,
  "change.approved": ({ operation, asked_by }) => `approved a change of ${asker(asked_by)} (${words(operation)})`,
  "change.rejected": ({ operation, asked_by }) => `rejected a change of ${asker(asked_by)} (${words(operation)})`,
  "change.failed": ({ operation, asked_by }) =>
    `approved a change of ${asker(asked_by)}, which could not be done (${words(operation)})`,
  "calendar.connected": ({ server, share }) => `connected calendars at ${text(server)}; others see: ${shared(share)}`,
  "calendar.shared": ({ server, before, share }) =>
    `changed what others see of the calendars at ${text(server)} from ${shared(before)} to ${shared(share)}`,
  "calendar.disconnected": ({ server, meetings }) =>
    `disconnected the calendars at ${text(server)}${meetings === "remove" ? " and removed their meetings" : ""}`,
  "mailbox.connected": ({ address, share }) => `connected the mailbox ${text(address)}; others see: ${shared(share)}`,
  "mailbox.shared": ({ address, before, share }) =>
    `changed what others see of the mailbox ${text(address)} from ${shared(before)} to ${shared(share)}`,
  "mailbox.disconnected": ({ address, messages }) =>
    `disconnected the mailbox ${text(address)}${messages === "remove" ? " and removed its messages" : ""}`,
  "log_address.renewed": () => "got a new address for copies of mail",
  "mail.ceiling_set": ({ share }) => `changed how much of their mail members can share to ${shared(share)}`,
  "mail.read": () => "opened a conversation of a colleague, who shares it",
  "meeting.read": () => "opened a meeting of a colleague, who shares it",
  "integration.connected": ({ provider: name, account: whose }) => `connected ${provider(name)}${account(whose)}`,
  "integration.disconnected": ({ provider: name, account: whose }) => `disconnected ${provider(name)}${account(whose)}`,
  "inbound_delivery.replayed": ({ provider: name }) => `processed a delivery of ${provider(name)} again`,
  "backfill.started": ({ contacts }) => `looked for past bookings of ${counted(contacts, "contact", "contacts")}`,
  "crm_sync.configured": ({ provider: name }) => `changed what is pushed to ${provider(name) || "the CRM"}`,
  "crm_sync.started": ({ provider: name, dry_run }) =>
    `${dry_run === true ? "compared people with" : "started a sync with"} ${provider(name)}`,
  "crm_sync.cancelled": ({ provider: name }) => `stopped the sync with ${provider(name)}`,
  "trigger.created": ({ name, url }) => `created the trigger${named(name)} to ${text(url)}`,
  "trigger.changed": ({ fields, url }) => `changed the ${text(fields) || "settings"} of the trigger to ${text(url)}`,
  "trigger.deleted": ({ name, url }) => `deleted the trigger${named(name)} to ${text(url)}`,
  "trigger.resumed": ({ skipped }) =>
    `resumed a trigger${typeof skipped === "number" && skipped > 0 ? ` and skipped ${counted(skipped, "delivery", "deliveries")}` : ""}`,
  "trigger.secret_rotated": ({ overlap_hours }) =>
    `gave a trigger a new secret (the old one works for ${counted(overlap_hours, "hour", "hours")} more)`,
  "trigger.disabled": ({ url, why }) =>
    `disabled the trigger${text(url) ? ` to ${text(url)}` : ""}${text(why) ? `: ${text(why)}` : ""}`,
  "trigger.replayed": ({ replayed }) => `sent ${counted(replayed, "delivery", "deliveries")} of a trigger again`,
  "trigger_delivery.replayed": () => "sent a delivery of a trigger again",
  "trigger_delivery.skipped": () => "skipped a delivery of a trigger",
  "scoring_model.saved": ({ version, signals }) =>
    `saved version ${text(version)} of the ICP scoring model (${counted(signals, "signal", "signals")})`,
  "job.retried": () => "ran a failed job again",
  "api_key.rotated": ({ name }) => `rotated the API key ${text(name)}`,
  "api_key.revoked": ({ name }) => `revoked the API key ${text(name)}`,
};

export function auditSentence({ action, detail }: Pick<AuditEntry, "action" | "detail">): string {
  const sentence = own<Sentence>(sentences, action)?.(detail);
  const approved = text(detail.approved_by);
  if (sentence) return approved === "" ? sentence : `${sentence}, approved by ${approved}`;
  return `did this: ${action.replaceAll(/[._]/g, " ")}`;
}

const machines: Record<AuditEntry["actor"]["type"], string> = {
  user: "A former member",
  api_key: "An API key",
  mcp: "An agent",
  webhook: "A webhook",
  job: "Rapport",
  cli: "Operator",
};

export function auditActor({ actor }: Pick<AuditEntry, "actor">): string {
  if (actor.type === "cli") return `Operator ${actor.id}`;
  if (actor.type === "api_key" && actor.name) return `API key ${actor.name}`;
  return actor.name ?? machines[actor.type];
}
