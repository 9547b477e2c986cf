import fc from "fast-check";
import { z } from "zod";
import { type Contract, pathFields } from "#lib/core/operation.ts";
import { cursorsOf, sealedCursorsOf } from "#lib/core/paging.ts";
import { prefixOf } from "#lib/core/schema.ts";
import { type Chance, chanceOf } from "../torture/chance.ts";
import { everyHostileValue, options } from "../torture/options.ts";
import { LARGE, ODD_POSITIONS, PATH_VALUES, PROTOTYPE_NAMES, QUERY_VALUES, VALUES } from "./hostile-values.ts";
import { placesOf } from "./wrong-values.ts";

type Input = Record<string, unknown>;

/** A request as text, so that it can contain what a client library would refuse to write. */
export type Attack = { what: string; path: string; body: string | null };

/** An operation that is attacked. */
export type Target = {
  contract: Contract;
  /** the prefix of its path */
  base: string;
  workspaceId: string;
  /** An input that succeeds. */
  inputOf(): Promise<Input>;
  /** How many values are sent to one place when not all are, for operations that are slow on purpose. */
  most?: number;
};

/** How many values are sent to one place; `npm run torture -- --part values` sends all of them. */
const MOST = 20;
const MIXTURES = 16;

/** Which values an operation is sent in this run; a run of that operation alone with the same seed sends the same. */
const chanceFor = ({ contract }: Target): Chance =>
  chanceOf([...contract.name].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), options.seed));

/** Some of the values of one place, in their order, or all of them. */
function some<T>(values: readonly T[], { most = MOST }: Target, chance: Chance): T[] {
  if (everyHostileValue) return [...values];
  const left = values.map((_, index) => index);
  const chosen = new Set(
    Array.from({ length: Math.min(most, left.length) }, () => left.splice(chance.int(0, left.length - 1), 1)[0]),
  );
  return values.filter((_, index) => chosen.has(index));
}

/** One hostile value at a time, in groups for each place, each on an input of its own; then several at once. */
export async function* attacksOn(target: Target): AsyncGenerator<Attack[]> {
  const chance = chanceFor(target);
  yield* pathsOf(target, await target.inputOf(), chance);
  yield* hasBody(target.contract) ? bodiesOf(target, chance) : queriesOf(target, await target.inputOf(), chance);
  yield mixturesOf(target, await target.inputOf(), chance);
}

const hasBody = ({ http: { method } }: Contract): boolean => method === "POST" || method === "PATCH";

const outsidePath = (contract: Contract, input: Input): Input =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !pathFields(contract).includes(name)));

/** The address with the path's fields of an input; `raw` is inserted as it is. */
const addressOf = ({ contract, base }: Target, input: Input, raw: Readonly<Record<string, string>> = {}): string =>
  base +
  contract.http.path.replaceAll(/:([a-z_]+)/g, (_, name) => raw[name] ?? encodeURIComponent(String(input[name])));

function* pathsOf(target: Target, right: Input, chance: Chance): Generator<Attack[]> {
  const { contract } = target;
  const body = hasBody(contract) ? JSON.stringify(outsidePath(contract, right)) : null;
  for (const name of pathFields(contract))
    yield some(PATH_VALUES, target, chance).map((text) => {
      return { what: `:${name}=${text}`, path: addressOf(target, right, { [name]: text }), body };
    });
}

/** Placeholder for the text of a hostile value. */
const HOLE = "\u0001";
const withText = (input: unknown, text: string): string =>
  JSON.stringify(input).replace(JSON.stringify(HOLE), () => text);

async function* bodiesOf(target: Target, chance: Chance): AsyncGenerator<Attack[]> {
  const { contract, inputOf } = target;
  const places = (input: Input) => new Map(placesOf(contract, input).map(({ path, put }) => [path, put]));
  for (const at of places(await inputOf()).keys()) {
    if (pathFields(contract).includes(at)) continue;
    const input = await inputOf();
    const path = addressOf(target, input);
    const holed = at === "" ? HOLE : outsidePath(contract, places(input).get(at)?.(HOLE) ?? {});
    const values = at.includes(".") ? VALUES : [...VALUES, ...LARGE];
    yield some(values, target, chance).map((text) => ({ what: `${at}: ${text}`, path, body: withText(holed, text) }));
  }
  const right = await inputOf();
  const path = addressOf(target, right);
  const members = JSON.stringify(outsidePath(contract, right)).slice(1, -1);
  const fields = [...PROTOTYPE_NAMES, "", "a.b", "x".repeat(5_000)].flatMap((name) =>
    ["1", "null", '"x"', "{}", "[]"].map((text) => {
      const body = `{${[members, `${JSON.stringify(name)}:${text}`].filter(Boolean).join(",")}}`;
      return { what: `a field ${name}: ${text}`, path, body };
    }),
  );
  yield some(fields, target, chance);
}

function* queriesOf(target: Target, right: Input, chance: Chance): Generator<Attack[]> {
  const { contract, workspaceId } = target;
  const parameters = Object.entries(outsidePath(contract, right)).filter(
    ([name]) => prefixOf(contract.input.shape[name]) === null,
  );
  const one = (name: string, text: string): Attack => {
    const others = parameters.filter(([other]) => other !== name).map(([other, value]) => `${other}=${textOf(value)}`);
    const path = `${addressOf(target, right)}?${[...others, `${name}=${text}`].join("&")}`;
    return { what: `?${name}=${text}`, path, body: null };
  };
  for (const name of Object.keys(outsidePath(contract, contract.input.shape)))
    yield some(QUERY_VALUES, target, chance).map((text) => one(name, text));
  const anything = z.array(z.union([z.string(), z.number(), z.null()]));
  if ("cursor" in contract.input.shape)
    for (const { encode } of [cursorsOf(contract.name, anything), sealedCursorsOf(contract.name, anything)])
      yield some(ODD_POSITIONS, target, chance).map((position) =>
        one("cursor", encode({ workspaceId }, [...position])),
      );
  yield [...PROTOTYPE_NAMES, "%00", "limit[]", "%ed%a0%80"].map((name) => one(name, "1"));
  for (const prefix of Object.values(contract.input.shape)
    .map(prefixOf)
    .filter((one) => one !== null))
    yield [...PROTOTYPE_NAMES, "", "%00", "x"].flatMap((name) => [
      one(`${prefix}.${name}`, "1"),
      one(`${prefix}[${name}]`, "1"),
    ]);
}

const textOf = (value: unknown): string => encodeURIComponent([value].flat().join(","));

/** Several fields at once, each absent, right or anything; never an input that is right as a whole. */
function mixturesOf(target: Target, right: Input, chance: Chance): Attack[] {
  const { contract, most = MOST } = target;
  const path = addressOf(target, right);
  const fields = Object.keys(outsidePath(contract, contract.input.shape));
  if (fields.length === 0) return [];
  const inBody = hasBody(contract);
  const rightText = (name: string) => (inBody ? JSON.stringify(right[name]) : textOf(right[name]));
  const anything = inBody
    ? fc.oneof(fc.constantFrom(...VALUES), fc.json({ maxDepth: 4 }))
    : fc.oneof(fc.constantFrom(...QUERY_VALUES), fc.string().map(encodeURIComponent));
  const of = (name: string) =>
    right[name] === undefined ? anything : fc.oneof(fc.constant(rightText(name)), anything);
  const chosen = fc
    .record(Object.fromEntries(fields.map((name) => [name, of(name)])), { requiredKeys: [] })
    .filter((parts) => Object.entries(parts).some(([name, text]) => text !== rightText(name)));
  const numRuns = Math.min(MIXTURES, most);
  return fc.sample(chosen, { numRuns, seed: chance.int(0, 2 ** 31 - 1) }).map((parts) => {
    const members = Object.entries(parts) as [string, string][];
    if (inBody) {
      const body = `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
      return { what: body, path, body };
    }
    const query = members.map(([name, text]) => `${name}=${text}`).join("&");
    return { what: query, path: `${path}?${query}`, body: null };
  });
}
