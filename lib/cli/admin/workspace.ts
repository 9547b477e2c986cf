import { type Command, Option } from "commander";
import { type Plan, plans } from "#lib/core/plans.ts";
import { formatTime } from "#lib/text/time.ts";
import { type Result, table } from "../answer.ts";
import type { Perform } from "../command.ts";
import { operatorName } from "../operator-name.ts";
import { id } from "../values.ts";

type Create = { name: string; ownerEmail: string; ownerPassword?: string; plan?: Plan };

export function addWorkspaceCommands(admin: Command, perform: Perform): void {
  const workspace = admin.command("workspace").description("Create and change workspaces.");

  workspace
    .command("create")
    .description("Create a workspace with its owner and a first API key. An existing account gains the workspace.")
    .requiredOption("--name <name>", "name of the workspace")
    .requiredOption("--owner-email <address>", "e-mail address of the owner")
    .option("--owner-password <password>", "password of a new owner; made up when absent")
    .addOption(new Option("--plan <plan>", "plan; the server's DEFAULT_PLAN when absent").choices(plans))
    .option("--json", "print one JSON object")
    .action((options: Create) => perform(() => create(options)));

  workspace
    .command("set-plan")
    .description("Change the plan of a workspace.")
    .argument("<workspace_id>", "id of the workspace", id)
    .argument("<plan>", plans.join(", "))
    .option("--json", "print one JSON object")
    .action((workspaceId: string, plan: string, _: object, command: Command) => {
      if (!plans.includes(plan as Plan)) command.error(`"${plan}" is not a plan. Allowed: ${plans.join(", ")}.`);
      perform(() => setPlan(workspaceId, plan as Plan));
    });

  workspace
    .command("allow-any-sign-in")
    .description("Stop demanding a second factor or OIDC of a workspace's members.")
    .argument("<workspace_id>", "id of the workspace", id)
    .option("--json", "print one JSON object")
    .action((workspaceId: string) => perform(() => allowAnySignIn(workspaceId)));

  workspace
    .command("follow-groups")
    .description("Let the groups of an OIDC provider bring members into a workspace; without a provider, of none.")
    .argument("<workspace_id>", "id of the workspace", id)
    .argument("[provider]", "id of the provider: oidc, or as in OIDC_PROVIDERS")
    .option("--json", "print one JSON object")
    .action((workspaceId: string, provider?: string) => perform(() => followGroups(workspaceId, provider ?? null)));

  workspace
    .command("list")
    .description("List the workspaces, oldest first.")
    .option("--json", "print one JSON object")
    .action(() => perform(list));
}

async function create({ name, ownerEmail, ownerPassword, plan }: Create): Promise<Result> {
  const [{ operatorOf }, { provisionWorkspace }, { mintApiKey }] = await Promise.all([
    import("#lib/auth/operator.ts"),
    import("#lib/domain/workspace/workspaces/service.ts"),
    import("#lib/domain/access/api-keys/service.ts"),
  ]);
  const made = await provisionWorkspace({ name, ownerEmail, ownerPassword, plan, operator: operatorName() });
  const operator = await operatorOf(made.workspaceId, operatorName());
  const minted = await mintApiKey.execute(operator, { name: "First key", scopes: ["read", "write", "admin"] });
  const { workspaceId: workspace_id, ownerEmail: owner_email, ownerPassword: owner_password } = made;
  return {
    value: { workspace_id, owner_email, owner_password, api_key: minted.api_key },
    text: table([
      ["workspace", workspace_id],
      ["owner", owner_email],
      ["password", owner_password ?? "unchanged: the account existed"],
      ["API key", minted.api_key],
    ]),
  };
}

async function setPlan(workspaceId: string, plan: Plan): Promise<Result> {
  const [{ operatorOf }, workspaces] = await Promise.all([
    import("#lib/auth/operator.ts"),
    import("#lib/domain/workspace/workspaces/service.ts"),
  ]);
  const changed = await workspaces.setPlan(await operatorOf(workspaceId, operatorName()), plan);
  return {
    value: { workspace_id: changed.workspaceId, plan: changed.plan, previous_plan: changed.before },
    text: `${changed.workspaceId} is on the plan ${changed.plan} (before: ${changed.before}).`,
  };
}

async function allowAnySignIn(workspaceId: string): Promise<Result> {
  const [{ operatorOf }, { liftSignInDemand }] = await Promise.all([
    import("#lib/auth/operator.ts"),
    import("#lib/domain/access/sign-in-demand/service.ts"),
  ]);
  const operator = await operatorOf(workspaceId, operatorName());
  const { before, ofServer } = await liftSignInDemand(operator);
  const own =
    before === "any"
      ? `${operator.workspaceId} lets its members sign in any way.`
      : `${operator.workspaceId} lets its members sign in any way (before: ${before}).`;
  const server = `The server still requires ${ofServer} of everyone (SIGN_IN_DEMAND): start it without that to end it.`;
  return {
    value: { workspace_id: operator.workspaceId, demand: "any", previous_demand: before, of_server: ofServer },
    text: ofServer === "any" ? own : `${own}\n${server}`,
  };
}

async function followGroups(workspaceId: string, provider: string | null): Promise<Result> {
  const [{ operatorOf }, { followGroupsOf }] = await Promise.all([
    import("#lib/auth/operator.ts"),
    import("#lib/domain/access/directory/service.ts"),
  ]);
  const operator = await operatorOf(workspaceId, operatorName());
  const { issuer } = await followGroupsOf(operator, provider);
  return {
    value: { workspace_id: operator.workspaceId, provider, issuer },
    text:
      issuer === null
        ? `${operator.workspaceId} follows the groups of no provider.`
        : `${operator.workspaceId} follows the groups of ${provider} (${issuer}).`,
  };
}

async function list(): Promise<Result> {
  const { listWorkspaces } = await import("#lib/auth/operator.ts");
  const workspaces = (await listWorkspaces()).map(({ id: workspace_id, name, plan, createdAt }) => ({
    workspace_id,
    name,
    plan,
    created_at: formatTime(createdAt),
  }));
  const lines = workspaces.map((each) => [
    each.workspace_id,
    each.plan.padEnd(6),
    each.created_at.slice(0, 10),
    each.name,
  ]);
  return {
    value: { workspaces },
    text: lines.map((line) => line.join("  ")).join("\n") || "There is no workspace yet.",
  };
}
