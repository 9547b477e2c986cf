/** The list of packages in what `npm run package` makes, as a CycloneDX document (ECMA-424): made from the lock file, so it is exact. */
import { dependenciesOf, type LockedPackage, type LockFile, nameOf } from "./manifest.ts";

type Hash = { alg: string; content: string };
type License = { license: { id: string } | { name: string } } | { expression: string };

export interface Component {
  type: "library";
  "bom-ref": string;
  name: string;
  version: string;
  purl: string;
  scope: "required" | "optional";
  hashes?: Hash[];
  licenses?: License[];
}

type Release = { name: string; version: string; license?: string | undefined };

/** `folders`: packages in the archive; `natives`: those of which npm fetches the one for the platform. */
export function sbomOf(release: Release, folders: readonly string[], natives: readonly string[], lock: LockFile) {
  const fetched = natives.map((name) => `node_modules/${name}`);
  const all = [...folders, ...fetched];
  const root = purlOf(release.name, release.version);
  const within = new Set(all);
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      lifecycles: [{ phase: "build" }],
      component: {
        type: "application",
        "bom-ref": root,
        name: release.name,
        version: release.version,
        purl: root,
        ...licensesOf(release.license),
      },
    },
    components: all.map((at) => componentOf(at, lock, fetched.includes(at) ? "optional" : "required")),
    dependencies: [
      { ref: root, dependsOn: all.filter((at) => at.lastIndexOf("node_modules/") === 0) },
      ...all.map((at) => ({ ref: at, dependsOn: dependenciesOf(at, lock).filter((each) => within.has(each)) })),
    ],
  };
}

/** A component is named by its folder: one version of a package may be there twice, with other dependencies. */
function componentOf(at: string, lock: LockFile, scope: Component["scope"]): Component {
  const locked = lock.packages[at];
  if (!locked) throw new Error(`package-lock.json does not have ${at}.`);
  const name = nameOf(at, locked);
  const { version, license, integrity } = locked;
  return {
    type: "library",
    "bom-ref": at,
    name,
    version,
    purl: purlOf(name, version),
    scope,
    ...hashesOf(integrity),
    ...licensesOf(license),
  };
}

/** As the specification of package URLs wants it for npm: the @ of a scope is encoded. */
const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace("@", "%40")}@${version}`;

function hashesOf(integrity: LockedPackage["integrity"]): { hashes?: Hash[] } {
  const [, bits, base64] = /^sha(256|384|512)-(\S+)$/.exec(integrity ?? "") ?? [];
  return base64 === undefined
    ? {}
    : { hashes: [{ alg: `SHA-${bits}`, content: Buffer.from(base64, "base64").toString("hex") }] };
}

function licensesOf(license: string | undefined): { licenses?: License[] } {
  if (license === undefined) return {};
  if (/ (AND|OR|WITH) /i.test(license)) return { licenses: [{ expression: license.replaceAll(" and ", " AND ") }] };
  return { licenses: [{ license: /^[A-Za-z0-9.+-]+$/.test(license) ? { id: license } : { name: license } }] };
}
