import type { z } from "zod";
import { Fault } from "#lib/core/errors.ts";
import { fold } from "#lib/core/fold.ts";
import { JsonText } from "#lib/core/json-text.ts";
import { decodeCursor, encodeCursor } from "#lib/core/paging.ts";
import { DAY_MS } from "#lib/core/time.ts";
import { normaliseDomain, normaliseEmail, normaliseLinkedinUrl } from "#lib/domain/entities/service.ts";
import { implement } from "#lib/domain/implement.ts";
import * as contract from "../contract.ts";
import { type Condition, listCompanyRows, listPersonRows, type Position, type Sort } from "../queries/lists.ts";

type Filters = z.output<typeof contract.listPeople.input>;

const COLUMNS = { last_activity: "last_activity_at", icp_score: "icp_score", created: "created_at" } as const;

function sortOf(name: Filters["sort"]): Sort {
  const descending = name.endsWith("_desc");
  return { column: COLUMNS[name.replace(/_(asc|desc)$/, "") as keyof typeof COLUMNS], descending };
}

const is = (text: string, ...values: unknown[]): Condition => ({ text, values });

/** The pattern of a substring search over folded text. */
const containing = (search: string): string => `%${fold(search).replaceAll(/[\\%_]/g, "\\$&")}%`;

/** Filters both lists have. */
function sharedConditions(
  input: Pick<
    Filters,
    "search" | "source" | "status" | "last_activity_before" | "last_activity_after" | "min_icp_score" | "properties"
  >,
) {
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
  const conditions = [is("p.status = ?::entity_status", input.status)];
  if (input.search !== undefined && fold(input.search) !== "")
    conditions.push(is("p.search LIKE ?", containing(input.search)));
  if (input.source !== undefined) conditions.push(is("p.source = ?", input.source));
  if (input.last_activity_after !== undefined)
    conditions.push(is("p.last_activity_at >= ?", ago(input.last_activity_after)));
  if (input.last_activity_before !== undefined) {
    conditions.push(is("(p.last_activity_at < ? OR p.last_activity_at IS NULL)", ago(input.last_activity_before)));
  }
  if (input.min_icp_score !== undefined) conditions.push(is("p.icp_score >= ?", input.min_icp_score));
  for (const [name, wanted] of Object.entries(input.properties ?? {})) {
    conditions.push(
      is("(p.custom ->> ? = ANY(?::text[]) OR jsonb_exists_any(p.custom -> ?, ?::text[]))", name, wanted, name, wanted),
    );
  }
  return conditions;
}

const NAMED =
  "p.id IN (SELECT i.entity_id FROM identifiers i WHERE i.workspace_id = rapport_workspace() AND i.kind = ? AND i.value = ? AND i.retired_at IS NULL)";

function required<T>(value: T | null, parameter: string): T {
  if (value === null) throw new Fault("invalid_parameter", { parameter }, `${parameter} is not valid.`);
  return value;
}

export const listPeople = implement(contract.listPeople, async (ctx, input) => {
  const conditions = sharedConditions(input);
  if (input.pipeline_stage !== undefined)
    conditions.push(is("p.pipeline_stage = ?::pipeline_stage", input.pipeline_stage));
  if (input.has_email !== undefined) conditions.push(is(`p.email IS ${input.has_email ? "NOT NULL" : "NULL"}`));
  if (input.has_linkedin !== undefined)
    conditions.push(is(`p.linkedin_url IS ${input.has_linkedin ? "NOT NULL" : "NULL"}`));
  if (input.company_id !== undefined) conditions.push(is("p.company_id = ?", input.company_id));
  if (input.email !== undefined) conditions.push(is(NAMED, "email", required(normaliseEmail(input.email), "email")));
  if (input.linkedin_url !== undefined) {
    conditions.push(is(NAMED, "linkedin_url", required(normaliseLinkedinUrl(input.linkedin_url), "linkedin_url")));
  }
  const rows = await listPersonRows(ctx.db, requestOf(input, conditions));
  return pageOf<z.output<typeof contract.listPeople.output>>("people", rows, input);
});

export const listCompanies = implement(contract.listCompanies, async (ctx, input) => {
  const conditions = sharedConditions(input);
  if (input.domain !== undefined)
    conditions.push(is(NAMED, "domain", required(normaliseDomain(input.domain), "domain")));
  const rows = await listCompanyRows(ctx.db, requestOf(input, conditions));
  return pageOf<z.output<typeof contract.listCompanies.output>>("companies", rows, input);
});

type Paging = Pick<Filters, "limit" | "offset" | "cursor" | "sort" | "search">;

function requestOf(input: Paging, conditions: readonly Condition[]) {
  const { limit, offset, cursor, search } = input;
  const sort = sortOf(input.sort);
  if (cursor !== undefined && offset > 0) {
    throw new Fault("invalid_parameter", { parameter: "offset" }, "offset: give either cursor or offset.");
  }
  return {
    conditions,
    sort,
    limit,
    offset,
    after: cursor === undefined ? null : positionOf(cursor, input.sort),
    searched: search !== undefined,
  };
}

/** A cursor belongs to the sort it was made for. */
function positionOf(cursor: string, sort: string): Position {
  const refuse = () =>
    new Fault("invalid_parameter", { parameter: "cursor" }, "cursor was not returned by this list with this sort.");
  const [madeFor, value = null, id] = decodeCursor(cursor, 3);
  if (madeFor !== sort || typeof id !== "string" || !/^[0-9a-f-]{36}$/.test(id)) throw refuse();
  const fits =
    value === null ||
    (sort.startsWith("icp_score")
      ? Number.isInteger(value)
      : typeof value === "string" && !Number.isNaN(Date.parse(value)));
  if (!fits) throw refuse();
  return { value, id };
}

function pageOf<T>(name: string, rows: string[], input: Paging): JsonText<T> {
  const has_more = rows.length > input.limit;
  const shown = has_more ? rows.slice(0, input.limit) : rows;
  const last = has_more ? (JSON.parse(shown.at(-1) as string) as Record<string, string | number | null>) : null;
  const next_cursor = last
    ? encodeCursor([input.sort, last[sortOf(input.sort).column] ?? null, last.id as string])
    : null;
  const rest = JSON.stringify({ limit: input.limit, offset: input.offset, has_more, next_cursor });
  return new JsonText(`{"${name}":[${shown.join(",")}],${rest.slice(1)}`);
}
