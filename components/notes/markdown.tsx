import { marked, type Token, type Tokens } from "marked";
import { createElement, Fragment, type ReactNode } from "react";
import { Highlighted } from "./highlighted.tsx";

/** Longer notes are shown as plain text: parsing the Markdown would block the page. */
export const LONGEST_FORMATTED = 200_000;

/** Text nested deeper than this is shown as its source. */
const DEEPEST = 12;

type Marks = { question: string };

/**
 * Markdown as elements: HTML in it stays text, links lead only to the web and mail, pictures become links. For the
 * reasons see docs/decisions/0057.
 */
export function Markdown({ text, question }: { text: string } & Marks) {
  const tokens = read(text);
  if (!tokens) return <Plain text={text} question={question} />;
  return <div className="flex flex-col gap-3 leading-6">{blocks(tokens, { question }, 0)}</div>;
}

/** A text exactly as it is. */
export function Plain({ text, question }: { text: string } & Marks) {
  return (
    <div className="wrap-anywhere whitespace-pre-wrap leading-6">
      <Highlighted text={text} question={question} />
    </div>
  );
}

/** Null for what cannot be read as Markdown in reasonable time or depth. */
function read(text: string): Token[] | null {
  if (text.length > LONGEST_FORMATTED) return null;
  try {
    return outlined(marked.lexer(text, { gfm: true, breaks: true }));
  } catch {
    return null;
  }
}

/** Headings without gaps, whatever levels the text has: `##` without a `#` above it is of the first level, as screen readers expect. */
function outlined(tokens: Token[]): Token[] {
  const above: number[] = [];
  void marked.walkTokens(tokens, (token) => {
    if (token.type !== "heading") return;
    while ((above.at(-1) ?? 0) >= token.depth) above.pop();
    above.push(token.depth);
    token.depth = above.length;
  });
  return tokens;
}

const blocks = (tokens: readonly Token[], marks: Marks, depth: number): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: a note never changes
  tokens.map((token, index) => <Fragment key={index}>{block(token as Tokens.Generic, marks, depth)}</Fragment>);

/** Starts below the sheet's title, a heading of the second level. */
const headings = ["h3", "h4", "h5", "h6"] as const;

function block(token: Tokens.Generic, marks: Marks, depth: number): ReactNode {
  if (depth > DEEPEST) return <p className="whitespace-pre-wrap">{token.raw}</p>;
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      return createElement(
        headings[Math.min(token.depth, headings.length) - 1] ?? "h6",
        { className: token.depth < 3 ? "pt-1 font-semibold text-lg" : "font-semibold" },
        inline(token.tokens, marks, depth),
      );
    case "code":
      return (
        <pre className="overflow-x-auto rounded-md border bg-muted px-3 py-2 font-mono text-sm leading-5">
          <code>{token.text}</code>
        </pre>
      );
    case "hr":
      return <hr />;
    case "blockquote":
      return (
        <blockquote className="flex flex-col gap-3 border-border-strong border-l-2 pl-3 text-muted-foreground">
          {blocks(token.tokens ?? [], marks, depth + 1)}
        </blockquote>
      );
    case "list":
      return <List list={token as Tokens.List} marks={marks} depth={depth} />;
    case "table":
      return <Table table={token as Tokens.Table} marks={marks} depth={depth} />;
    default:
      return (
        <p className="wrap-anywhere">{token.tokens ? inline(token.tokens, marks, depth) : leaf(token.raw, marks)}</p>
      );
  }
}

function List({ list, marks, depth }: { list: Tokens.List; marks: Marks; depth: number }) {
  const items = list.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a note never changes
    <li key={index} className="wrap-anywhere">
      {item.task ? (
        <input type="checkbox" checked={item.checked === true} disabled className="mr-2" aria-label="Done" />
      ) : null}
      {item.tokens
        .filter(({ type }) => type !== "checkbox")
        .map((token, part) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a note never changes
          <Fragment key={part}>
            {token.type === "text" && "tokens" in token
              ? inline(token.tokens, marks, depth)
              : block(token as Tokens.Generic, marks, depth + 1)}
          </Fragment>
        ))}
    </li>
  ));
  return list.ordered ? (
    <ol start={list.start === "" ? 1 : list.start} className="list-decimal pl-6">
      {items}
    </ol>
  ) : (
    <ul className="list-disc pl-6">{items}</ul>
  );
}

function Table({ table, marks, depth }: { table: Tokens.Table; marks: Marks; depth: number }) {
  return (
    <div className="overflow-x-auto">
      <table className="border text-sm">
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a note never changes
              <th key={index} scope="col" className="border bg-muted px-2 py-1 text-left font-medium">
                {inline(cell.tokens, marks, depth)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a note never changes
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a note never changes
                <td key={column} className="border px-2 py-1 align-top">
                  {inline(cell.tokens, marks, depth)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const inline = (tokens: readonly Token[] = [], marks: Marks, depth: number): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: a note never changes
  tokens.map((token, index) => <Fragment key={index}>{span(token as Tokens.Generic, marks, depth + 1)}</Fragment>);

function span(token: Tokens.Generic, marks: Marks, depth: number): ReactNode {
  if (depth > DEEPEST) return token.raw;
  const children = () => inline(token.tokens, marks, depth);
  switch (token.type) {
    case "strong":
      return <strong className="font-semibold">{children()}</strong>;
    case "em":
      return <em>{children()}</em>;
    case "del":
      return <del>{children()}</del>;
    case "codespan":
      return <code className="rounded-xs bg-muted px-1 font-mono text-sm">{token.text}</code>;
    case "br":
      return <br />;
    case "link":
    case "image":
      return <Out href={token.href}>{token.type === "image" ? token.text || "Picture" : children()}</Out>;
    case "escape":
      return leaf(token.text, marks);
    case "text":
      return token.tokens ? children() : leaf(token.text, marks);
    default:
      return leaf(token.raw, marks);
  }
}

const leaf = (text: string, { question }: Marks): ReactNode =>
  question ? <Highlighted text={text} question={question} /> : text;

const safe = /^(https?:\/\/|mailto:)/i;

function Out({ href, children }: { href: string; children: ReactNode }) {
  if (!safe.test(href)) return children;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="rounded-xs text-primary-text underline"
    >
      {children}
    </a>
  );
}
