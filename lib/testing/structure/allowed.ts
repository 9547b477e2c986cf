/**
 * Exceptions to the rules of the house. Each names one rule and one file, and says why it is right.
 * An entry that excuses nothing fails the test, so this list cannot outlive its reasons.
 */
export type Exception = {
  rule: string;
  file: string;
  /** When given, only findings that contain this text are excused. */
  what?: string;
  reason: string;
};

const awaited = "branches are awaited to the end, and no promise is dropped, where a database handle is in scope";
const calls = "what calls other machines looks up names with lib/providers/checked-lookup.ts";
const deferred = "sends one statement by db.defer at once and awaits nothing: the COMMIT waits for it";

export const allowed: readonly Exception[] = [
  {
    rule: "ids in an array of another row are unnested, not compared by = ANY(array_prepend(…))",
    file: "lib/domain/crm/recording/queries/world.ts",
    reason:
      "a test of rows that observations_external_id_key finds; as an index condition it took 0.48 ms a capture instead of 0.09",
  },
  {
    rule: calls,
    file: "lib/providers/syslog/send.ts",
    what: 'says `import { connect } from "node:tls";`',
    reason: "sends the audit log where the operator says by AUDIT_PUSH_URL, which may be in their own network",
  },
  {
    rule: awaited,
    file: "lib/domain/records/evidence/service.ts",
    what: "says `void written.then(`",
    reason: "runs after the commit and only announces, inside the process, what was written",
  },
  {
    rule: awaited,
    file: "lib/domain/crm/scores/service.ts",
    what: "says `void marked.then(`",
    reason: "runs after the commit, and only queues a job that the hourly maintenance would queue too",
  },
  {
    rule: awaited,
    file: "lib/domain/integrations/inbound/service/take-in.ts",
    what: "says `void settleDeliveries(`",
    reason: deferred,
  },
  {
    rule: "transports do not import the database",
    file: "app/readyz/route.ts",
    what: "imports #lib/db/readiness.ts",
    reason: "the state of the database is what this route answers about; there is no service between the two",
  },
  {
    rule: "transports do not import the database",
    file: "app/readyz/route.ts",
    what: "imports #lib/db/backup/status.ts",
    reason: "it answers about the backups of the database too",
  },
  {
    rule: "transports do not import the database",
    file: "lib/cli/admin/rotate-encryption.ts",
    reason: "sealing stored bytes again is the database's own affair: no slice knows which columns are encrypted",
  },
  {
    rule: "imported packages are declared, those of production as dependencies",
    file: "lib/testing/schema/engine.fixture.ts",
    what: "imports @prisma/driver-adapter-utils, which package.json does not name",
    reason: "resolved from the folder of @prisma/adapter-pg, which brings the one version that fits it",
  },
  {
    rule: "imports across rooms use #lib, #components or #prisma",
    file: "bench/browser.ts",
    reason: "a page is measured in the browser the journeys find; e2e has no alias because nothing else may use it",
  },
  {
    rule: "imports across rooms use #lib, #components or #prisma",
    file: "lib/testing/page-cookies.int.test.ts",
    reason:
      "Next finds what runs before every page in the project's folder, which has no alias because nothing else may use it",
  },
  {
    rule: "imports across rooms use #lib, #components or #prisma",
    file: "e2e/operator.ts",
    reason: "it opens the installation as the command does; bin has no alias because nothing else may use it",
  },
  {
    rule: "parts that open on demand are made by ui/on-demand.tsx",
    file: "components/gtm-context/lazy.tsx",
    reason:
      "the editor is rendered on the server too, which onDemand does not do; it is loaded by untilLoaded all the same",
  },
  { rule: calls, file: "lib/auth/mail.ts", reason: "SMTP_URL is the operator's setting, and the only address" },
  {
    rule: calls,
    file: "lib/auth/logout-tokens.ts",
    reason: "asks the issuers that the operator names, which may be in their own network",
  },
  { rule: calls, file: "lib/auth/breached-passwords.ts", reason: "BREACHED_PASSWORDS_URL is the operator's setting" },
  { rule: calls, file: "lib/auth/providers.ts", reason: "asks GitHub's own address, which is written there" },
  { rule: calls, file: "lib/cli/bridge.ts", reason: "runs on the user's own machine, with the user's rights" },
  {
    rule: calls,
    file: "lib/cli/request.ts",
    reason: "runs on the user's own machine, with the user's rights",
  },
  { rule: calls, file: "lib/domain/workspace/doctor/service/examine.ts", reason: "APP_URL is the operator's setting" },
  { rule: calls, file: "lib/html/preparing-page.ts", reason: "is the text of a script that runs in the browser" },
  { rule: calls, file: "lib/openapi/quick-start.ts", reason: "is the text of an example that runs at the reader's" },
  { rule: calls, file: "lib/providers/embeddings/client.ts", reason: "EMBEDDINGS_URL is the operator's setting" },
  {
    rule: calls,
    file: "lib/providers/imap/discover.ts",
    reason: "asks the machine's resolver for records, and connects to nothing that they name",
  },
  {
    rule: calls,
    file: "lib/providers/llm/client.ts",
    reason: "LLM_URL is the operator's setting, and the only address",
  },
  {
    rule: calls,
    file: "lib/providers/request.ts",
    reason: "asks a provider's own address, or the operator's setting in its place; the paths are written there",
  },
];
