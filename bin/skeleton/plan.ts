/** Works out which files a new operation needs and their text; nothing is written here. */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { camelOf, type Import, type Names, type Part, snakeOf } from "./names.ts";
import { auditedOf, contractOf, errorLineOf, routeOf, scenarioOf, sentenceOf, serviceOf, testOf } from "./operation.ts";
import { queriesOf, statementOf } from "./queries.ts";

/** Text of each file that changes, by path from the root. */
export type Plan = ReadonlyMap<string, string>;

const isThere = (message: string): never => {
  throw new OperatorError(message);
};

/** Throws an `OperatorError` when something of that name or at that address is there already. */
export function planOf(root: string, names: Names): Plan {
  const plan = new Map<string, string>();
  const exists = (file: string) => existsSync(path.join(root, file));
  const textOf = (file: string) => plan.get(file) ?? (exists(file) ? readFileSync(path.join(root, file), "utf8") : "");
  const { noun, operation, method } = names;
  const slice = `lib/domain/${names.area}/${noun}`;
  refuseTaken(root, names);

  const add = (file: string, part: Part) => plan.set(file, withPart(textOf(file), part));
  /** Puts a line before the first line that begins with `anchor`. */
  const insert = (file: string, anchor: string, line: string) => {
    const text = textOf(file);
    const at = text.indexOf(`\n${anchor}`);
    if (at < 0) throw new OperatorError(`${file} has no line "${anchor}", before which this would go: ${line.trim()}`);
    plan.set(file, `${text.slice(0, at + 1)}${line}\n${text.slice(at + 1)}`);
  };

  const contract = `${slice}/contract.ts`;
  if (exists(`${slice}/contract`)) {
    const topic = `contract/${names.verb}.ts`;
    if (exists(`${slice}/${topic}`)) isThere(`${slice}/${topic} is there already.`);
    const others = globSync(`${slice}/contract/*.ts`, { cwd: root }).map(textOf).join("\n");
    add(`${slice}/${topic}`, contractOf(names, `tag: ${tagIn(others, noun)}`));
    plan.set(contract, `${textOf(contract)}export { ${operation} } from "./${topic}";\n`);
  } else {
    const text = textOf(contract);
    add(contract, contractOf(names, /^const tag = /m.test(text) ? "tag" : `tag: ${tagIn(text, noun)}`));
  }
  const queries = exists(`${slice}/queries`) ? `queries/${names.verb}.ts` : "queries.ts";
  add(`${slice}/${queries}`, queriesOf(names));
  add(`${slice}/service.ts`, serviceOf(names, `./${queries}`));
  const test = `${slice}/${kebabOf(operation)}.int.test.ts`;
  if (exists(test)) isThere(`${test} is there already.`);
  add(test, testOf(names));

  const route = `app${names.path.replaceAll(/:(\w+)/g, "[$1]")}/route.ts`;
  if (new RegExp(`^export const ${method} `, "m").test(textOf(route))) isThere(`${route} answers ${method} already.`);
  add(route, routeOf(names));

  const registry = "lib/registry.ts";
  const module = `#${slice}/service.ts`;
  if (!textOf(registry).includes(`"${module}"`)) {
    insert(registry, "].flatMap(", `  ${camelOf(noun)},`);
    add(registry, { imports: [[module, `* as ${camelOf(noun)}`]], body: "" });
  }
  if (names.shape !== "list") {
    const errors = "lib/core/errors.ts";
    if (!textOf(errors).includes(`\n  ${names.missing}: `)) insert(errors, "  method_not_allowed:", errorLineOf(names));
    const scenarios = "lib/testing/conformance/scenarios.ts";
    insert(scenarios, "  deleteWorkspace: {", scenarioOf(names));
    add(scenarios, { imports: [["../rows.fixture.ts", "addRow"]], body: "" });
  }
  if (names.shape === "act") {
    const audited = auditedOf(names);
    insert("lib/domain/records/audit/words.ts", '  "user.signed_in",', `  "${audited}",`);
    insert("components/settings/audit-words.ts", '  "user.signed_in":', sentenceOf(names));
    insert("lib/testing/conformance/audit.int.test.ts", '  "user.signed_in":', `  "${audited}": by("${operation}"),`);
    const kinds = "components/settings/audit-filter.ts";
    const noun = JSON.stringify(snakeOf(names.table.model));
    if (!textOf(kinds).includes(noun)) plan.set(kinds, textOf(kinds).replace('["workspace"', `[${noun}, "workspace"`));
  }
  return plan;
}

function refuseTaken(root: string, names: Names): void {
  const { operation, noun, path: address } = names;
  for (const file of globSync("lib/domain/*/*/{contract,contract/*,queries,queries/*}.ts", { cwd: root })) {
    const text = readFileSync(path.join(root, file), "utf8");
    if (text.includes(`name: "${operation}"`))
      isThere(`${file} has an operation ${operation} already: extend it, or choose another verb (--like list).`);
    if (text.includes(`"${statementOf(names)}"`)) isThere(`${file} has a statement ${statementOf(names)} already.`);
  }
  const folder = path.join(root, "app/v2", noun);
  const named = existsSync(folder) ? readdirSync(folder).find((entry) => /^\[.*\]$/.test(entry)) : undefined;
  if (address.includes("/:id") && named && named !== "[id]")
    isThere(
      `app/v2/${noun} names its records by ${named}, not by [id]; one folder cannot have both, so write this one by hand.`,
    );
}

/** The tag in a slice's contracts, in quotes; else the noun in words. */
function tagIn(contracts: string, noun: string): string {
  const words = noun.replaceAll("-", " ");
  return (
    /\btag(?:: | = )(".*?")/.exec(contracts)?.[1] ?? JSON.stringify(words.charAt(0).toUpperCase() + words.slice(1))
  );
}

/** Adds what is not imported yet in front, and the body at the end. */
function withPart(text: string, { imports, body }: Part): string {
  const head = imports.map((wanted) => importLine(text, wanted)).join("");
  const separated = head !== "" && !text.startsWith("import ") ? "\n" : "";
  return `${head}${separated}${text}${body === "" ? "" : `${text === "" ? "" : "\n"}${body}\n`}`;
}

/** The import of names from the module that `text` does not import yet; empty when there are none. */
function importLine(text: string, [module, ...names]: Import): string {
  const taken = [...text.matchAll(/^import (type )?([^;]*?) from "([^"]+)";$/gm)]
    .filter(([, , , from]) => from === module)
    .flatMap(([, type = "", what = ""]) => what.split(/[{},]/).map((name) => type + name.trim()));
  const missing = names.filter((name) => !taken.includes(name));
  const [first = ""] = missing;
  if (first === "") return "";
  if (first.startsWith("* as ")) return `import ${first} from "${module}";\n`;
  const types = missing.every((name) => name.startsWith("type "));
  return types
    ? `import type { ${missing.map((name) => name.slice("type ".length)).join(", ")} } from "${module}";\n`
    : `import { ${missing.join(", ")} } from "${module}";\n`;
}

const kebabOf = (camel: string): string => camel.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
