/**
 * Words that salespeople use for the same thing, one group a line. Each word stands for all its forms: `price` for prices, priced and
 * pricing. A word belongs to one group only, so no word leads to another meaning in two steps.
 */
const TEXT = `
price cost fee budget money spend expensive charge pricing pricey rate tariff
cheap affordable inexpensive economical cheaper lowcost
discount rebate concession markdown reduction
contract agreement paperwork msa contractual sow framework
deal opportunity
invoice bill payment remittance billing settle
offer proposal quote quotation estimate tender bid pitch rfp
prepay upfront prepayment advance
annual yearly year
churn cancel leave quit terminate exit optout attrition termination cancellation
renew extend extension prolong prolongation
redline amendment change clause amend revision revise modification modify
lawyer attorney counsel legal solicitor lawyers
liability damages indemnity liable
court jurisdiction arbitration tribunal
security compliance soc2 soc iso audit certificate certify infosec cybersecurity
privacy gdpr dpo dpa dataprotection
login signin sso logon authenticate logout session signon authentication saml okta
password credential
permission consent approve authorize signoff approval authorise authorization allow allowance
decide decision choose choice determine
onboard rollout launch golive implementation deployment kickoff start implement onboarding
champion sponsor advocate supporter ally promoter
deadline timeline due schedule expire expiry cutoff timeframe timetable
goal target aim
result outcome finding conclusion
kpi metric measure metrics measurement
customer client clientele
buyer purchaser procurement purchase buy purchasing
vendor supplier provider
competitor rival alternative competition competing compete
seat license licence
trial pilot poc evaluate evaluation test testing try
demo demonstration showcase presentation present walkthrough
meeting appointment call visit workshop
employee staff worker personnel headcount workforce colleague
salespeople salesperson seller rep sdr ae salesman salesforce
engineer developer programmer coder technician
manager head chief leader director boss executive supervisor vp
successor replacement deputy substitute
problem issue bug defect hiccup trouble difficulty flaw error
fail failure break outage crash malfunction downtime broken
complaint complain objection concern worry grievance grumble
unhappy dissatisfied annoyed frustrated angry hate disappointed upset irritated furious
happy satisfied pleased glad delighted impressed thrilled enthusiastic
skeptical sceptical doubt distrust
phone mobile smartphone handset
email mail inbox mailbox correspondence
message chat messenger sms text
hosting host server cloud datacenter onprem onpremise hosted datacentre aws azure gcp selfhosted selfhost
uptime availability sla available
latency speed slow fast sluggish lag quick rapid
throttle limit cap maximum quota ceiling restrict restriction
integration connector interface api sync integrate connection connect webhook plugin
import upload ingest load
export download
migrate move transfer
backup restore
data information info
delete erase remove purge deletion erasure wipe
report dashboard analytics reporting statistics
survey questionnaire
alert notify warning notification alarm warn
feature functionality capability function module
requirement demand wish request need want must
delay postpone defer stall postponement late pushback
freeze halt pause stop suspend suspension block hold
duplicate double duplication redundant
messy mess chaos untidy
train lesson course teach coach training instruct instruction
document paper file folder
brief summary recap overview sheet summarize summarise digest
knowledge expertise knowhow
negotiate bargain haggle negotiation renegotiate
reference recommend referral vouch introduce testimonial endorse endorsement recommendation introduction
investment funding investor invest raise fund
growth expand
revenue turnover income
office branch subsidiary location
store shop outlet
committee board council panel
conference fair exhibition tradeshow expo
holiday vacation vacations
bonus incentive reward premium
nonprofit charity ngo
insurance insurer
bank banker
partner reseller
hire recruit hiring recruitment recruiter
translate localise localize translation localization language
record recorder transcribe recording transcription tape
plan roadmap
urgent asap urgency immediately priority
reply answer respond response responded
noisy chatty
trust confidence
reluctant hesitant unwilling refuse refusal reject decline resist oppose opposed
increase rise uplift hike grow higher
decrease reduce shrink lower drop fall cut dip
big large huge major significant substantial
small minor tiny little
quarterly quarter
monthly month
weekly week
daily everyday
begin commence initiate
end finish complete completion conclude final finalize
merge combine consolidate unify dedupe
separate split apart divide segregate distinct
share sharing exchange
hide hidden conceal invisible
vulnerability weakness pentest penetration
encryption encrypt encrypted cipher
breach leak hack intrusion
llm ai gpt copilot model
currency dollar euro pound shilling yen usd eur gbp
credit refund reimburse reimbursement compensation
grant subsidy endowment
tax vat
salary wage payroll
profit margin markup earnings
owner founder proprietor shareholder
ceo president chairman chair
cfo treasurer finance financial controller
cio cto
union betriebsrat works
family household relative
parental maternity paternity
retire retirement pension
join joining newcomer newly
coworker teammate peer
intern trainee apprentice
agent advisor adviser consultant consultancy
donor donation giver philanthropist
merchant retailer
warehouse depot stockroom
stock inventory stocktaking
ship shipment freight delivery deliver cargo
truck lorry van
plane flight airport
factory plant manufacturing manufacturer production
device hardware machine equipment gadget
laptop computer desktop pc notebook
tablet ipad
keyboard typing type
internet signal network wifi
offline unreachable disconnected
app application
database db postgres
software tool platform system program
spreadsheet excel csv
crm hubspot siebel dynamics pipedrive
hospital clinic medical healthcare
doctor physician
school university college education
restaurant cafe bakery
food meal lunch dinner breakfast
drink alcohol wine beer
party gala celebration banquet
guest attendee visitor participant
speech talk lecture keynote
newspaper press media journalist
rumor gossip rumour
promise commitment commit pledge guarantee
lie dishonest misleading
honest frank candid honesty
rule policy guideline regulation
law legislation statute
prohibit forbid ban forbidden disallow
mandatory obligatory compulsory
optional voluntary
accept acceptance agree agreed
disagree disagreement dispute argument argue conflict
fight quarrel
win won winning
lose lost loss
retain retention keep stay
departed departing departure
visible transparency transparent visibility
usage adoption adopt
inactive dormant idle unused
active engaged engagement
reactivate revive winback reawaken
busy peak overloaded overload
night overnight nightly
morning afternoon evening
sick ill illness
age old elderly senior
young junior
region territory area
country nation
city town
address postal
map mapping
identifier id number
name naming
spelling spell misspelled mangled
accent dialect
polite courteous politeness
rude impolite offensive
category label tag
list listing
note memo
image picture photo screenshot
video film
calendar diary
reminder remind remember
forget forgotten
handwritten handwriting handwrite
copy paste
fix repair resolve solve
improve improvement enhance enhancement better
worse worsen deteriorate
simple easy straightforward
complex complicated difficult hard
strict rigid severe
flexible flexibility
early premature
deposit downpayment
penalty fine
debt owe overdue arrears
cash liquidity
card creditcard
strike walkout
crisis emergency
accident incident
risk risky danger dangerous
expectation expect anticipate
afraid fear scared terrified
surprise surprised unexpected
proud pride
tired exhausted
laugh joke funny
attention focus
question ask inquiry enquiry
explain explanation clarify clarification
tell announce announcement
read reading
write written
save archive
search lookup
compare comparison versus
verify verification check validate inspect
review assess assessment examine
sign signature countersign signed
stamp seal
mandate power
stakeholder influencer
gatekeeper blocker obstacle hurdle
pain challenge
advantage benefit value worth
drawback disadvantage downside
roi payback return
waste wasted
sprawl proliferation
standard template boilerplate
draft unsent
version release
bundle package tier edition
addon supplement
unlimited unrestricted
viewer readonly reader
admin administrator
role position title
team unit division
headquarters hq
website site homepage
marketing campaign advertising
lead prospect
pipeline funnel forecast
partnership alliance
subscription subscribe
trademark brand logo
patent invention
loyalty loyal
satisfaction nps
ticket helpdesk
escalate escalation
legacy outdated obsolete
modern new
remote remotely
travel trip journey
drive driver driving car
weather rain
configure configuration settings setup
automation automate automatic automatically
manual manually
accuracy accurate precise correct
wrong incorrect mistake
mix confuse confusion
free gratis complimentary nocost
subject header
token key
task job todo assignment duty
notice noticed unnoticed unseen
assistant secretary
accountant bookkeeper accounting bookkeeping ledger
student pupil
child kid
wife spouse husband
expert specialist
novice beginner
soon shortly
previously earlier formerly former previous
afterwards afterward later subsequently
current existing
upcoming future
temporary interim provisional
duration period
seldom rare rarely
percentage percent proportion
average mean
total sum overall
minimum least
amount volume quantity
missing lack shortage absent absence
enough sufficient
acquire acquisition takeover
invite invitation
receive obtain
close closed closure shut
select selection pick
collaborate collaboration cooperate cooperation
confirm confirmation
attend attendance
organize organise arrange arrangement
prepare preparation
install installation
operate operation operations operational
maintain maintenance
monitor monitoring surveillance watch track tracking
calculate calculation
assume assumption suppose
discover detect discovery detection
prevent avoid
protect protection safeguard protected
disable deactivate
pressure push pushy
convince persuade
praise compliment
criticize criticise criticism
apologize apologise apology sorry
thank thanks grateful gratitude
wait waiting
hurry rush
ignore neglect overlook
misunderstand misunderstanding
borrow loan lend
rent lease rental
ownership possess possession
allocate allocation
layoff dismiss fired
box parcel crate
slide deck powerpoint
chart graph diagram
building premises
clothing clothes textile garment uniform apparel
cosmetics skincare beauty perfume fragrance
game gaming
energy electricity utility
medicine drug pharmaceutical
government ministry
farm agriculture
mfa twofactor multifactor
scim provisioning deprovisioning
log logging trail
browser chrome
screen ui
field column attribute
outreach coldcall
qualify qualification meddic bant
upsell crosssell
nda confidentiality confidential
chance likelihood probability
opinion view perspective
reason cause
method approach
example sample instance
difference different differ
similar identical
essential crucial
useful helpful valuable
public publicly
private personal
nearby domestic
global worldwide
abroad foreign overseas
quiet silent silence mute
loud vocal
strange weird odd
famous known
popular favourite favorite
preferred prefer preference
interested interest curious
sure certain
illegal unlawful
inherit inherited inheritance
nephew niece cousin uncle aunt
father mother
birthday anniversary
hobby pastime
golf tennis sport
vegetarian vegan
allergy allergic
`;

/** Forms of one word that no stemmer brings together, one word a line. */
const IRREGULAR = `
advise advice
catch caught
child children
drive drove driven
europe european eu
feel felt
fight fought
finland finnish
france french
germany german
long length
man men
netherlands dutch
norway norwegian
portugal portuguese
spain spanish
strong strength
sweden swedish
woman women
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
export type RelatedStems = { forms: readonly string[]; synonyms: readonly string[] };

/** What is related to each stem. Every form of a word leads to what the word means. */
export function relate(
  groups: readonly (readonly string[])[],
  words: readonly (readonly string[])[],
  termOf: (form: string) => string | null,
): Map<string, RelatedStems> {
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
