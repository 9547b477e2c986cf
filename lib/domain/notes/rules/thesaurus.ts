/**
 * Words that salespeople use for the same thing, one group a line. Each word stands for all its forms: `price` for prices, priced and
 * pricing. A word belongs to one group only, so no word leads to another meaning in two steps.
 */
const TEXT = `
price cost fee budget money spend expensive charge
cheap affordable inexpensive economical
discount rebate concession
contract agreement paperwork msa
deal opportunity
invoice bill payment remittance
offer proposal quote quotation estimate tender
prepay upfront prepayment advance
annual yearly year
churn cancel leave quit terminate exit optout attrition
renew extend extension prolong
redline amendment change clause
lawyer attorney counsel legal
liability damages indemnity
court jurisdiction arbitration
security compliance soc2 soc iso audit certificate certify
privacy gdpr dpo dpa
login signin sso logon authenticate logout session
password credential
permission consent approve authorize signoff
decide decision choose choice
onboard rollout launch golive implementation deployment kickoff start
champion sponsor advocate supporter
deadline timeline due schedule expire expiry cutoff
goal target aim
result outcome finding conclusion
kpi metric measure
customer client
buyer purchaser procurement purchase buy
vendor supplier provider
competitor rival alternative competition
seat license licence
trial pilot poc evaluate
demo demonstration showcase
meeting appointment
employee staff worker personnel headcount
salespeople salesperson seller rep sdr ae salesman
engineer developer programmer
manager head chief leader director boss
successor replacement deputy substitute
problem issue bug defect hiccup
fail failure break outage crash
complaint complain objection concern worry grievance
unhappy dissatisfied annoyed frustrated angry hate
happy satisfied pleased glad
skeptical sceptical doubt distrust
phone mobile smartphone handset
email mail inbox mailbox
message chat messenger sms
hosting host server cloud datacenter onprem onpremise
uptime availability sla
latency speed slow fast
throttle limit cap maximum quota ceiling
integration connector interface api sync
import upload ingest
export download
migrate move transfer
backup restore
data information info
delete erase remove purge
report dashboard analytics
survey questionnaire
alert notify warning
feature functionality capability
requirement demand wish request need want must
delay postpone defer stall
freeze halt pause stop
duplicate double
messy mess chaos untidy
train lesson course teach coach
document paper file folder
brief summary recap overview sheet
knowledge expertise knowhow
negotiate bargain haggle
reference recommend referral vouch introduce
investment funding investor
growth expand
revenue turnover income
office branch subsidiary location
store shop outlet
committee board council
conference fair exhibition tradeshow expo
holiday vacation
bonus incentive reward
nonprofit charity ngo
insurance insurer
bank banker
partner reseller
hire recruit
translate localise localize
record recorder transcribe
plan roadmap
urgent asap
reply answer respond response
noisy chatty
trust confidence
reluctant hesitant
`;

/** Forms of one word that no stemmer brings together, one word a line. */
const IRREGULAR = `
begin began begun
break broke broken
bring brought
build built
buy bought
choose chose chosen
come came
deal dealt
fall fell fallen
find found
forget forgot forgotten
freeze froze frozen
go went gone
grow grew grown
hear heard
hold held
keep kept
lead led
leave left
lose lost
make made
meet met
pay paid
rise rose risen
run ran
see saw seen
sell sold
send sent
speak spoke spoken
spend spent
take took taken
teach taught
understand understood
win won
write wrote written
`;

const linesOf = (text: string): string[][] =>
  text
    .trim()
    .split("\n")
    .map((line) => line.split(" "));

/** The groups, each a list of words. */
export const thesaurus: readonly (readonly string[])[] = linesOf(TEXT);

/** Words with irregular forms, each a list of its forms. */
export const irregular: readonly (readonly string[])[] = linesOf(IRREGULAR);

/** Stems related to a word: other forms of it, and words that mean the same. */
export type Related = { forms: readonly string[]; synonyms: readonly string[] };

/** What is related to each stem. Every form of a word leads to what the word means. */
export function relate(
  groups: readonly (readonly string[])[],
  words: readonly (readonly string[])[],
  termOf: (form: string) => string | null,
): Map<string, Related> {
  const termsOf = (forms: readonly string[]) => [...new Set(forms.flatMap((form) => termOf(form) ?? []))];
  const formsOf = new Map<string, string[]>();
  for (const terms of words.map(termsOf)) for (const term of terms) formsOf.set(term, terms);
  const related = new Map<string, { forms: string[]; synonyms: string[] }>();
  for (const [term, forms] of formsOf)
    related.set(term, { forms: forms.filter((other) => other !== term), synonyms: [] });
  for (const group of groups) {
    const terms = [...new Set(termsOf(group).flatMap((term) => formsOf.get(term) ?? [term]))];
    for (const term of terms) {
      const forms = formsOf.get(term) ?? [term];
      related.set(term, {
        forms: forms.filter((other) => other !== term),
        synonyms: terms.filter((other) => !forms.includes(other)),
      });
    }
  }
  return related;
}
