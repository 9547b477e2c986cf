import { expect, test } from "vitest";
import { canOpenPages } from "./browser.ts";

test.each<[boolean, string, NodeJS.Platform, Record<string, string>, boolean]>([
  [true, "a desktop", "linux", { DISPLAY: ":0" }, true],
  [true, "a desktop with Wayland", "linux", { WAYLAND_DISPLAY: "wayland-0" }, true],
  [true, "Windows, from its Linux", "linux", { WSL_DISTRO_NAME: "Ubuntu" }, true],
  [true, "a Mac", "darwin", {}, true],
  [false, "a server without a display", "linux", {}, true],
  [false, "a machine reached by SSH", "darwin", { SSH_CONNECTION: "192.0.2.1 22" }, true],
  [false, "a desktop reached by SSH", "linux", { DISPLAY: ":0", SSH_TTY: "/dev/pts/1" }, true],
  [false, "a CI job", "linux", { DISPLAY: ":0", CI: "true" }, true],
  [false, "a script", "darwin", {}, false],
])("%s: a browser is opened on %s", (opens, _, platform, env, isTerminal) => {
  expect(canOpenPages({ env, platform, isTerminal })).toBe(opens);
});
