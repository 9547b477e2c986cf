type Env = Readonly<Record<string, string | undefined>>;
type Machine = { env: Env; platform: NodeJS.Platform; isTerminal: boolean };

const thisMachine = (): Machine => ({
  env: process.env,
  platform: process.platform,
  isTerminal: process.stderr.isTTY === true,
});

/** Whether a browser that this command opens would appear before the person who typed it. */
export function canOpenPages({ env, platform, isTerminal }: Machine = thisMachine()): boolean {
  if (!isTerminal || env.CI || env.SSH_CONNECTION || env.SSH_TTY) return false;
  return platform !== "linux" || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME);
}

/** Opens a page, where that is possible; its address was printed, so a failure is none of the command's. */
export async function openPage(page: string): Promise<void> {
  if (!/^https?:\/\//.test(page)) return;
  try {
    const { default: open } = await import("open");
    (await open(page)).once("error", () => undefined);
  } catch {
    // no browser
  }
}
