import { randomBytes } from "node:crypto";
import { handler } from "#lib/http/exchange.ts";
import { originOf } from "#lib/http/origin.ts";
import { escaped, type Home, homeOf, htmlHeaders, policyOf, themeScript, topBar } from "./frame.ts";
import { script } from "./page-script.ts";
import { style } from "./page-style.ts";
import { quickStart, type Snippet } from "./quick-start.ts";
import { referenceVersion } from "./reference.ts";
import { referenceLook } from "./reference-look.ts";

/**
 * The API reference at /docs: our frame and a quick start above Swagger UI. The front serves it, so it is there before
 * the pages are built. Swagger UI has inline styles, so only this page allows them; only our scripts run, by nonce, and
 * nothing is fetched from other servers.
 */
export const apiReference = handler(async (exchange) => {
  const nonce = randomBytes(16).toString("base64");
  return {
    status: 200,
    headers: htmlHeaders(policyOf(nonce, "'self' 'unsafe-inline'")),
    body: page(nonce, originOf(exchange), await homeOf(exchange)),
  };
});

function page(nonce: string, origin: string, home: Home): string {
  const snippets = quickStart(origin);
  const ownKey = home
    ? `Make one under <a href="/${home.workspaceId}/api-keys">API keys</a>; “Try it in the API reference” there brings it along.`
    : `<a href="/sign-in">Sign in</a> to make one under API keys.`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>API reference · Rapport</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/docs/reference.css?v=${referenceVersion}">
<style>${style}${referenceLook}</style>
</head>
<body>
${topBar(home, "<h1>API reference</h1>", { href: "/docs/guide", label: "Guide" })}
<main>
<section class="start" aria-labelledby="quick-start">
<h2 id="quick-start">Quick start</h2>
<p>Save a person, then ask what to know before you write to them. Agents that speak MCP need only the last tab.</p>
<form id="key-form" class="key">
<label>Your API key<input id="key" type="password" autocomplete="off" spellcheck="false" data-1p-ignore placeholder="Paste a key to fill it in"></label>
<button id="forget" type="button" class="quiet" hidden>Forget it</button>
</form>
<p>It is filled in below and in the reference. It stays in this tab’s memory only: a reload forgets it. ${ownKey}</p>
<div>
<div class="tabs" role="tablist" aria-label="Language">${snippets.map(tab).join("")}</div>
</div>
${snippets.map(panel).join("\n")}
</section>
<div id="reference"><noscript>The API reference needs JavaScript; the description itself is at <a href="/openapi.json">/openapi.json</a>.</noscript></div>
</main>
<script nonce="${nonce}" src="/docs/reference.js?v=${referenceVersion}"></script>
<script nonce="${nonce}">${themeScript}${script}</script>
</body>
</html>`;
}

const tab = ({ id, label }: Snippet, place: number): string =>
  `<button type="button" role="tab" id="tab-${id}" aria-controls="panel-${id}" aria-selected="${place === 0}" tabindex="${place === 0 ? 0 : -1}">${label}</button>`;

const panel = ({ id, label, note, code }: Snippet, place: number): string =>
  `<div class="panel" role="tabpanel" id="panel-${id}" aria-labelledby="tab-${id}"${place === 0 ? "" : " hidden"}>
<p>${escaped(note)}</p>
<div class="code"><pre tabindex="0" aria-label="${label}"><code>${escaped(code)}</code></pre><button type="button" class="quiet" data-copy="${place}"><span>Copy</span></button></div>
</div>`;
