import { lastWorkspaceIn } from "#lib/auth/cookies.ts";
import { readSession } from "#lib/auth/sessions.ts";
import { log } from "#lib/core/log.ts";
import type { Exchange } from "#lib/http/exchange.ts";

/** Where the reader came from: their workspace, when they are signed in. */
export type Home = { workspaceId: string; name: string } | null;

export async function homeOf({ header }: Exchange): Promise<Home> {
  try {
    const session = await readSession(header);
    const seen = lastWorkspaceIn(header);
    const memberships = session?.memberships ?? [];
    return memberships.find(({ workspaceId }) => workspaceId === seen) ?? memberships[0] ?? null;
  } catch (error) {
    // These pages are for readers who have not signed up too, and help most when something is wrong.
    log.warn({ err: error }, "a page of /docs is shown without the reader's session");
    return null;
  }
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);

const mark = `<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><rect width="24" height="24" rx="6" fill="var(--primary)"/><g fill="none" stroke="#fff" stroke-width="2"><circle cx="9.5" cy="12" r="4.5"/><circle cx="14.5" cy="12" r="4.5"/></g></svg>`;

/** The bar at the top of /docs and the guide; `title` is HTML. */
export function topBar(home: Home, title: string, other: { href: string; label: string }): string {
  const back = home ? `/${home.workspaceId}/home` : "/";
  return `<header class="frame">
<a class="name" href="${back}" aria-label="Rapport">${mark}<b>Rapport</b></a>
${title}
<a class="quiet" href="${other.href}">${other.label}</a>
<a class="quiet back" href="${back}"><span>Back to ${home ? escaped(home.name) : "Rapport"}</span></a>
<select id="theme" class="quiet" aria-label="Theme"><option value="system">System</option><option value="light">Light</option><option value="dark">Dark</option></select>
</header>`;
}

/** What a page of ours in front may do; `styles` is where its styles may come from. */
export const policyOf = (nonce: string, styles: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${styles}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

export const htmlHeaders = (policy: string): Record<string, string> => ({
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-store",
  "Content-Security-Policy": policy,
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
});

/** The theme is that of the app: next-themes keeps it under "theme". */
export const themeScript = `
const stored = (work) => { try { return work(); } catch { return null; } };
let theme = stored(() => localStorage.getItem("theme")) ?? "system";
if (theme !== "light" && theme !== "dark") theme = "system";
function showTheme() {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  document.getElementById("theme").value = theme;
}
showTheme();
document.getElementById("theme").addEventListener("change", ({ target }) => {
  theme = target.value;
  stored(() => localStorage.setItem("theme", theme));
  showTheme();
});
`;
