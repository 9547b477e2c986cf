"use client";

import { curlOf } from "#components/curl.ts";
import { ImportButton } from "#components/imports/import-button.tsx";
import { upsertCompany } from "#components/operations/people.ts";
import { RecordList } from "#components/records/record-list.tsx";
import type { FirstPage } from "#components/records/use-records.ts";
import type { Company } from "#lib/domain/crm/people/contract.ts";
import type { SavedView } from "#lib/domain/crm/saved-views/contract.ts";
import { AddCompanyButton } from "./add-company-button.tsx";
import { AddingCompany } from "./adding-company.tsx";
import { companiesAddress } from "./address.ts";
import { companiesKind } from "./companies-kind.tsx";

type CompaniesListProps = {
  workspaceId: string;
  origin: string;
  first: FirstPage<Company> | null;
  views: readonly SavedView[];
};

export function CompaniesList({ workspaceId, origin, first, views }: CompaniesListProps) {
  return (
    <>
      <RecordList
        kind={companiesKind}
        address={companiesAddress}
        workspaceId={workspaceId}
        first={first}
        views={views}
        empty={{
          sentence:
            "Companies are added automatically from people's business addresses. You can also add one, or import a file.",
          action: (
            <div className="flex flex-wrap gap-2">
              <AddCompanyButton variant="secondary" />
              <ImportButton workspaceId={workspaceId} kind="companies" />
            </div>
          ),
          example: { label: "What an agent sends", code: curlOf(origin, upsertCompany, { body: example }) },
        }}
      />
      <AddingCompany workspaceId={workspaceId} />
    </>
  );
}

const example = { domain: "acme.com", name: "Acme", industry: "Fintech" };
