import { type Command, Option } from "commander";
import { Fault } from "#lib/core/errors.ts";
import type { Scope } from "#lib/core/plans.ts";
import { formatTime } from "#lib/text/time.ts";
import { type Result, table } from "../answer.ts";
import type { Perform } from "../command.ts";
import { operatorName } from "../operator-name.ts";
import { expiry, id, scopeList } from "../values.ts";

type Create = { workspace: string; name: string; scopes: Scope[]; expires?: Date };

export function addKeyCommands(admin: Command, perform: Perform): void {
  const key = admin.command("key").description("Create and revoke API keys.");

  key
    .command("create")
    .description("Create an API key. It is printed once and stored nowhere.")
    .requiredOption("--workspace <id>", "id of the workspace", id)
    .requiredOption("--name <name>", "what will use it")
    .addOption(
      new Option("--scopes <scopes>", "comma separated: read, write, admin; each implies the ones before")
        .argParser(scopeList)
        .default(["read", "write"], "read,write"),
    )
    .option("--expires <when>", "30d, 12h, 4w or a date; never when absent", expiry)
    .option("--json", "print one JSON object")
    .action((options: Create) => perform(() => create(options)));

  key
    .command("revoke")
    .description("Revoke an API key of any workspace; it stops working with the next request.")
    .argument("<id>", "id of the key", id)
    .option("--json", "print one JSON object")
    .action((keyId: string) => perform(() => revoke(keyId)));
}

async function create({ workspace, name, scopes, expires }: Create): Promise<Result> {
  const [{ operatorOf }, { mintApiKey }] = await services();
  const expires_at = expires && { expires_at: formatTime(expires) };
  const minted = await mintApiKey.execute(await operatorOf(workspace, operatorName()), { name, scopes, ...expires_at });
  const { id, expires_at: until } = minted.key;
  return {
    value: { id, api_key: minted.api_key },
    text: table([
      ["id", id],
      ["API key", minted.api_key],
      ["scopes", minted.key.scopes.join(", ")],
      ["expires", until ?? "never"],
    ]),
  };
}

async function revoke(keyId: string): Promise<Result> {
  const [{ operatorOf, everyWorkspace }, { findWorkspaceOfKey, revokeApiKey }] = await services();
  const workspaceId = await findWorkspaceOfKey(await everyWorkspace(), keyId);
  if (!workspaceId) throw new Fault("api_key_not_found", {}, "There is no API key with that id.");
  const { key } = await revokeApiKey.execute(await operatorOf(workspaceId, operatorName()), { id: keyId });
  const { id, name, revoked_at } = key;
  return { value: { id, name, workspace_id: workspaceId, revoked_at }, text: `Revoked ${name} (${id}).` };
}

const services = () => Promise.all([import("#lib/auth/operator.ts"), import("#lib/domain/access/api-keys/service.ts")]);
