import { randomBytes } from "node:crypto";
import { handler } from "#lib/http/exchange.ts";
import { originOf } from "#lib/http/origin.ts";
import { escaped, type Home, homeOf, htmlHeaders, policyOf, themeScript, topBar } from "./frame.ts";
import { type GuidePage, guideAddress, guideHtml, guidePages, llmsFullText, llmsText } from "./guide.ts";
import { guideStyle } from "./guide-style.ts";
import { style } from "./page-style.ts";

const text = (body: string, type = "text/plain") => ({
  status: 200,
  headers: {
    "Content-Type": `${type}; charset=utf-8`,
    "Cache-Control": "no-cache",
  },
  body,
});

/**
 * `GET /docs/guide` and `/docs/guide/:page`: the pages of `docs/guide` in our frame. With `.md` at the end of the address, or
 * `Accept: text/markdown`, the page as it was written. The front serves them, so they are there without the built pages.
 */
export const guide = handler(async (exchange) => {
  const all = await guidePages();
  const asked = exchange.params.page ?? "index";
  const name = asked.replace(/\.md$/, "");
  const page = all.get(name);
  if (page && (name !== asked || /text\/markdown/.test(exchange.header("accept") ?? "")))
    return text(page.markdown, "text/markdown");
  const nonce = randomBytes(16).toString("base64");
  return {
    status: page ? 200 : 404,
    headers: { ...htmlHeaders(policyOf(nonce, `'nonce-${nonce}'`)), Vary: "Accept" },
    body: html(nonce, page ?? absent, [...all.values()], await homeOf(exchange)),
  };
});

const absent: GuidePage = {
  name: "",
  title: "Page not found",
  markdown: "The guide has no page with this address. [All pages](README.md) lists those it has.",
};

/** `GET /llms.txt`: what agents read first. */
export const llms = handler(async (exchange) => text(llmsText(await guidePages(), originOf(exchange))));

/** `GET /llms-full.txt`: the whole guide. */
export const llmsFull = handler(async () => text(llmsFullText(await guidePages())));

function html(nonce: string, page: GuidePage, all: readonly GuidePage[], home: Home): string {
  const place = all.indexOf(page);
  const [previous, next] = place < 0 ? [] : [all[place - 1], all[place + 1]];
  const links = all.map(
    (one) =>
      `<li><a href="${guideAddress(one.name)}"${one === page ? ' aria-current="page"' : ""}>${escaped(one.title)}</a></li>`,
  );
  const step = (to: GuidePage | undefined, label: string, rel: string) =>
    to ? `<a rel="${rel}" href="${guideAddress(to.name)}">${label}<b>${escaped(to.title)}</b></a>` : "<span></span>";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escaped(page.title)} · Rapport guide</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/icon.svg">
<style nonce="${nonce}">${style}${guideStyle}</style>
</head>
<body>
${topBar(home, '<a class="place" href="/docs/guide">Guide</a>', { href: "/docs", label: "API reference" })}
<div class="guide">
<details class="pages"><summary>All pages</summary><nav aria-label="Pages of the guide"><ul>${links.join("")}</ul></nav></details>
<main>
<h1>${escaped(page.title)}</h1>
${guideHtml(page)}
<nav class="steps" aria-label="Next and previous page">${step(previous, "Previous", "prev")}${step(next, "Next", "next")}</nav>
</main>
</div>
<script nonce="${nonce}">${themeScript}
const pages = document.querySelector(".pages");
const wide = matchMedia("(min-width: 900px)");
const fit = () => { pages.open = wide.matches; };
wide.addEventListener("change", fit);
fit();
pages.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
</script>
</body>
</html>`;
}
