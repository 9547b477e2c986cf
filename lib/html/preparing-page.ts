/** The steps of preparing the pages, in this order; `waiting` is for another process that builds the same. */
const steps = {
  waiting: "Waiting for another process that builds them",
  compiling: "Compiling the code",
  collecting: "Reading the pages",
  writing: "Writing the pages",
  opening: "Opening them",
} as const;
export type Step = keyof typeof steps;

/** How many pages of all are written. */
export type PageCount = { done: number; of: number };

/** What is known of the work so far; times in milliseconds. */
export type Progress = {
  step: Step | "failed";
  since: number;
  /** when each step began */
  began: ReadonlyMap<Step, number>;
  written: PageCount | null;
  /** how long the last build took */
  lastMs: number | null;
};

type ShownStep = { says: string; state: "done" | "now" | "next"; seconds: number | null };

/** The progress of the pages: what is done, and how long that took. Nothing in it is a guess. */
export type Preparation = {
  step: Step | "failed";
  says: string;
  /** steps that are done, of all; pages that are written count as parts of their step */
  done: number;
  of: number;
  steps: readonly ShownStep[];
  seconds: number;
  last_seconds: number | null;
};

export function preparation({ step, since, began, written, lastMs }: Progress, now: number): Preparation {
  const seconds = Math.floor((now - since) / 1000);
  const last_seconds = lastMs === null ? null : Math.round(lastMs / 1000);
  if (step === "failed") {
    const says = "They could not be built; the server's log says why.";
    return { step, says, done: 0, of: 0, steps: [], seconds, last_seconds };
  }
  const order = (Object.keys(steps) as Step[]).filter((each) => each !== "waiting" || began.has(each));
  const place = order.indexOf(step);
  const share = step === "writing" && written ? written.done / Math.max(1, written.of) : 0;
  const shown = order.map((each, index): ShownStep => {
    const from = began.get(each);
    const to = order.slice(index + 1).flatMap((later) => began.get(later) ?? [])[0] ?? now;
    const count = each === "writing" && written ? `: ${written.done} of ${written.of}` : "";
    return {
      says: `${steps[each]}${count}`,
      state: index < place ? "done" : index === place ? "now" : "next",
      seconds: from === undefined ? null : Math.floor((to - from) / 1000),
    };
  });
  const says = shown[place]?.says ?? "";
  return { step, says, done: place + share, of: order.length, steps: shown, seconds, last_seconds };
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
progress::-moz-progress-bar{background:var(--bar)}
ol{list-style:none;margin:0 0 12px;padding:0}
li{display:flex;gap:8px;color:var(--muted)}li::before{content:"";width:1em}
li.done::before{content:"✓"}li.now{color:var(--fg);font-weight:600}li.now::before{content:"›"}
li span{margin-left:auto;font-weight:400;color:var(--muted);font-variant-numeric:tabular-nums}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}`;

/** Runs in the browser too, so it uses nothing else. */
const timeOf = ({ seconds, last_seconds }: Pick<Preparation, "seconds" | "last_seconds">): string =>
  last_seconds === null ? `${seconds} s so far` : `${seconds} s so far; the last time took ${last_seconds} s`;

/** Asks its own address once a second; any other answer than "not yet" is the page itself, so it reloads. */
const script = `
const part = (id) => document.getElementById(id);
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.style.colorScheme = theme;
} catch {}
function row({ says, state, seconds }) {
  const item = document.createElement("li");
  item.className = state;
  const time = document.createElement("span");
  time.textContent = seconds === null ? "" : seconds + " s";
  item.append(says, time);
  return item;
}
const timeOf = ${timeOf};
async function look() {
  let wait = 1000;
  try {
    const answer = await fetch(location.href, { headers: { accept: "application/json" }, cache: "no-store", redirect: "manual" });
    if (![502, 503, 504].includes(answer.status)) return location.reload();
    const { pages } = await answer.json();
    if (pages.step === "failed" && !part("failed")) return location.reload();
    if (part("bar")) {
      if (part("step").textContent !== pages.says) part("step").textContent = pages.says;
      part("bar").max = pages.of;
      part("bar").value = pages.done;
      part("steps").replaceChildren(...pages.steps.map(row));
      part("time").textContent = timeOf(pages);
    } else {
      wait = 5000;
      if (pages.step !== "failed") return location.reload();
    }
  } catch {} // the server is being restarted
  setTimeout(look, wait);
}
setTimeout(look, 1000);`;

export function preparingPage(state: Preparation, nonce: string): string {
  const { step, says, done, of, steps } = state;
  const failed = step === "failed";
  const rows = steps.map(
    ({ says, state, seconds }) =>
      `<li class="${state}">${says}<span>${seconds === null ? "" : `${seconds} s`}</span></li>`,
  );
  const title = failed ? "The pages could not be built" : "Rapport is preparing its pages";
  const content = failed
    ? `<p id="failed" role="alert">The server's log says why. The API answers; start Rapport again once the reason is put right.</p>`
    : `<p class="muted">This happens once after an installation or an update. The page you asked for then opens automatically.</p>
<progress id="bar" max="${of}" value="${done}" aria-label="Preparing the pages"></progress>
<ol id="steps" aria-label="Steps">${rows.join("")}</ol>
<p id="step" role="status" class="sr">${says}</p>
<p id="time" class="muted">${timeOf(state)}</p>`;
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
