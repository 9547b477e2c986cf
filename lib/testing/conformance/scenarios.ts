import { operations } from "#lib/registry.ts";
import type { Stage } from "./stage.ts";

type Input = Record<string, unknown>;

/** How the battery makes an operation succeed, and what its id fields refer to. */
export type Scenario = {
  /** An input that is accepted in this workspace. Called anew for each request. Default: the contract's example. */
  input?(stage: Stage): Promise<Input> | Input;
  /** Existing ids of this workspace, for id fields the input above leaves out. */
  ids?: Readonly<Record<string, (stage: Stage) => Promise<string>>>;
  /** Id fields that filter a list: what is not there matches nothing, which is no fault. */
  filters?: readonly string[];
  /** Why the operation has nothing to replay, whatever Idempotency-Key says. */
  neverReplayed?: string;
};

const fact = async (stage: Stage): Promise<{ id: string; content: string }> =>
  (await stage.run("saveFact", { section: "ICP", content: "Series A fintechs" })).fact as {
    id: string;
    content: string;
  };

const factId = async (stage: Stage): Promise<string> => (await fact(stage)).id;

const apiKey = async (stage: Stage): Promise<{ id: string; name: string }> =>
  (await stage.run("mintApiKey", { name: "Outreach agent", scopes: ["read"] })).key as { id: string; name: string };

const memberId = async (stage: Stage): Promise<string> => (await stage.person("member")).memberId;

const person = (stage: Stage): Promise<string> => stage.entity("person");
const company = (stage: Stage): Promise<string> => stage.entity("company");

/** Operations whose example alone does not succeed in an empty workspace. */
const scenarios: Readonly<Record<string, Scenario>> = {
  saveFact: { ids: { supersedes: factId } },
  editEntry: {
    async input(stage) {
      const { id, content } = await fact(stage);
      return { id, content: "Series B fintechs", seen: content };
    },
  },
  retireEntry: { input: async (stage) => ({ id: await factId(stage) }) },
  confirmEntry: { input: async (stage) => ({ id: await factId(stage) }) },
  restoreEntry: {
    async input(stage) {
      const { id, content } = await fact(stage);
      return { id, content };
    },
  },
  rotateApiKey: { input: async (stage) => ({ id: (await apiKey(stage)).id }) },
  revokeApiKey: {
    async input(stage) {
      const { id, name } = await apiKey(stage);
      return { id, confirm: name };
    },
  },
  changeRole: { input: async (stage) => ({ id: await memberId(stage), role: "admin" }) },
  removeMember: { input: async (stage) => ({ id: await memberId(stage) }) },
  revokeInvitation: {
    async input(stage) {
      const { invitation } = await stage.run("invite", { role: "member" });
      return { id: (invitation as { id: string }).id };
    },
  },
  recordObservations: { ids: { focus: person } },
  listPeople: { ids: { company_id: company }, filters: ["company_id"] },
  patchPerson: { input: async (stage) => ({ focus: await person(stage), job_title: "CEO" }) },
  patchCompany: { input: async (stage) => ({ focus: await company(stage), industry: "Payments" }) },
  deleteWorkspace: {
    input: () => ({ confirm: "Test" }),
    neverReplayed: "what was stored is deleted with the workspace",
  },
};

export const scenarioOf = (name: string): Scenario => scenarios[name] ?? {};

/** An input of the operation that succeeds in this workspace. */
export async function inputOf(name: string, stage: Stage): Promise<Input> {
  const input = await scenarios[name]?.input?.(stage);
  return input ?? (operations.find(({ contract }) => contract.name === name)?.contract.example.input as Input);
}

/** Names in the table above that the registry does not have. */
export const strayScenarios = (): string[] =>
  Object.keys(scenarios).filter((name) => !operations.some(({ contract }) => contract.name === name));
