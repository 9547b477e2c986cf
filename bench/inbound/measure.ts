import { randomBytes } from "node:crypto";
import { signatureHeaders, standardWebhooks } from "#lib/settings/webhook-signatures.ts";
import { say } from "../report.ts";
import { CONNECTIONS, type Figures, median, round, type Sending } from "../rounds.ts";
import type { Stage } from "../stage.ts";

const PEOPLE = 5_000;
const ROUNDS = 5;
const SECONDS = 3;

/** An accepted delivery may take this many times as long as a capture. */
const GOAL = 2;

/**
 * A webhook about one contact compared with a capture of the same, in turn, both new each time; and a webhook with a
 * summary, which also makes a note. Returns missed goals.
 */
export async function measureInbound(stage: Stage): Promise<string[]> {
  const workspace = await stage.createWorkspace("Inbound");
  const { url, headers = {} } = stage.ours(workspace, "");
  const post = async (path: string, body: unknown) => {
    const sent = {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    };
    const answer = await fetch(url + path, sent);
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
  };
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  await post("/v2/workspace/integrations", { provider: "fathom", credentials: { signing_secret: secret } });
  const emails = Array.from({ length: PEOPLE }, (_, index) => `person-${index}@prospect-${index % 500}.example`);
  for (let from = 0; from < PEOPLE; from += 1_000)
    await post("/v2/people/bulk", { people: emails.slice(from, from + 1_000).map((email) => ({ email })) });

  let count = 0;
  const next = () => ({
    id: `${process.pid}-${count++}`,
    email: emails[count % PEOPLE] as string,
    at: new Date().toISOString(),
  });
  const capture = (): Sending => {
    const { id, email, at } = next();
    const metadata = { share_url: `https://fathom.video/${id}`, recording_id: id, title: "Discovery call" };
    const signal = {
      email,
      type: "meeting_held",
      source: "bench",
      external_id: id,
      occurred_at: at,
      description: "Meeting: Discovery call",
      metadata,
    };
    return { path: "/api/v1/capture", headers, body: JSON.stringify(signal) };
  };
  const delivery = (summary: string | null) => (): Sending => {
    const { id, email, at } = next();
    const body = JSON.stringify({
      id,
      title: "Discovery call",
      recording_start_time: at,
      share_url: `https://fathom.video/${id}`,
      default_summary: summary === null ? null : { markdown_formatted: summary },
      calendar_invitees: [{ name: "Prospect", email }],
    });
    return {
      path: `/inbound/fathom/${workspace.id}`,
      headers: signatureHeaders(standardWebhooks, secret, body, { id }),
      body,
    };
  };
  const summary =
    "Wants single sign-on before the security review in July; the budget is approved up to 40,000 euros. ".repeat(12);
  const kinds = { capture, webhook: delivery(null), "webhook with a summary": delivery(summary) };

  const measured = Object.entries(kinds).map(([kind, make]) => ({ kind, make, rounds: [] as Figures[] }));
  for (const { make } of measured) await round(url, make, 1);
  for (let index = 0; index < ROUNDS; index++)
    for (const { make, rounds } of measured) rounds.push(await round(url, make, SECONDS));

  say(`\nInbound webhooks, ${CONNECTIONS} connections, ${PEOPLE.toLocaleString("en")} contacts`);
  say(`${"".padEnd(26)} ${"/s".padStart(7)} ${"p50 ms".padStart(8)} ${"p95 ms".padStart(8)} ${"p99 ms".padStart(8)}`);
  for (const { kind, rounds } of measured) {
    const figure = (name: keyof Figures, digits: number) => median(rounds.map((each) => each[name])).toFixed(digits);
    say(
      `${kind.padEnd(26)} ${figure("perSecond", 0).padStart(7)} ${figure("p50", 1).padStart(8)} ${figure("p95", 1).padStart(8)} ${figure("p99", 1).padStart(8)}`,
    );
  }
  const [captures, webhooks] = measured.map(({ rounds }) => rounds);
  const ratio = median((webhooks ?? []).map(({ p95 }, index) => p95 / (captures?.[index]?.p95 ?? 1)));
  say(`p95 of a webhook is ${ratio.toFixed(2)} times a capture's (goal ${GOAL})`);
  return ratio > GOAL ? ["inbound webhook"] : [];
}
