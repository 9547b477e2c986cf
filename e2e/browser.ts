/**
 * Finds a real Chromium on whatever machine the journeys run on.
 *
 * Order: `CHROMIUM_PATH` (a file, or the word `npm`), Playwright's own download, a system Chromium, and last the one npm ships
 * (`@sparticuz/chromium`), so that a bare machine needs neither apt nor a download outside the registry.
 */
import { execFile } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright";

export type BrowserLaunch = {
  /** Which of the four places it came from. */
  source: "CHROMIUM_PATH" | "playwright" | "system" | "npm";
  executablePath: string;
  args: string[];
  /** The whole environment of the browser process, not only what differs from ours. */
  env: Record<string, string>;
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Flags for a browser in a container: often root, a small /dev/shm and no GPU. */
const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-webgl", "--disable-webgl2"];

const systemNames = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome-headless-shell",
  "microsoft-edge",
];

const systemPlaces = [
  "/usr/bin",
  "/usr/local/bin",
  "/snap/bin",
  "/opt/google/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** Resolves the browser; unpacks the npm one on first use (about two seconds). */
export async function resolveBrowser(): Promise<BrowserLaunch> {
  const override = process.env.CHROMIUM_PATH;
  if (override === "npm") return resolveNpmChromium();
  if (override) {
    if (!isExecutable(override)) throw new Error(`CHROMIUM_PATH=${override} is not an executable file`);
    return { source: "CHROMIUM_PATH", executablePath: override, args, env: inherited() };
  }
  const own = chromium.executablePath();
  if (own && isExecutable(own)) return { source: "playwright", executablePath: own, args, env: inherited() };

  const system = findSystemChromium();
  if (system) return { source: "system", executablePath: system, args, env: inherited() };

  return resolveNpmChromium();
}

function findSystemChromium(): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...systemPlaces].filter(Boolean);
  for (const name of systemNames) {
    for (const folder of folders) {
      const candidate = join(folder, name);
      if (isExecutable(candidate)) return candidate;
    }
  }
  return systemPlaces.find((place) => place.startsWith("/Applications") && isExecutable(place));
}

/**
 * The package unpacks into `tmpdir()` and adds its shared libraries only when it seems to run on Lambda. It therefore
 * runs in a child process with its own TMPDIR and the environment of Lambda, and the result is moved into place at
 * once, so that two runs at the same time cannot see a half-written browser.
 */
async function resolveNpmChromium(): Promise<BrowserLaunch> {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error(
      `No Chromium found. On ${process.platform}/${process.arch} install one (npx playwright install chromium) or set CHROMIUM_PATH.`,
    );
  }
  const manifest = JSON.parse(await readFile(join(root, "node_modules/@sparticuz/chromium/package.json"), "utf8")) as {
    version: string;
  };
  const home = await cacheFolder(`chromium-${manifest.version}`);
  if (!existsSync(join(home, "chromium"))) await unpack(home);

  return {
    source: "npm",
    executablePath: join(home, "chromium"),
    args,
    env: {
      ...inherited(),
      LD_LIBRARY_PATH: [join(home, "al2023/lib"), process.env.LD_LIBRARY_PATH].filter(Boolean).join(":"),
      FONTCONFIG_PATH: join(home, "fonts"),
      HOME: process.env.HOME || tmpdir(),
    },
  };
}

async function unpack(home: string): Promise<void> {
  const parent = dirname(home);
  const work = await mkdtemp(join(parent, "unpack-"));
  try {
    const script = 'import("@sparticuz/chromium").then(({ default: chromium }) => chromium.executablePath())';
    await promisify(execFile)(process.execPath, ["-e", script], {
      cwd: root,
      env: { ...process.env, TMPDIR: work, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x" },
    });
    await writeFile(join(work, "fonts/fonts.conf"), fontsConf(join(home, "fonts"), join(home, "fonts-cache")));
    await rename(work, home).catch((error: NodeJS.ErrnoException) => {
      // Another run finished first; its browser is the same as ours.
      if (!existsSync(join(home, "chromium"))) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The shipped configuration names folders of Lambda, so the fonts beside it would not be found. */
function fontsConf(fonts: string, cache: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${fonts}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${cache}</cachedir>
</fontconfig>
`;
}

/** `node_modules/.cache` when we may write there, else a folder of this user under the temp folder. */
async function cacheFolder(name: string): Promise<string> {
  const places = [join(root, "node_modules/.cache/rapport"), join(tmpdir(), `rapport-cache-${userInfo().uid}`)];
  for (const place of places) {
    try {
      await mkdir(place, { recursive: true });
      if (existsSync(join(place, name, "chromium"))) return join(place, name);
      accessSync(place, constants.W_OK);
      return join(place, name);
    } catch {
      // Not writable; try the next folder.
    }
  }
  throw new Error(`No writable folder to unpack Chromium into; tried ${places.join(", ")}`);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function inherited(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] != null));
}
