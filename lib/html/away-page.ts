import { createHash } from "node:crypto";

/** The page reloads this often. */
const AGAIN_SECONDS = 5;

const style = `body{margin:0;min-height:100vh;display:flex;align-items:center;justify-content:center;font:16px/1.5 system-ui,sans-serif;color:#1a1c1f;background:#fff}
main{max-width:28rem;padding:3rem 1rem}h1{margin:0;font-size:1.25rem}p{margin:.5rem 0 0;color:#5c626b}a{color:inherit}
@media(prefers-color-scheme:dark){body{color:#eceef0;background:#0d0e10}p{color:#9aa1ab}}`;

/** What a reader sees while the database is away. It is self-contained: ordinary pages may need the database. */
export const awayPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${AGAIN_SECONDS}"><title>Rapport · Back in a moment</title><style>${style}</style></head>
<body><main><h1>Rapport cannot reach its database</h1>
<p>It may be restarting. What was saved is safe. This page tries again every ${AGAIN_SECONDS} seconds and opens as soon as the database answers.</p>
<p><a href="">Try again now</a></p></main></body></html>
`;

/** The page runs no script, and its only style sheet is allowed by its hash. */
export const awayPolicy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
