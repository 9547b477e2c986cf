import type { Caller } from "#lib/core/context.ts";
import { Fault, isFault } from "#lib/core/errors.ts";
import { type JsonSchema, jsonSchemaOf } from "#lib/core/json-schema.ts";
import { type Contract, featureOf, mayWrite, type Tool as ToolContract } from "#lib/core/operation.ts";
import { type Feature, type Plan, planFeatures, planHas, type Scope, scopeIncludes } from "#lib/core/plans.ts";
import { getApproval } from "#lib/domain/access/approvals/contract.ts";
import { accept, authorize } from "#lib/domain/authority.ts";
import type { Waiting } from "#lib/domain/holding.ts";
import type { Operation } from "#lib/domain/implement.ts";
import { resolveFocus } from "#lib/domain/knowledge/contacts/service.ts";
import { isWithin } from "#lib/domain/reach.ts";
import { meantBy } from "#lib/domain/records/entities/service.ts";
import { operations } from "#lib/registry.ts";
import { type ConnectorResult, connectors } from "./connectors.ts";
import { texts } from "./text/answers.ts";
import { namingTools } from "./words.ts";

/** A tool as a client sees it, and what runs when it is called. */
export type Tool = {
  name: string;
  scope: Scope;
  feature: Feature | undefined;
  /** Whether it only reads. */
  reads: boolean;
  /** Only callers whose writes need approval see it. */
  forApproval: boolean;
  /** The operations behind it, all of which the limits of a caller must allow. */
  reaches: readonly Contract[];
  definition: {
    name: string;
    description: string;
    inputSchema: { type: "object" } & JsonSchema;
    annotations: { readOnlyHint: boolean; destructiveHint?: boolean; idempotentHint?: boolean; openWorldHint: boolean };
  };
  /** Throws a `Fault` as the operation does. `origin` is this server's, for links. */
  call(caller: Caller, given: Record<string, unknown>, origin: string): Promise<ConnectorResult>;
};

type OfTool = Operation & { contract: Contract & { tool: ToolContract } };

/** The tool that says what was decided. */
const CHECK = getApproval.tool?.name;

const isTool = (operation: Operation): operation is OfTool => operation.contract.tool !== undefined;

/** Parameter of the tool to field of the operation's input. */
const fieldsOf = ({ parameters }: ToolContract): [parameter: string, field: string][] =>
  parameters.map((one) => (typeof one === "string" ? [one, one] : [one[0], one[1]]));

function toolOf(operation: OfTool): Tool {
  const { contract } = operation;
  const { tool, scope } = contract;
  const fields = fieldsOf(tool);
  const text = texts[contract.name] as ((output: unknown, given: Record<string, unknown>) => string) | undefined;
  if (!text) throw new Error(`The tool ${tool.name} has no text: add ${contract.name} to lib/mcp/text/answers.ts.`);
  const reads = !mayWrite(contract);
  return {
    name: tool.name,
    scope,
    feature: featureOf(contract),
    reads,
    forApproval: contract.name === getApproval.name,
    reaches: [contract],
    definition: {
      name: tool.name,
      description: tool.description,
      inputSchema: inputSchemaOf(contract, fields),
      annotations: annotationsOf(reads, tool.hints),
    },
    async call(caller, given) {
      const answer = await callNamed(operation, caller, { ...inputOf(fields, given), ...tool.always }).catch(
        (error: unknown) => {
          throw isFault(error) ? inParameters(error, fields) : error;
        },
      );
      if ("waiting" in answer) return waitingOf(answer.waiting);
      const structured = namingTools(answer.output);
      return { structured: structured as Record<string, unknown>, text: text(structured, given) };
    },
  };
}

const callNamed = async (operation: OfTool, caller: Caller, input: Record<string, unknown>) =>
  operation.call(caller, await named(operation.contract, caller, input));

/** The fault with the tool's name of a parameter where the operation calls it otherwise. */
function inParameters(fault: Fault, fields: readonly [string, string][]): Fault {
  const [field = "", ...rest] = typeof fault.extras.parameter === "string" ? fault.extras.parameter.split(".") : [];
  const parameter = fields.find(([own, of]) => of === field && own !== of)?.[0];
  if (parameter === undefined) return fault;
  const message = fault.message.startsWith(field) ? parameter + fault.message.slice(field.length) : fault.message;
  return new Fault(fault.code, { ...fault.extras, parameter: [parameter, ...rest].join(".") }, message);
}

/** The input with the id of the record where a name is in the place of an identifier, which the operation does not take. */
async function named(contract: Contract, caller: Caller, input: Record<string, unknown>) {
  const { focus } = input;
  if (contract.codes?.fields?.focus !== "invalid_focus" || typeof focus !== "string" || focus.trim() === "")
    return input;
  const refusal = refusalOf(caller, focus);
  if (!refusal) return input;
  // What else is wrong comes first, as it does for an identifier.
  authorize(contract, caller);
  accept(contract, caller, input);
  return { ...input, focus: await idOf(caller, focus, refusal) };
}

/** Why the text is no identifier; null when it is one. */
function refusalOf(caller: Caller, focus: string): Fault | null {
  try {
    meantBy(caller, focus);
    return null;
  } catch (error) {
    if (isFault(error)) return error;
    throw error;
  }
}

/** The id of the one record that has the name; throws `invalid_focus` with those it may mean. */
async function idOf(caller: Caller, focus: string, refusal: Fault): Promise<string> {
  const resolved = await resolveFocus.execute(caller, { focus }).catch((error: unknown) => {
    if (!isFault(error) || error.code !== "entity_not_found") throw error;
    throw new Fault(refusal.code, { ...refusal.extras, ...error.extras }, NO_MATCH);
  });
  if ("candidates" in resolved) {
    const { candidates, more } = resolved;
    throw new Fault(refusal.code, { ...refusal.extras, candidates, ...(more ? { more } : {}) }, SEVERAL);
  }
  return resolved.entity_id;
}

const NO_MATCH =
  "No person or company has that name. Give an e-mail, domain or LinkedIn URL, or the id of one that is near.";
const SEVERAL = "Several have that name. Call again with the id of one.";

/** What a model reads about a change that waits. */
function waitingOf({ approval_id: id, ...waiting }: Waiting): ConnectorResult {
  const message = `Not done yet: a person must approve it. Do not call this again. Ask ${CHECK} with the id ${id} later what was decided, and say to your user that it waits.`;
  return { structured: { ...waiting, approval_id: id, message }, text: message };
}

const annotationsOf = (reads: boolean, hints: NonNullable<ToolContract["hints"]> = []) => ({
  readOnlyHint: reads,
  ...(reads ? {} : { destructiveHint: hints.includes("destructive"), idempotentHint: hints.includes("idempotent") }),
  openWorldHint: hints.includes("openWorld"),
});

/** The operation's input; throws 400 `unknown_parameter` for what the tool does not have. */
function inputOf(fields: readonly [string, string][], input: Record<string, unknown>): Record<string, unknown> {
  const fieldByParameter = new Map(fields);
  return Object.fromEntries(
    Object.entries(input).map(([parameter, value]) => {
      const field = fieldByParameter.get(parameter);
      if (field !== undefined) return [field, value];
      const supported = [...fieldByParameter.keys()];
      throw new Fault("unknown_parameter", { parameter, supported }, `${parameter} is not a parameter of this tool.`);
    }),
  );
}

/** The input of a tool, in few words: each parameter with the first sentence of what the operation says of it. */
function inputSchemaOf(contract: Contract, fields: readonly [string, string][]): { type: "object" } & JsonSchema {
  const { schema, named } = jsonSchemaOf(contract.input, "body", (name) => ({ $ref: name }));
  const { properties = {}, required = [] } = schema as { properties?: JsonSchema; required?: string[] };
  const must = fields.filter(([, field]) => required.includes(field)).map(([parameter]) => parameter);
  const describedOnce = new Set<string>();
  const described = fields.map(([parameter, field]) => {
    if (field === "focus") return [parameter, { type: "string", description: WHO }];
    return [parameter, terse(properties[field], named, describedOnce)];
  });
  return {
    type: "object",
    properties: Object.fromEntries(described),
    ...(must.length > 0 ? { required: must } : {}),
    additionalProperties: false,
  };
}

/** One way to say who, in every tool. */
const WHO = "Name (Anna at Acme), e-mail, domain, LinkedIn URL, id";

/** What a schema may say that a model does not need in order to call: the server checks it all the same. */
const UNSAID: ReadonlySet<string> = new Set([
  ...["minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum", "pattern", "format", "id", "title"],
]);

/** What the members of an object may be, where any name is taken: they are what callers expect. */
const isFree = (key: string, member: unknown): boolean =>
  key === "propertyNames" || (key === "additionalProperties" && typeof member === "object");

/** `said`: the descriptions that the tool has had so far; none is said twice. */
function terse(value: unknown, named: Readonly<Record<string, JsonSchema>>, describedOnce: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((member) => terse(member, named, describedOnce));
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...own } = value as JsonSchema;
  // What is checked later is any object here: only the API's own documents say it at length.
  const whole = typeof $ref === "string" ? { ...(named[$ref] ?? { type: "object" }), ...own } : own;
  return Object.fromEntries(
    Object.entries(whole)
      .filter(([key, member]) => !(UNSAID.has(key) && typeof member !== "object") && !isFree(key, member))
      .flatMap(([key, member]) => {
        if (key !== "description" || typeof member !== "string") return [[key, terse(member, named, describedOnce)]];
        if (describedOnce.has(member)) return [];
        describedOnce.add(member);
        return [[key, firstSentence(member)]];
      }),
  );
}

const firstSentence = (text: string): string => /^.*?[^.]\.(?=\s|$)/.exec(text)?.[0].slice(0, -1) ?? text;

const ORDER = ["get_context", "record", "attention", "query", "get_account", "search_notes", "save_note", "verify"];

function place(name: string): number {
  const index = ORDER.indexOf(name);
  return index < 0 ? ORDER.length : index;
}

/** Every tool there is, in the order of their use. */
export const tools: readonly Tool[] = [
  ...operations.filter(isTool).map(toolOf),
  ...connectors.map(({ name, description, inputSchema, reaches, call }) => ({
    name,
    scope: "read" as const,
    feature: undefined,
    reads: true,
    forApproval: false,
    reaches,
    definition: { name, description, inputSchema, annotations: annotationsOf(true) },
    call,
  })),
].sort((a, b) => place(a.name) - place(b.name));

/** Which tools a client asked for: all, those that only read, or some by name. */
export type ToolChoice = "all" | "read" | readonly string[];

/** Reads `?tools=read` or `?tools=get_context,record`; throws 400 for a name that no tool has. */
export function wantedOf(query: string): ToolChoice {
  const asked = new URLSearchParams(query).get("tools");
  if (asked === null || asked === "" || asked === "all") return "all";
  if (asked === "read") return "read";
  const names = asked.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !tools.some((tool) => tool.name === name));
  if (unknown === undefined) return names;
  const allowed = ["read", ...tools.map(({ name }) => name)];
  throw new Fault(
    "invalid_parameter",
    { parameter: "tools", allowed },
    `tools: there is no tool called ${unknown}. There are ${allowed.join(", ")}.`,
  );
}

const isWanted = ({ name, reads }: Tool, wanted: ToolChoice): boolean =>
  wanted === "all" || (wanted === "read" ? reads : wanted.includes(name));

const asksPeople = (approval: Caller["approval"]): boolean => approval !== undefined && approval !== "none";

/** The tools a caller sees: those its scopes and its need of approval ask for, among the wanted. */
export const toolsFor = (
  { scopes, approval, limits }: Pick<Caller, "scopes" | "approval" | "limits">,
  wanted: ToolChoice,
): Tool[] =>
  tools.filter(
    (tool) =>
      scopeIncludes(scopes, tool.scope) &&
      (asksPeople(approval) || !tool.forApproval) &&
      (limits === undefined || tool.reaches.every((contract) => isWithin(contract, limits))) &&
      isWanted(tool, wanted),
  );

/** The tool of that name among the wanted, whether or not the caller may call it. */
export const toolNamed = (name: string, wanted: ToolChoice): Tool | undefined =>
  tools.find((tool) => tool.name === name && isWanted(tool, wanted));

/** A definition for a caller: one that is beyond the plan says so. */
export const definitionFor = ({ definition, feature }: Tool, plan: Plan): Tool["definition"] =>
  feature === undefined || planHas(plan, feature)
    ? definition
    : { ...definition, description: `Needs the plan ${planFeatures[feature].plan}. ${definition.description}` };
