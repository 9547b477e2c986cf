/**
 * Removes files from `node_modules` that nothing here reads: 400 MB of an installation. npm runs it after `npm ci`,
 * with whatever Node there is; without it everything works the same.
 */
import { readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Paths inside `node_modules`, with `/`. */
const unread = [
  /\.map$/, // source maps of packages: our stack traces do not use them
  /^node-[^/]+\/(include|share)\//, // headers to compile addons with
  /\/(readme|changelog|history)[^/]*\.md$/i,
  /^@prisma\/client\/runtime\/query_compiler_(small|fast_bg\.(cockroachdb|mysql|sqlite|sqlserver))/, // we use the fast one
  /^gpt-tokenizer\/(data|src)\//,
  /^gpt-tokenizer\/(cjs|esm)\/bpeRanks\/(?!o200k_base\.)/, // we count tokens with o200k_base
  /\/effect\/(src|dist\/(esm|dts))\//, // Prisma's generator requires the files beside them
  /^next\/dist\/compiled\/(react[\w-]*-experimental\/|next-server\/.*-experimental\.)/, // no setting of ours chooses that React
];

/** Removes them below `root`; returns how many bytes that was. */
export function lighten(root) {
  let bytes = 0;
  for (const entry of readdirSync(root, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath ?? entry.path, entry.name);
    const name = path.relative(root, file).split(path.sep).join("/");
    if (!unread.some((pattern) => pattern.test(name))) continue;
    bytes += statSync(file).size;
    rmSync(file);
  }
  return bytes;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const bytes = lighten(fileURLToPath(new URL("../node_modules", import.meta.url)));
    process.stdout.write(`removed ${Math.round(bytes / 1e6)} MB that nothing reads from node_modules\n`);
  } catch (error) {
    process.stderr.write(`node_modules could not be made lighter (${error.message}); that is no harm.\n`);
  }
}
