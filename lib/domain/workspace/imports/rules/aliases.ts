import type { ImportKind } from "../contract.ts";
import type { ImportField } from "../words.ts";

/** A header as it is compared: lower case, letters and digits alone. */
export const normaliseHeader = (header: string): string => header.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** The headers that other tools give a field, normalised, the better one first. */
type Aliases = Partial<Record<ImportField, readonly string[]>>;

const person: Aliases = {
  email: [
    "email",
    "emailaddress",
    "emailaddresses",
    "workemail",
    "primaryemail",
    "businessemail",
    "personemail",
    "emailsprimaryemail",
    "contactemail",
    "mail",
  ],
  first_name: ["firstname", "givenname", "fname", "namefirstname"],
  last_name: ["lastname", "surname", "familyname", "lname", "namelastname"],
  name: ["name", "fullname", "contactname", "personname", "leadname"],
  linkedin_url: [
    "personlinkedinurl",
    "linkedinurl",
    "linkedinurlpublic",
    "linkedinprofile",
    "linkedinprofileurl",
    "linkedin",
    "linkedinbio",
    "profileurl",
    "defaultprofileurl",
    "url",
  ],
};

const company: Aliases = {
  company: [
    "company",
    "companyname",
    "organization",
    "organizationname",
    "account",
    "accountname",
    "employer",
    "associatedcompany",
    "currentcompany",
    "companynameforemails",
  ],
  company_domain: [
    "companydomain",
    "domain",
    "domains",
    "website",
    "companywebsite",
    "companywebsiteurl",
    "websiteurl",
  ],
  company_linkedin_url: ["companylinkedinurl", "companyurl", "regularcompanyurl"],
  industry: ["industry", "companyindustry"],
  employees: ["employees", "numberofemployees", "companyemployeeexactcount", "companysize", "headcount"],
  country: ["country", "countryregion"],
};

/** What headers mean, by what the rows of the file are about. */
const aliasesOf: Readonly<Record<ImportKind, Aliases>> = {
  people: {
    ...person,
    job_title: ["title", "jobtitle", "position", "currentjob", "currenttitle", "role", "headline"],
    ...company,
    phone: [
      "phone",
      "phonenumber",
      "workdirectphone",
      "mobilephone",
      "mobilephonenumber",
      "phonenumbers",
      "personphone",
    ],
    stage: ["stage", "lifecyclestage", "leadstatus", "status", "pipelinestage"],
  },
  companies: {
    ...company,
    company: [...(company.company ?? []), "name"],
    company_linkedin_url: [...(company.company_linkedin_url ?? []), "linkedinurl", "linkedin", "url"],
    country: [...(company.country ?? []), "companycountry"],
  },
  notes: {
    email: person.email ?? [],
    linkedin_url: person.linkedin_url ?? [],
    company_domain: company.company_domain ?? [],
    content: [
      "content",
      "note",
      "notes",
      "notecontent",
      "notebody",
      "body",
      "text",
      "comment",
      "comments",
      "description",
    ],
    title: ["title", "notetitle", "subject"],
    date: ["date", "notedate", "createdat", "createdate", "created", "activitydate", "timestamp"],
    type: ["type", "notetype", "doctype"],
  },
};

const known = new Map(
  (Object.keys(aliasesOf) as ImportKind[]).map((kind) => [
    kind,
    new Map(
      Object.entries(aliasesOf[kind]).flatMap(([field, names]) =>
        names.map((name, rank) => [name, { field: field as ImportField, rank }] as const),
      ),
    ),
  ]),
);

/** The field a header is a known name of, and how good a name it is: 0 is the best. */
export const fieldNamed = (kind: ImportKind, header: string): { field: ImportField; rank: number } | null =>
  known.get(kind)?.get(normaliseHeader(header)) ?? null;
