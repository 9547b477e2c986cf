/** Puts a place to fail around every `await` and every list of branches in the services' source text. */
import { parseAst } from "vitest/node";

type NameNode = { name?: string };
type Node = { type: string; start: number; end: number } & Record<string, unknown>;

/**
 * Files whose awaits may fail: rules, queries and services of every slice, what authorises, and webhooks. Not the database's own,
 * and not what runs a service in its transaction, where an error after the commit would look like one before it.
 */
export const isTransformed = (url: string): boolean =>
  /\/lib\/(domain\/[^/]+|auth|inbound)\/[^?]*\.ts$/.test(url) && !/\.(test|fixture)\.ts$/.test(url);

/** The text with its awaits wrapped. Line numbers stay, so stacks still fit. */
export function insertSteps(text: string): string {
  const inserted: [place: number, what: string][] = [];
  const wrap = ({ start, end }: Node, name: string) => inserted.push([start, `${name}(`], [end, ")"]);
  const visit = (node: Node): void => {
    if (node.type === "AwaitExpression") wrap(node.argument as Node, "tortureStep");
    const list = branchesOf(node);
    if (list) wrap(list, "tortureBranches");
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child);
  };
  visit(parseAst(text, { lang: "ts" }) as unknown as Node);
  // Where one ends and another begins, the closing comes before the opening.
  const ordered = inserted.map((each, order) => ({ each, order }));
  ordered.sort((a, b) => a.each[0] - b.each[0] || a.order - b.order);
  let result = "";
  let from = 0;
  for (const {
    each: [place, what],
  } of ordered) {
    result += text.slice(from, place) + what;
    from = place;
  }
  return result + text.slice(from);
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** The list of a `together([…])` or `Promise.all([…])`. */
function branchesOf(node: Node): Node | null {
  if (node.type !== "CallExpression") return null;
  const { name, object, property } = node.callee as { name?: string; object?: NameNode; property?: NameNode };
  const [first] = node.arguments as Node[];
  return name === "together" || (object?.name === "Promise" && property?.name === "all") ? (first ?? null) : null;
}
