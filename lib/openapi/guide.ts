import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { Marked, type Tokens } from "marked";
import { escaped } from "./frame.ts";

/** A page of the guide; `name` is that of its file, `index` for the first. */
export type GuidePage = { name: string; title: string; markdown: string };

const folder = new URL("../../docs/guide/", import.meta.url);
const INDEX = "index";

let pages: Promise<ReadonlyMap<string, GuidePage>> | undefined;

/** The pages in the order of their index, which is first. */
export function guidePages(): Promise<ReadonlyMap<string, GuidePage>> {
  pages ??= readPages().catch((error: unknown) => {
    pages = undefined; // the next request tries again
    throw error;
  });
  return pages;
}

async function readPages(): Promise<ReadonlyMap<string, GuidePage>> {
  const read = async (name: string, file: string): Promise<GuidePage> => {
    const markdown = await readFile(new URL(file, folder), "utf8");
    return { name, title: /^# (.+)$/m.exec(markdown)?.[1] ?? name, markdown };
  };
  const index = await read(INDEX, "README.md");
  const names = [...index.markdown.matchAll(/\]\(([a-z-]+)\.md\)/g)].map(([, name = ""]) => name);
  const others = await Promise.all([...new Set(names)].map((name) => read(name, `${name}.md`)));
  return new Map([index, ...others].map((page) => [page.name, page]));
}

/** The address of a page on this server. */
export const guideAddress = (name: string): string => (name === INDEX ? "/docs/guide" : `/docs/guide/${name}`);

/** What a link of the guide leads to on this server; undefined for a file that only the repository has. */
function addressOf(href: string): string | undefined {
  if (/^(https?:\/\/|#|\/)/.test(href)) return href;
  const [, name, part = ""] = /^([A-Za-z-]+)\.md(#.*)?$/.exec(href) ?? [];
  return name === undefined ? undefined : guideAddress(name === "README" ? INDEX : name) + part;
}

/** The anchor that GitHub gives a heading. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-");

const marked = new Marked({
  gfm: true,
  renderer: {
    heading({ tokens, depth, text }: Tokens.Heading) {
      const inside = this.parser.parseInline(tokens);
      return depth === 1 ? "" : `<h${depth} id="${anchorOf(text)}">${inside}</h${depth}>\n`;
    },
    link({ href, tokens }: Tokens.Link) {
      const address = addressOf(href);
      const inside = this.parser.parseInline(tokens);
      return address === undefined ? inside : `<a href="${escaped(address)}">${inside}</a>`;
    },
    // Inline, so that the picture has the colours of the page's theme.
    image({ href, text }: Tokens.Image) {
      if (!/^pictures\/[a-z-]+\.svg$/.test(href)) return escaped(text);
      const svg = readFileSync(new URL(href, folder), "utf8");
      return svg.trim().replace("<svg ", `<svg class="picture" role="img" aria-label="${escaped(text)}" `);
    },
    code({ text }: Tokens.Code) {
      return `<div class="code"><pre tabindex="0"><code>${escaped(text)}</code></pre></div>\n`;
    },
    // Tables without a head have empty cells there.
    tablecell({ header, tokens }: Tokens.TableCell) {
      const tag = header && tokens.length > 0 ? "th" : "td";
      return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
    },
    table({ header, rows }: Tokens.Table) {
      const row = (cells: Tokens.TableCell[]) => `<tr>${cells.map((cell) => this.tablecell(cell)).join("")}</tr>`;
      const head = header.some(({ tokens }) => tokens.length > 0) ? `<thead>${row(header)}</thead>` : "";
      return `<div class="wide" tabindex="0"><table>${head}<tbody>${rows.map(row).join("")}</tbody></table></div>\n`;
    },
  },
});

/** The HTML of a page without its title; its links lead to this server. */
export const guideHtml = ({ markdown }: GuidePage): string => marked.parse(markdown, { async: false });

/** The pages as a list of links for agents (https://llmstxt.org), with addresses of `origin`. */
export function llmsText(all: ReadonlyMap<string, GuidePage>, origin: string): string {
  const lines = [...all.values()]
    .filter(({ name }) => name !== INDEX)
    .map((page) => `- [${page.title}](${origin}${guideAddress(page.name)}.md): ${wish(page)}`);
  return `# Rapport

> The context store for sales and go-to-market agents: who a contact is, what is true about them, and what happened, with source, confidence and age.

Agents connect to ${origin}/mcp (MCP) or use the REST API that ${origin}/openapi.json describes.

## Guide

${lines.join("\n")}
`;
}

/** The first sentence, which says what the reader wants to do. */
const wish = ({ markdown }: GuidePage): string => (markdown.split("\n\n")[1] ?? "").replaceAll("\n", " ");

/** All pages in one text. */
export const llmsFullText = (all: ReadonlyMap<string, GuidePage>): string =>
  [...all.values()]
    .filter(({ name }) => name !== INDEX)
    .map(({ markdown }) => markdown.trim())
    .join("\n\n---\n\n")
    .concat("\n");
