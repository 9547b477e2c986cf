/** The rules of the house. Each says what it forbids and why; `structure.test.ts` holds them and proves they can fail. */
import { builtinModules } from "node:module";
import { type Import, isTest, roomOf, type SourceFile, sliceOf } from "./tree.ts";

export type Finding = { file: string; what: string };
export type Rule = { name: string; why: string; find: (files: readonly SourceFile[]) => Finding[] };

const isTransport = (path: string): boolean =>
  /^(app|lib\/(http|mcp|cli|inbound|oauth|openapi|scim))\//.test(path) && !isTest(path);

/** A rule about single imports. */
function aboutImports(
  name: string,
  why: string,
  applies: (file: SourceFile) => boolean,
  forbidden: (imported: Import, file: SourceFile) => boolean,
): Rule {
  const find = (files: readonly SourceFile[]): Finding[] =>
    files
      .filter(applies)
      .flatMap((file) =>
        file.imports
          .filter((imported) => forbidden(imported, file))
          .map(({ specifier }) => ({ file: file.path, what: `imports ${specifier}` })),
      );
  return { name, why, find };
}

/** A rule about what the text of a file says. */
function aboutText(
  name: string,
  why: string,
  applies: (file: SourceFile) => boolean,
  patterns: readonly RegExp[],
): Rule {
  const find = (files: readonly SourceFile[]): Finding[] =>
    files.filter(applies).flatMap((file) =>
      patterns.flatMap((pattern) => {
        const match = pattern.exec(file.code)?.[0];
        return match === undefined
          ? []
          : [{ file: file.path, what: `says \`${match.trim().replaceAll(/\s+/g, " ").slice(0, 60)}\`` }];
      }),
    );
  return { name, why, find };
}

const isCode = (path: string): boolean => /\.(ts|tsx|mjs)$/.test(path);

// --- What may import what ------------------------------------------------------------------------------------------

const coreStandsAlone = aboutImports(
  "lib/core imports nothing of ours but lib/text and lib/settings",
  "everything else stands on it, so an import upward would be a cycle of the whole house",
  ({ path }) => path.startsWith("lib/core/") && !isTest(path),
  ({ target }) => target !== undefined && !/^lib\/(core|text|settings)\//.test(target),
);

const MOST_IN_CORE = 30;

const coreStaysSmall: Rule = {
  name: `lib/core holds at most ${MOST_IN_CORE} files`,
  why: "everything stands on it, so everyone has to know it; what only one room needs belongs to that room",
  find: (files) => {
    const { length } = files.filter(({ path }) => path.startsWith("lib/core/") && !isTest(path));
    return length > MOST_IN_CORE ? [{ file: "lib/core", what: `holds ${length}` }] : [];
  },
};

/** From the ground up. A room of lib uses those of the levels below its own, and no other of the same level. */
const levels: readonly (readonly string[])[] = [
  ["lib/text"],
  ["lib/settings"],
  ["lib/core"],
  ["lib/db", "lib/html", "lib/providers"],
  ["lib/jobs", "lib/live"],
  ["lib/auth"],
  ["lib/domain"],
  ["lib/registry.ts", "lib/worker"],
  ["lib/http"],
  ["lib/cli", "lib/inbound", "lib/mcp", "lib/oauth", "lib/openapi", "lib/scim"],
];

const levelOf = (path: string): { room: string; level: number } => {
  const room = path.split("/").slice(0, 2).join("/");
  return { room, level: levels.findIndex((rooms) => rooms.includes(room)) };
};

const roomsStandOnLevels = aboutImports(
  "rooms of lib use only the levels below them",
  "two rooms that use each other can be read, tested and loaded only together; a new room gets its place in the list of levels",
  ({ path }) => path.startsWith("lib/") && !isTest(path),
  ({ target }, { path }) => {
    if (target === undefined || !target.startsWith("lib/")) return false;
    const [from, to] = [levelOf(path), levelOf(target)];
    return from.room !== to.room && !(to.level >= 0 && to.level < from.level);
  },
);

const frameworks =
  /^(next|next-auth|next-themes|react|react-dom|server-only|client-only|commander|@modelcontextprotocol\/.*)$/;

const domainKnowsNoTransport = aboutImports(
  "lib/domain imports no framework, environment or transport",
  "a service is called alike by REST, MCP, CLI, jobs and pages; what depends on one of them belongs to that transport",
  ({ path }) => path.startsWith("lib/domain/") && !isTest(path),
  ({ target, bare }) =>
    (bare !== undefined && frameworks.test(bare)) ||
    (target !== undefined &&
      /^(app|components|lib\/(http|mcp|inbound|cli|oauth|openapi|scim|worker)|lib\/settings\/env)\b/.test(target)),
);

const domainReadsNoEnvironment = aboutText(
  "lib/domain and components read no environment variable",
  "settings are checked once at the start (lib/settings/env.ts) and handed down; a later look would be unchecked and untestable",
  ({ path }) => /^(lib\/domain|components)\//.test(path) && !isTest(path),
  [/\bprocess\.env\b/],
);

const participles =
  "Known|Found|Given|Said|Held|Told|Asked|Wanted|Kept|Made|Shown|Seen|Named|Meant|Taken|Written|Done|Left|Sent|Read|Outcome|Counted|Listed|Added|Created|Chosen";

const typesSayWhat = aboutText(
  "no type is called by a participle alone",
  "Known or Kept says what was done with a value, not what it is: a name such as StoredEvidence or NewLead is read without its file",
  ({ path }) => isCode(path) && !path.startsWith("lib/testing/structure"),
  [new RegExp(`\\b(?:type|interface) (?:${participles})\\b`)],
);

const recorderLocks = aboutText(
  "entities and identifiers are locked by recording",
  "locks are waited for in one order; who needs them elsewhere takes them by the `hold` functions of the recorder, which also say what was merged meanwhile",
  ({ path }) => /^lib\/domain\/(?!records\/|crm\/recording\/)/.test(path) && !isTest(path),
  [/\block(Entities|Identifiers)\b/],
);

const libKnowsNoPages = aboutImports(
  "lib imports neither app nor components",
  "pages call lib; the other direction would pull the browser's code into the CLI, the worker and the tests",
  ({ path }) => path.startsWith("lib/") && !isTest(path) && !path.startsWith("lib/http/"),
  ({ target }) => target !== undefined && /^(app|components)\//.test(target),
);

const libHoldsNoJsx: Rule = {
  name: "lib holds no JSX",
  why: "Node runs lib directly by stripping types, and it cannot strip JSX; markup lives in app and components",
  find: (files) =>
    files
      .filter(({ path }) => /^(lib|bin)\/.*\.tsx$/.test(path))
      .map(({ path }) => ({ file: path, what: "is a .tsx file" })),
};

const componentsSeeContractsOnly = aboutImports(
  "components import only components, lib/core, lib/text, contracts and words",
  "they are sent to the browser: a service, query or key behind an import would be sent along or break the build",
  ({ path }) => path.startsWith("components/") && !isTest(path),
  ({ target }) =>
    target !== undefined &&
    !/^(components\/|lib\/(core|text)\/|lib\/domain\/[^/]+\/[^/]+\/(contract|words)\.ts$)/.test(target),
);

const primitivesStandAlone = aboutImports(
  "components/ui imports no other area and no domain word",
  "primitives serve every page; one that knows a noun of the domain belongs to that noun's area",
  ({ path }) => path.startsWith("components/ui/") && !isTest(path),
  ({ target }) => target !== undefined && !target.startsWith("components/ui/"),
);

const addressesAreGenerated = aboutText(
  "components take the addresses of operations from components/operations",
  "a contract says where its operation is; an address written again by hand goes wrong when the contract's changes",
  ({ path }) =>
    /^components\/.*\.tsx?$/.test(path) &&
    !/^components\/(operations\/|api\.ts$)/.test(path) &&
    !/\.test\.tsx?$/.test(path),
  [/\boperationAt\b/, /\/(v2|api\/(app|account|v1))(?![\w-])/],
);

const partsWait = aboutImports(
  "parts that open on demand are made by ui/on-demand.tsx",
  "next/dynamic makes an error page of a script that could not be fetched; onDemand keeps the page and tries again",
  ({ path }) => /^(app|components)\//.test(path),
  ({ bare, specifier }) => bare === "next" && specifier === "next/dynamic",
);

const providersKnowNoDatabase = aboutImports(
  "lib/providers imports neither the database nor the domain",
  "a provider speaks to an outside system and returns values; what they mean and where they go is the slice's decision",
  ({ path }) => path.startsWith("lib/providers/") && !isTest(path),
  ({ target }) => target !== undefined && /^(lib\/(db|domain|auth|jobs|worker)|prisma)\//.test(target),
);

const transportsTouchNoDatabase = aboutImports(
  "transports do not import the database",
  "they authenticate, translate and call a service; with a connection at hand a decision would soon live there",
  ({ path }) => isTransport(path),
  ({ target, bare }) => (target !== undefined && /^(lib\/db|prisma)\//.test(target)) || bare === "pg",
);

const callsOut: readonly RegExp[] = [
  /(?<![.\w])fetch\(/,
  /import (?!type)[^;]*\b(get|request|requestHttps?|Agent|connect|createConnection|Socket)\b[^;]* from "node:(https?|http2|net|tls)";/,
  /import (?!type)[^;]* from "(node:(dns|dns\/promises|dgram)|undici|nodemailer|ws)";/,
];

const strangersAddressesAreChecked = aboutText(
  "what calls other machines looks up names with lib/providers/checked-lookup.ts",
  "an address that a stranger chose must not lead into our network, not even when its name resolves differently the next time; who calls only where the operator says is an exception with its reason",
  ({ path, code }) =>
    /^(lib|app|bin)\//.test(path) &&
    isCode(path) &&
    !isTest(path) &&
    !path.startsWith("lib/testing/") &&
    !/\bcheckedLookup\b/.test(code),
  callsOut,
);

// --- Slices --------------------------------------------------------------------------------------------------------

const doors = /^lib\/domain\/[^/]+\/[^/]+\/(contract|events|service|words)\.ts$/;
const jobDoor = /^lib\/domain\/[^/]+\/[^/]+\/jobs\.ts$/;

const slicesHaveDoors = aboutImports(
  "slices are entered through contract.ts, service.ts, events.ts or words.ts, by the worker through jobs.ts",
  "scope, plan, validation and audit happen in the service; rules, queries and serialize of another slice are its own affair",
  ({ path }) => !path.startsWith("lib/testing/") && !path.startsWith("bench/"),
  ({ target }, { path }) => {
    if (target === undefined) return false;
    const slice = sliceOf(target);
    if (slice === undefined || slice === sliceOf(path)) return false;
    return !doors.test(target) && !(jobDoor.test(target) && path.startsWith("lib/worker/"));
  },
);

const sliceFiles =
  /^lib\/domain\/[^/]+\/[^/]+\/((contract|words|rules|queries|serialize|service|events|jobs)\.ts|(contract|service|rules|queries)\/[a-z0-9-]+\.ts|data\/.+|(.+\/)?[a-z0-9.-]+\.test\.ts)$/;

const sliceFilesHaveFixedNames: Rule = {
  name: "files of a slice have fixed names",
  why: "who knows one slice knows all: contract, words, rules, queries, serialize, service (a folder of that name when one grows), events, jobs, data/, tests",
  find: (files) =>
    files
      .filter(({ path }) => sliceOf(path) !== undefined && !sliceFiles.test(path))
      .map(({ path }) => ({ file: path, what: "is not one of the names" })),
};

/** The areas of the domain, from the ground up. */
const areas = ["records", "crm", "knowledge", "access", "integrations", "workspace"];

/** The place of a file's area; undefined for what is in none. */
const areaOf = (path: string): number | undefined => {
  const slice = sliceOf(path);
  return slice === undefined ? undefined : areas.indexOf(slice.split("/")[0] as string);
};

const areasStandOnEachOther = aboutImports(
  "areas of lib/domain use only the areas below them",
  "who reads an area must know only what is below it; a slice that needs one above belongs there, or asks for it to be handed in",
  ({ path }) => sliceOf(path) !== undefined && !isTest(path),
  ({ target }, { path }) => {
    const [from, to] = [areaOf(path) as number, target && areaOf(target)];
    return from < 0 || (typeof to === "number" && (to < 0 || to > from));
  },
);

const slicesWithoutCycles: Rule = {
  name: "slices depend on each other without cycles",
  why: "two slices that need each other, if only for a type, are one slice, or an event is missing between them",
  find: (files) => {
    const graph = new Map<string, Set<string>>();
    for (const { path, imports } of files) {
      const from = sliceOf(path);
      if (from === undefined || isTest(path)) continue;
      const importsOf = graph.get(from) ?? new Set();
      for (const { target } of imports) {
        const to = target && sliceOf(target);
        if (to !== undefined && to !== from) importsOf.add(to);
      }
      graph.set(from, importsOf);
    }
    return cyclesOf(graph).map((cycle) => ({
      file: `lib/domain/${cycle[0]}`,
      what: `is in the cycle ${cycle.join(" → ")}`,
    }));
  },
};

const modulesWithoutCycles: Rule = {
  name: "modules import each other without cycles",
  why: "a cycle makes the order of loading decide what is defined; one of types alone still hides that two files are one thing",
  find: (files) => {
    const graph = new Map<string, Set<string>>();
    for (const { path, imports } of files) {
      const targets = imports.map(({ target }) => target);
      graph.set(path, new Set(targets.filter((target) => target !== undefined)));
    }
    return cyclesOf(graph).map((cycle) => ({ file: String(cycle[0]), what: `is in the cycle ${cycle.join(" → ")}` }));
  },
};

/** One cycle for every edge that closes one, found by depth-first search. */
function cyclesOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (node: string): void => {
    const start = trail.indexOf(node);
    if (start >= 0) {
      cycles.push([...trail.slice(start), node]);
      return;
    }
    if (done.has(node)) return;
    trail.push(node);
    for (const next of graph.get(node) ?? []) visit(next);
    trail.pop();
    done.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return cycles;
}

// --- The database --------------------------------------------------------------------------------------------------

const speaksSql = (path: string): boolean =>
  isTest(path) ||
  /(^|\/)queries(\.ts|\/[^/]+\.ts)$/.test(path) ||
  /^(lib\/(db|jobs|worker)|prisma)\//.test(path) ||
  !/^(app|lib|components|bin)\//.test(path);

const databasePackages = /^(pg|pg-.*|@prisma\/.*|graphile-worker|kysely)$/;

const sqlImportsHaveAHome = aboutImports(
  "only queries.ts, lib/db, lib/jobs and lib/worker import pg or Prisma",
  "who looks for what the database is asked must find all of it in one kind of file, each next to its noun",
  ({ path }) => isCode(path) && !speaksSql(path),
  ({ bare, target, typeOnly }) =>
    !typeOnly &&
    ((bare !== undefined && databasePackages.test(bare)) || target?.startsWith("prisma/generated") === true),
);

const sqlHasAHome = aboutText(
  "only queries.ts, lib/db, lib/jobs and lib/worker speak SQL or Prisma",
  "who looks for what the database is asked must find all of it in one kind of file, each next to its noun",
  ({ path }) => isCode(path) && !speaksSql(path),
  [
    /\bSELECT\s[^"'`]{1,300}?\sFROM\s|\bINSERT INTO\s|\bUPDATE\s+\w+\s+SET\s|\bDELETE FROM\s/,
    /["'`]\s*(select\s[^"'`]{1,300}?\sfrom\s|insert into\s|update\s+\w+\s+set\s|delete from\s)/,
    /\.(findMany|findUnique|findFirst|findUniqueOrThrow|findFirstOrThrow|createMany|updateMany|deleteMany|upsert)\(/,
    /\$(queryRaw|executeRaw)(Unsafe)?\b/,
    /\b(db|tx|pool|client|connection)\.query\b/,
  ],
);

const idsOfRowsAreUnnested = aboutText(
  "ids in an array of another row are unnested, not compared by = ANY(array_prepend(…))",
  "before Postgres 17 no index is used for these under row level security: the whole workspace is read for each row",
  ({ path }) => isCode(path) && !isTest(path) && path.includes("/queries"),
  [/\bANY\(array_(prepend|append|cat)\(/],
);

const statementsHaveTheirOwnName: Rule = {
  name: "a prepared statement's name is unique",
  why: "two texts under one name make the connection refuse the second, on whichever request comes later",
  find: (files) => {
    const seen = new Map<string, string>();
    const findings: Finding[] = [];
    for (const { path, code } of files.filter((file) => isCode(file.path) && !isTest(file.path))) {
      for (const [, name = ""] of code.matchAll(/\bsql(?:OfRows|OfIds)?\(\s*["'`]([^"'`]+)["'`]\s*,/g)) {
        const first = seen.get(name);
        if (first === undefined) seen.set(name, path);
        else findings.push({ file: path, what: `declares the statement ${name}, as ${first} does` });
      }
    }
    return findings;
  },
};

const holdsHandles = (path: string): boolean =>
  /^lib\/(auth|db|domain|inbound|jobs|live)\//.test(path) && !isTest(path);

const branchesAreAwaited: Rule = {
  name: "branches are awaited to the end, and no promise is dropped, where a database handle is in scope",
  why: "what goes on after another branch failed would run when its transaction is over: use together(); only a write that db.defer sends at once may be left to the COMMIT",
  find: (files) =>
    files
      .filter(({ path }) => holdsHandles(path))
      .flatMap(({ path, code }) =>
        [
          ...code.matchAll(/\bPromise\.(all|race|any|allSettled)\(/g),
          ...(path.startsWith("lib/domain/") ? code.matchAll(/\bvoid (?!(ctx\.)?db\.defer\()[\w.]+\(/g) : []),
        ].map(([said]) => ({ file: path, what: `says \`${said}\`` })),
      ),
};

const workspaceIsAParameter = aboutText(
  "a statement names its workspace as $workspace",
  "a planner sees a parameter as a constant, which a function is not, and a parameter does not depend on the connection's state",
  ({ path }) => path.startsWith("lib/") && !isTest(path) && !path.startsWith("lib/testing/"),
  [/rapport_workspace\(\)/],
);

const mailIsReadInOnePlace = aboutText(
  "messages and meetings are read for callers by queries/visible.ts of their slices alone",
  "what a member does not share must not be seen anywhere, and is held back in those statements",
  ({ path }) =>
    /^(lib|app|components|bin)\//.test(path) &&
    !isTest(path) &&
    !/^lib\/(testing\/|db\/distributed\/)/.test(path) &&
    !/^lib\/domain\/knowledge\/(messages|meetings)\/queries\//.test(path) &&
    path !== "lib/domain/workspace/privacy/rules.ts",
  [
    /\b(FROM|JOIN|UPDATE|INTO) (messages|message_holders|message_contacts|message_words)\b/,
    /\.prisma\s*\.(message|messageContact|messageWords)\b/,
    /\b(FROM|JOIN|UPDATE|INTO) (meetings|meeting_copies|meeting_contacts)\b/,
    /\.prisma\s*\.(meeting|meetingCopy|meetingContact)\b/,
  ],
);

const relationshipsAreReadInTwoPlaces = aboutText(
  "relationships are read by lib/domain/knowledge/relationships/queries.ts and the filter of people, and kept with messages",
  "a member's private mail counts for that member alone, and is held back in those statements",
  ({ path }) =>
    /^(lib|app|components|bin)\//.test(path) &&
    !isTest(path) &&
    !/^lib\/(testing\/|db\/distributed\/)/.test(path) &&
    !/^lib\/domain\/knowledge\/(messages\/queries\/relationships|relationships\/queries)\.ts$/.test(path) &&
    path !== "lib/domain/crm/people/queries/conditions.ts",
  [/\b(FROM|JOIN|UPDATE|INTO) relationships\b/, /\.prisma\s*\.relationship\b/],
);

const prismaWrites = /\.prisma\s*\.\w+\s*\.(create|update|upsert|delete)\((?:(?!;\n)[\s\S])*/g;

const prismaSelects: Rule = {
  name: "a write through Prisma selects what it returns",
  why: "otherwise every column comes back, enums by a cast that a database of several machines refuses",
  find: (files) =>
    files
      .filter(({ path }) => path.startsWith("lib/") && !/\.test\.ts$/.test(path))
      .flatMap(({ path, code }) =>
        [...code.matchAll(prismaWrites)]
          .filter(([said]) => !/\bselect\b/.test(said))
          .map(([said]) => ({ file: path, what: `says \`${said.slice(1, 40).split("(")[0]}(\`` })),
      ),
};

const locksAreRegistered = aboutText(
  "advisory locks are taken through lib/db/locks.ts",
  "where tenants are spread over several machines each has locks of its own, and a lock beside rows is granted twice; two classes that share a key wait for each other",
  ({ path }) =>
    isCode(path) && !/^(bench\/|lib\/testing\/structure)/.test(path) && path !== "lib/db/locks.ts" && !isTest(path),
  [/\bpg_(try_)?advisory_(xact_)?(un)?lock/i],
);

const onlyAuthMints = aboutText(
  "only lib/auth mints a WorkspaceId",
  "the brand says that the caller was authorised for this workspace; a cast elsewhere would be a way around it",
  ({ path }) => /^(app|lib|components|bin)\//.test(path) && !/^lib\/(auth|db)\//.test(path) && !isTest(path),
  [
    /\bas (unknown as )?WorkspaceId\b/,
    /<WorkspaceId>\s*\(?["'\w]/,
    /(?<![.\w]|function )(workspaceId|mintWorkspaceId|asWorkspaceId|toWorkspaceId)\(/,
    /\.brand<["']WorkspaceId["']>/,
  ],
);

// --- Names and imports ---------------------------------------------------------------------------------------------

const namesSaySomething: Rule = {
  name: "nothing is called utils, helpers, manager or common",
  why: "such a name says where the author stopped thinking; the code has a noun or a verb of its own",
  find: (files) =>
    files
      .filter(({ path }) =>
        path.split("/").some((part) => /(^|[-._])(utils?|helpers?|managers?|common|misc)([-._]|$)/i.test(part)),
      )
      .map(({ path }) => ({ file: path, what: "has such a name" })),
};

const plainRoute = /^export const (GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) = \w+\([\w.,\s]*\);$/;
const routeSetting = /^export const (runtime|dynamic|revalidate|maxDuration|preferredRegion) = ["'\w.-]+;$/;

const routesOnlyConnect: Rule = {
  name: "route files of the API hold only imports and `export const METHOD = route(operation)`",
  why: "every decision belongs to the service, where REST, MCP and CLI share it; a route file with an `if` is a smell",
  find: (files) =>
    files
      .filter(({ path }) => /^app\/(v2|api\/v1|api\/app)\/(.+\/)?route\.ts$/.test(path))
      .flatMap(({ path, code }) =>
        statementsOf(code)
          .filter((line) => !line.startsWith("import ") && !plainRoute.test(line) && !routeSetting.test(line))
          .map((line) => ({ file: path, what: `says \`${line.slice(0, 80)}\`` })),
      ),
};

/** Statements as the formatter writes them: each starts in the first column. */
const statementsOf = (code: string): string[] =>
  code
    .replaceAll(/\s*\/\/.*$/gm, "")
    .split(/\n(?=[^\s})\]])/)
    .map((part) => part.trim().replaceAll(/\s+/g, " ").replace("( ", "(").replace(/,? \)/, ")"))
    .filter(Boolean);

const importsSayTheExtension = aboutImports(
  "imports of our own files say the extension",
  "Node loads them as written (type stripping): without `.ts` the front, the CLI and the worker do not start",
  ({ path }) => isCode(path),
  ({ target }) => target !== undefined && !/\.(ts|tsx|mjs|js|json|css)$/.test(target),
);

const aliasesCrossRooms = aboutImports(
  "imports across rooms use #lib, #components or #prisma",
  "`../../..` hides that a wall is crossed and breaks when a file moves",
  ({ path }) => isCode(path) && path.includes("/"),
  ({ specifier, target }, { path }) =>
    specifier.startsWith(".") && target !== undefined && !target.endsWith(".json") && roomOf(target) !== roomOf(path),
);

const unitTestsAreFast = aboutImports(
  "unit tests use no database",
  "`npm run verify` runs without one; a test that needs it is called *.int.test.ts",
  ({ path }) => /\.test\.tsx?$/.test(path) && !/\.int\.test\.ts$/.test(path),
  ({ target, bare, typeOnly }) => !typeOnly && (bare === "pg" || target === "lib/testing/database.ts"),
);

const journeysAreFound: Rule = {
  name: "journeys are called e2e/<name>.journey.ts",
  why: "the runner looks for that ending, so a test in another file would never run",
  find: (files) =>
    files
      .filter(
        ({ path, code }) => path.startsWith("e2e/") && !path.endsWith(".journey.ts") && /^test(\.\w+)?\(/m.test(code),
      )
      .map(({ path }) => ({ file: path, what: "declares a test" })),
};

const press =
  /\.(click|dblclick|tap|check|uncheck|setChecked|press|pressSequentially|type|fill|clear|selectOption|setInputFiles|dragTo|down|up)\(|new (Keyboard|Mouse|Pointer)Event\(/;

/** Text from the first parenthesis at or after `start` to the one that closes it. */
function parenthesised(code: string, start: number): string {
  let depth = 0;
  for (let at = code.indexOf("(", start); at < code.length; at++) {
    if (code[at] === "(") depth++;
    else if (code[at] === ")" && --depth === 0) return code.slice(start, at + 1);
  }
  return code.slice(start);
}

/** Functions of a file that press something: `press` inside of a loop may be behind a name. */
const functionWithBody =
  /^([ \t]*)(?:export )?(?:async )?(?:const|function) (\w+)(?: = (?:async )?\(|\()(?:.*\{\n[\s\S]*?\n\1\}|[\s\S]*?;$)/gm;

function pressingFunctions(code: string): string[] {
  return [...code.matchAll(functionWithBody)].flatMap(([body, , name]) => (name && press.test(body) ? [name] : []));
}

const pressesAreOnce: Rule = {
  name: "what is tried until it passes presses nothing",
  why: "a control that works only at the second press is a defect, which pressing again hides: wait for what must be there, and press once",
  find: (files) =>
    files
      .filter(({ path }) => path.startsWith("e2e/"))
      .flatMap(({ path, code }) => {
        const names = pressingFunctions(code);
        return [...code.matchAll(/\bexpect(\.poll)?(?=\()/g)].flatMap(({ 0: said, 1: poll, index }) => {
          const tried = parenthesised(code, index);
          if (!poll && !code.startsWith(".toPass(", index + tried.length)) return [];
          const calls = [...tried.matchAll(/\b(\w+)\(/g)].find(([, name = ""]) => names.includes(name));
          const pressed = press.exec(tried)?.[0] ?? calls?.[0];
          return pressed ? [{ file: path, what: `says \`${pressed}\` in \`${poll ? said : "toPass"}\`` }] : [];
        });
      }),
};

// --- Packages ------------------------------------------------------------------------------------------------------

type Names = Record<string, string>;
type Manifest = { dependencies?: Names; devDependencies?: Names; peerDependencies?: Names };

function manifestOf(files: readonly SourceFile[], folder = ""): Manifest {
  const file = files.find(({ path }) => path === `${folder}package.json`);
  return file ? (JSON.parse(file.text) as Manifest) : {};
}

const isBuiltin = (bare: string): boolean => bare.startsWith("node:") || builtinModules.includes(bare);

/** Needs only what `npm ci --omit=dev` installs: everything that runs when the app runs or builds. */
const isProduction = (path: string): boolean =>
  /^(app|lib|components|bin)\//.test(path) && !isTest(path) && path !== "bin/test.ts";

const packagesAreDeclared: Rule = {
  name: "imported packages are declared, those of production as dependencies",
  why: "an undeclared package works by accident of another one's install, and a devDependency is absent in production",
  find: (files) => {
    const { dependencies = {}, devDependencies = {} } = manifestOf(files);
    return files.flatMap(({ path, imports }) => {
      const client = /^clients\/[^/]+\//.exec(path)?.[0];
      const { peerDependencies = {} } = client ? manifestOf(files, client) : {};
      return imports.flatMap(({ bare, specifier, typeOnly }) => {
        if (bare === undefined || isBuiltin(bare) || bare in dependencies || bare in peerDependencies) return [];
        if (!(bare in devDependencies))
          return [{ file: path, what: `imports ${bare || specifier}, which package.json does not name` }];
        return isProduction(path) && !typeOnly ? [{ file: path, what: `imports the devDependency ${bare}` }] : [];
      });
    });
  },
};

export const rules: readonly Rule[] = [
  coreStandsAlone,
  coreStaysSmall,
  roomsStandOnLevels,
  domainKnowsNoTransport,
  domainReadsNoEnvironment,
  typesSayWhat,
  recorderLocks,
  libKnowsNoPages,
  libHoldsNoJsx,
  componentsSeeContractsOnly,
  primitivesStandAlone,
  addressesAreGenerated,
  partsWait,
  providersKnowNoDatabase,
  strangersAddressesAreChecked,
  transportsTouchNoDatabase,
  slicesHaveDoors,
  areasStandOnEachOther,
  sliceFilesHaveFixedNames,
  slicesWithoutCycles,
  modulesWithoutCycles,
  sqlImportsHaveAHome,
  sqlHasAHome,
  idsOfRowsAreUnnested,
  statementsHaveTheirOwnName,
  branchesAreAwaited,
  workspaceIsAParameter,
  mailIsReadInOnePlace,
  relationshipsAreReadInTwoPlaces,
  locksAreRegistered,
  prismaSelects,
  onlyAuthMints,
  namesSaySomething,
  routesOnlyConnect,
  importsSayTheExtension,
  aliasesCrossRooms,
  unitTestsAreFast,
  journeysAreFound,
  pressesAreOnce,
  packagesAreDeclared,
];
