import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { guideHtml, guidePages } from "./guide.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "docs/guide");
const files = readdirSync(folder).filter((file) => file.endsWith(".md"));
const read = (file: string) => readFileSync(join(root, file), "utf8");
const pages = await guidePages();
const own = [...pages.values()].filter(({ name }) => name !== "index");

test("the index names every page", () => {
  expect([...own.map(({ name }) => `${name}.md`), "README.md"].sort()).toEqual(files.sort());
});

test.each(own)("$name says what the reader wants, and where the reference is", ({ markdown }) => {
  expect(markdown).toMatch(/^# .+\n\nYou want /);
  expect(markdown.trim().split("\n\n").at(-1)).toMatch(/^(Reference|Next): /);
});

test("the README is one page", () => {
  expect(read("README.md").split(/\s+/).length).toBeLessThanOrEqual(900);
});

const anchors = (markdown: string) =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );

test.each(["README.md", ...files.map((file) => `docs/guide/${file}`), "SECURITY.md", "CONTRIBUTING.md"])(
  "every link of %s leads to a file and a heading",
  (file) => {
    const links = [...read(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = ""]) => href);
    const broken = links.filter((href) => {
      if (/^https?:/.test(href)) return false;
      const [target = "", heading] = href.split("#");
      const path = target === "" ? file : join(dirname(file), target);
      if (!existsSync(join(root, path))) return true;
      return heading !== undefined && !anchors(read(path)).includes(heading);
    });
    expect(broken).toEqual([]);
  },
);

test("links lead to pages of the server, and files it does not have are text", () => {
  const html = guideHtml({
    name: "a",
    title: "A",
    markdown:
      "# A\n\n[b](lists.md#change-all) [c](README.md) [d](../decisions/0083-triggers.md) [e](https://x.example)\n\n## It's `so`\n",
  });
  expect(html).toContain(
    '<a href="/docs/guide/lists#change-all">b</a> <a href="/docs/guide">c</a> d <a href="https://x.example">e</a>',
  );
  expect(html).toContain('<h2 id="its-so">It&#39;s <code>so</code></h2>');
  expect(html).not.toContain("<h1");
});

test.each(readdirSync(join(folder, "pictures")))(
  "a page draws %s inline, without styles or scripts of its own",
  (file) => {
    const page = own.find(({ markdown }) => markdown.includes(`](pictures/${file})`));
    const html = page ? guideHtml(page) : "";
    expect(html).toMatch(/<svg class="picture" role="img" aria-label="[^"]{40,}" /);
    expect(html).not.toMatch(/<style|style=|<script/);
  },
);

/** What a newcomer asks, the file that answers, and what the answer holds. */
const questions: [question: string, file: string, answer: RegExp][] = [
  ["How do I start it?", "README.md", /npm start/],
  ["How does my agent connect?", "docs/guide/agents.md", /claude mcp add/],
  ["How do I back up, and restore?", "docs/guide/deploy.md", /rapport admin backup[\s\S]*rapport admin restore/],
  ["How do I upgrade?", "docs/guide/deploy.md", /^## Upgrade$/m],
  ["How do I erase a person?", "docs/guide/data.md", /eras/],
  ["How do I reset a password without mail?", "docs/guide/operate.md", /reset-password/],
  [
    "Where is the rule that ages a fact?",
    "CONTRIBUTING.md",
    /ages[^|]*\| `lib\/domain\/records\/evidence\/rules\/derivation\.ts`/,
  ],
  [
    "Which file do I change to add a field to a lead?",
    "CONTRIBUTING.md",
    /To a lead[\s\S]*`prisma\/schema\/leads\.prisma`/,
  ],
  ["How do I run one test?", "CONTRIBUTING.md", /vitest run .*\.test\.ts/],
  ["Where do I report a weakness?", "SECURITY.md", /report/i],
];

const linkedFrom = (file: string) =>
  [...read(file).matchAll(/\]\(([^)\s#]+\.md)/g)]
    .map(([, href = ""]) => join(dirname(file), href))
    .filter((path) => existsSync(join(root, path)));

test.each(questions)("%s: two clicks from the README, in %s", (_question, file, answer) => {
  const one = linkedFrom("README.md");
  expect(["README.md", ...one, ...one.flatMap(linkedFrom)]).toContain(file);
  expect(read(file)).toMatch(answer);
});

test("every file that CONTRIBUTING and AGENTS name is there", () => {
  const named = ["CONTRIBUTING.md", "AGENTS.md"].flatMap((file) => [
    ...read(file).matchAll(/`([\w./()[\]-]+\/[\w./-]+\.\w+)`/g),
  ]);
  const made = /^(bin|lib|app|components|bench|prisma|e2e)\//;
  expect(named.map(([, path = ""]) => path).filter((path) => made.test(path) && !existsSync(join(root, path)))).toEqual(
    [],
  );
});
