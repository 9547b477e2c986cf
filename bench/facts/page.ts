import { scriptsOf } from "#lib/testing/page-scripts.ts";

type PageFigures = { p50: number; p95: number; scriptKb: number; scripts: number };

const SAMPLES = 100;
/** As `compare` does for requests: the first forty pages after a start take twice as long, until V8 has compiled what they run. */
const WARM_MS = 2_000;

/** As a browser that opens an address, which gets the document whole. */
const OPENING = { accept: "text/html" };

/** Signs in and measures the GTM Context tab: time to the whole document, and the JavaScript that its markup loads. */
export async function measurePage({
  base,
  workspaceId,
  email,
  password,
}: {
  base: string;
  workspaceId: string;
  email: string;
  password: string;
}): Promise<PageFigures> {
  const cookie = await signIn(base, email, password);
  const address = `${base}/${workspaceId}/gtm-context`;
  const times: number[] = [];
  let html = "";
  const warm = performance.now() + WARM_MS;
  while (times.length < SAMPLES) {
    const started = performance.now();
    const response = await fetch(address, { headers: { ...OPENING, cookie }, redirect: "manual" });
    html = await response.text();
    if (response.status !== 200) throw new Error(`the page answered ${response.status}`);
    if (started >= warm) times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const { kb, files } = await scriptsOf(html, base);
  return {
    p50: times[SAMPLES * 0.5] ?? 0,
    p95: times[SAMPLES * 0.95] ?? 0,
    scriptKb: kb,
    scripts: files,
  };
}

async function signIn(base: string, email: string, password: string): Promise<string> {
  const first = await fetch(`${base}/api/auth/csrf`);
  const { csrfToken } = (await first.json()) as { csrfToken: string };
  const jar = new Map<string, string>();
  const keep = (response: Response) => {
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";");
      jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
  };
  keep(first);
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const answer = await fetch(`${base}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", cookie: cookies(), origin: base },
    body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
  });
  keep(answer);
  return cookies();
}
