import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { handler } from "#lib/http/exchange.ts";

/** The package does not export this file by name, so it is taken from its folder. */
const bundle = createRequire(import.meta.url).resolve("@scalar/api-reference/browser/standalone.js");

/**
 * The API reference at /docs. Scalar styles itself with inline styles, so only this page allows them; only our scripts
 * run, by nonce, and nothing is fetched from other servers. A key the reader chose to try (kept in the tab's session
 * storage by the API keys page) is filled in.
 */
export const apiReference = handler(async () => {
  const nonce = randomBytes(16).toString("base64");
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>API reference · Rapport</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/icon.svg">
</head>
<body>
<main id="reference"><noscript>The API reference needs JavaScript; the description itself is at <a href="/openapi.json">/openapi.json</a>.</noscript></main>
<script nonce="${nonce}" src="/docs/scalar.js"></script>
<script nonce="${nonce}">
Scalar.createApiReference("#reference", {
  url: "/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: "apiKey", securitySchemes: { apiKey: { token: sessionStorage.getItem("rapport:docs-key") ?? "" } } },
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
});
</script>
</body>
</html>`;
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return {
    status: 200,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": policy,
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
      "Referrer-Policy": "no-referrer",
    },
    body,
  };
});

/** Scalar's own bundle, served from the installed package. */
export const apiReferenceScript = handler(async () => ({
  status: 200,
  headers: {
    "Content-Type": "text/javascript; charset=utf-8",
    "Cache-Control": "public, max-age=86400",
    "X-Content-Type-Options": "nosniff",
  },
  body: await readFile(bundle),
}));
