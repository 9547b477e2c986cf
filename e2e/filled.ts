/** A workspace with something on every page, for journeys that go through all of them. */
import type { App } from "./app.ts";
import { agentOf, type Owner } from "./fixture.ts";

/** Fills the owner's workspace. Returns where its one record, lead list and trigger are. */
export async function fillWorkspace(
  app: App,
  owner: Owner,
): Promise<{ account: string; leads: string; trigger: string }> {
  const send = agentOf(app.baseURL, owner);
  const email = "lena.tanaka@northwind.example";
  await send("/v2/people", {
    ...{ email, first_name: "Lena", last_name: "Tanaka", job_title: "VP Sales", owner: owner.owner_email },
    pipeline_stage: "evaluating",
  });
  await send("/v2/people", { email: "tom@northwind.example", first_name: "Tom" });
  await send("/api/v1/capture", { email, type: "email_received", description: "Asked for a review", external_id: "1" });
  const state = (value: string, source: string) => ({ kind: "state", property: "job_title", value, source });
  await send("/v2/observations", {
    focus: email,
    observations: [
      { ...state("CRO", "crm"), method: "asserted" },
      { ...state("VP Sales", "web"), method: "inferred" },
    ],
  });
  await send("/v2/notes", { focus: email, title: "Pilot", content: "Wants a pilot." });
  await send("/v2/tasks", { title: "Send the offer", focus: email, due: "2026-01-05" });
  await send("/v2/workspace/facts", { section: "ICP", content: "Series A fintechs" });
  const made = await send("/v2/lead-lists", { name: "Spring outreach" });
  const list = (made.list ?? made.lead_list) as { id: string };
  await send("/v2/leads", { list_id: list.id, email, name: "Lena Tanaka" });
  const { trigger } = (await send("/v2/workspace/triggers", {
    ...{ name: "Sales channel", url: "http://127.0.0.1:9/hooks/sales", events: ["stage.advanced"] },
  })) as { trigger: { id: string } };
  return { account: `accounts/${email}`, leads: `leads/${list.id}`, trigger: `triggers/${trigger.id}` };
}
