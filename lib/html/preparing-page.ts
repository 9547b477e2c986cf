/** The steps of preparing the pages, in this order; `waiting` is for another process that builds the same. */
export type Step = "waiting" | "compiling" | "finishing" | "opening";

/** The progress of the pages; `percent` is an estimate. */
export type Preparation = { step: Step | "failed"; says: string; percent: number; seconds: number };

/** The text of a step, and the share of the whole when it begins and ends. */
const steps: Readonly<Record<Step, { says: string; from: number; to: number }>> = {
  waiting: { says: "Another process is building them.", from: 0, to: 80 },
  compiling: { says: "Compiling them.", from: 5, to: 80 },
  finishing: { says: "Writing them to disk.", from: 80, to: 95 },
  opening: { says: "Opening them.", from: 95, to: 100 },
};

/** After this time a step counts as two thirds done; compiling takes 10 to 30 s. */
const USUAL_SECONDS = 12;

/** Progress of a step that began `inStep` seconds ago, `seconds` after the whole. */
export function preparation(step: Step | "failed", seconds: number, inStep: number): Preparation {
  if (step === "failed")
    return { step, says: "They could not be built; the server's log says why.", percent: 0, seconds };
  const { says, from, to } = steps[step];
  const share = 1 - Math.exp(-inStep / USUAL_SECONDS);
  return { step, says, percent: Math.floor(from + (to - from) * share), seconds: Math.floor(seconds) };
}

/** What the page may do: run its own script, ask its own server. */
export const preparingPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const style = `
:root{color-scheme:light dark;--bg:light-dark(#fff,#0d0e10);--fg:light-dark(#18181b,#ededf0);--muted:light-dark(#5f5f69,#a1a1ac);
--track:light-dark(#e6e6ea,#26272c);--bar:light-dark(#2f5bea,#7c98ff);--link:light-dark(#2950d6,#93abff)}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--bg);color:var(--fg);
font:14px/20px ui-sans-serif,system-ui,sans-serif}
main{width:min(28rem,calc(100vw - 3rem))}
h1{font-size:20px;line-height:28px;font-weight:600;margin:0 0 8px}
p{margin:0 0 12px}.muted{color:var(--muted)}a{color:var(--link)}
progress{appearance:none;display:block;width:100%;height:6px;border:0;border-radius:3px;overflow:hidden;background:var(--track);margin:16px 0 12px}
progress::-webkit-progress-bar{background:var(--track)}
progress::-webkit-progress-value{background:var(--bar)}
progress::-moz-progress-bar{background:var(--bar)}`;

/** Asks its own address once a second; any other answer than "not yet" is the page itself, so it reloads. */
const script = `
const part = (id) => document.getElementById(id);
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.style.colorScheme = theme;
} catch {}
async function look() {
  let wait = 1000;
  try {
    const answer = await fetch(location.href, { headers: { accept: "application/json" }, cache: "no-store", redirect: "manual" });
    if (![502, 503, 504].includes(answer.status)) return location.reload();
    const { pages } = await answer.json();
    if (pages.step === "failed" && !part("failed")) return location.reload();
    if (part("bar")) {
      if (part("step").textContent !== pages.says) part("step").textContent = pages.says;
      part("bar").value = pages.percent;
      part("time").textContent = pages.seconds + " s so far";
    } else {
      wait = 5000;
      if (pages.step !== "failed") return location.reload();
    }
  } catch {} // the server is being restarted
  setTimeout(look, wait);
}
setTimeout(look, 1000);`;

export function preparingPage({ step, says, percent, seconds }: Preparation, nonce: string): string {
  const failed = step === "failed";
  const title = failed ? "The pages could not be built" : "Rapport is preparing its pages";
  const content = failed
    ? `<p id="failed" role="alert">The server's log says why. The API answers; start Rapport again once the reason is put right.</p>`
    : `<p class="muted">This happens after an installation or an update, and usually takes less than a minute. The page you asked for then opens by itself.</p>
<progress id="bar" max="100" value="${percent}" aria-label="Preparing the pages"></progress>
<p><span id="step" role="status">${says}</span> <span id="time" class="muted">${seconds} s so far</span></p>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<noscript><meta http-equiv="refresh" content="3"></noscript>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
<p class="muted">The API answers already; it is described at <a href="/docs">/docs</a>.</p>
</main>
<script nonce="${nonce}">${script}</script>
</body>
</html>
`;
}
