import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { LONGEST_FORMATTED, Markdown } from "./markdown.tsx";

const html = (text: string, question = "") =>
  renderToStaticMarkup(createElement(Markdown, { text, question })).replaceAll(/ class="[^"]*"/g, "");
const inside = (text: string, question = "") => /^<div>(.*)<\/div>$/s.exec(html(text, question))?.[1];

describe("Markdown of a note", () => {
  test.each([
    ["# Call\n\nShe **likes** it, *much*.", "<h3>Call</h3><p>She <strong>likes</strong> it, <em>much</em>.</p>"],
    ["## Budget\n#### June\n## Team\n# All", "<h3>Budget</h3><h4>June</h4><h3>Team</h3><h3>All</h3>"],
    ["one\ntwo", "<p>one<br/>two</p>"],
    ["- a\n- b\n  1. c", '<ul><li>a</li><li>b<ol start="1"><li>c</li></ol></li></ul>'],
    ["> said\n\n`code`", "<blockquote><p>said</p></blockquote><p><code>code</code></p>"],
    ["```\n<b>\n```", "<pre><code>&lt;b&gt;</code></pre>"],
    ["a \\* b & c", "<p>a * b &amp; c</p>"],
    ["| a | b |\n|---|---|\n| 1 | ~~2~~ |", expect.stringContaining("<td>1</td><td><del>2</del></td>")],
    ["- [x] done", expect.stringMatching(/<input[^>]*checked[^>]*>done|<input[^>]*>.*done/)],
  ])("%j", (text, expected) => {
    expect(inside(text)).toEqual(expected);
  });

  test.each([
    "<script>alert(1)</script>",
    "a <img src=x onerror=alert(1)> b",
    '<a href="javascript:alert(1)">x</a>',
    "<svg/onload=alert(1)>",
    "<!-- -->\n<iframe src=//evil.example>",
  ])("shows the HTML %j as text", (text) => {
    expect(html(text)).not.toMatch(/<(script|img|svg|iframe|a)\b/);
    expect(html(text)).toContain("&lt;");
  });

  test.each([
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](data:text/html,<script>)",
    "[x](//evil.example)",
    "[x](vbscript:x)",
    "[x]( \u0001javascript:alert(1))",
    "[x][y]\n\n[y]: javascript:alert(1)",
    "<javascript:alert(1)>",
  ])("makes no link of %j", (text) => {
    expect(html(text)).not.toContain("href");
  });

  test("opens links to the web and mail elsewhere, and pictures are links that load nothing", () => {
    expect(inside("[a](https://acme.com) ![logo](https://acme.com/p.png) <anna@acme.com>")).toBe(
      '<p><a href="https://acme.com" target="_blank" rel="noopener noreferrer nofollow">a</a> <a href="https://acme.com/p.png" target="_blank" rel="noopener noreferrer nofollow">logo</a> <a href="mailto:anna@acme.com" target="_blank" rel="noopener noreferrer nofollow">anna@acme.com</a></p>',
    );
  });

  test("marks the words of the question", () => {
    expect(inside("She asked for **invoices**.", "When are invoices sent?")).toContain("<mark>invoices</mark>");
  });

  test("is shown as written when it is very long or very deep", () => {
    const long = `# ${"a".repeat(LONGEST_FORMATTED)}`;
    expect(html(long)).toContain("# aaa");
    expect(html(`${">".repeat(5_000)} deep`)).toContain("deep");
    expect(html(`${"*".repeat(20_000)}a`)).toContain("a");
  });
});
