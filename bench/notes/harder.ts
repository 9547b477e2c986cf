import type { Conversation, people } from "./conversations.ts";
import type { Question } from "./questions.ts";

/** People of the harder set only. */
export const harderPeople: typeof people = [
  {
    email: "maria.costa@tidewater.pt",
    first_name: "Maria",
    last_name: "Costa",
    company: "Tidewater Foods",
    domain: "tidewater.pt",
  },
  {
    email: "jonas.becker@falkenbergtextil.de",
    first_name: "Jonas",
    last_name: "Becker",
    company: "Falkenberg Textil",
    domain: "falkenbergtextil.de",
  },
  {
    email: "ines.roth@falkenbergtextil.de",
    first_name: "Ines",
    last_name: "Roth",
    company: "Falkenberg Textil",
    domain: "falkenbergtextil.de",
  },
  {
    email: "samir.patel@orchardclinics.co.uk",
    first_name: "Samir",
    last_name: "Patel",
    company: "Orchard Clinics",
    domain: "orchardclinics.co.uk",
  },
  {
    email: "tessa.vandijk@polderenergy.nl",
    first_name: "Tessa",
    last_name: "van Dijk",
    company: "Polder Energy",
    domain: "polderenergy.nl",
  },
];

/** Notes that are easily mistaken for each other or for one of the sixty, and long ones about several things. */
export const harderConversations: Conversation[] = [
  {
    id: "tidewater-weekly-1",
    focus: "maria.costa@tidewater.pt",
    type: "meeting_notes",
    title: "Weekly with Maria",
    date: "2026-03-05",
    content: `Maria confirmed the pilot with ten users in Porto. Budget is 20,000 euros and it is approved. Security has not looked at it yet.
Next step: send the order form to her, not to finance.`,
  },
  {
    id: "tidewater-weekly-2",
    focus: "maria.costa@tidewater.pt",
    type: "meeting_notes",
    title: "Weekly with Maria",
    date: "2026-03-26",
    content: `Maria says security looked at it and has no objections. Budget was cut to 15,000 euros, the pilot shrinks to six users in Porto.
Next step: finance sends the order form back to us.`,
  },
  {
    id: "tidewater-weekly-3",
    focus: "maria.costa@tidewater.pt",
    type: "meeting_notes",
    title: "Weekly with Maria",
    date: "2026-04-28",
    content: `Pilot in Porto is over: five of six users log in every day. Maria wants to roll out to Lisbon and Faro, 40 users, budget not approved. She does not need another security review.
Next step: a price for two years.`,
  },
  {
    id: "tidewater-long",
    focus: "maria.costa@tidewater.pt",
    type: "transcript",
    title: "Quarterly business review",
    date: "2026-06-03",
    content: `Rep: Thanks for coming, both of you. Maria, do you want to start with what works?
Maria: The morning list works. The van drivers open it at six, they see who complained the day before, and they say sorry before the shop owner can shout at them.
Rep: That is good to hear. What about the returns?
Maria: Returns went down. We had 11 percent in January, 7 percent in May. I would not say it is all because of you. The weather was better and the new boxes keep the cold.
Duarte: The boxes cost us a fortune, by the way.
Rep: And what does not work?
Maria: Search on the phone is slow in the cold store, there is no signal. The drivers type an order there and it is lost. That happened four times last week. One of them was the order of Hotel Baia, 3,200 euros of sea bass.
Rep: We will look at keeping drafts on the phone.
Duarte: I want to speak about the contract. It ends in December and I was told in October it renews by itself unless we give notice 60 days before. I don't like that.
Rep: We can take the automatic renewal out when you sign for two years.
Duarte: Then send me that in writing. I also have an offer from Pescado Cloud at 9 euros a user, you are at 21.
Maria: Duarte, Pescado Cloud has no Portuguese support.
Duarte: I know. But I have to ask.
Rep: I understand. We talk about price when we know how many users there are in autumn.
Maria: About sixty. Forty drivers, the rest in the office.`,
  },
  {
    id: "falkenberg-jonas",
    focus: "jonas.becker@falkenbergtextil.de",
    type: "transcript",
    title: "Call with Jonas",
    date: "2026-05-05",
    content: `Jonas: Ines wants everything in one system. I don't. My reps sell curtains to hotels, hers sell uniforms to hospitals.
Rep: What would you keep apart?
Jonas: Prices. If her people see the hotel margins I will hear about it at every sales meeting.
Rep: And what would you share?
Jonas: Complaints and late deliveries. Those hurt both of us.
Rep: Who decides in the end?
Jonas: Not me and not Ines. Our owner does, and he only asks one thing: can we stop paying for Salesforce.`,
  },
  {
    id: "falkenberg-ines",
    focus: "ines.roth@falkenbergtextil.de",
    type: "transcript",
    title: "Call with Ines",
    date: "2026-05-07",
    content: `Ines: Jonas told you he wants two systems, right? He always says that.
Rep: He worries about margins.
Ines: Hotel margins are no secret, the whole canteen knows them. I need one list of customers, because a hospital group bought curtains from him last year and I heard it from their purchasing.
Rep: What about complaints?
Ines: Shared, of course. And deliveries.
Rep: Does anything speak against a start in June?
Ines: The inventory in the last week of June. And my maternity leave from October, Jonas covers for me then, poor hospitals.`,
  },
  {
    id: "falkenberg-offer-1",
    focus: "jonas.becker@falkenbergtextil.de",
    type: "note",
    title: "Offer version 1",
    date: "2026-05-18",
    content: `Offer to Falkenberg: 24 seats at 38 euros a month, one workspace, prices hidden per team. Setup 4,000 euros once. Valid until 15 June.`,
  },
  {
    id: "falkenberg-offer-2",
    focus: "jonas.becker@falkenbergtextil.de",
    type: "note",
    title: "Offer version 2",
    date: "2026-06-08",
    content: `Second offer to Falkenberg: 24 seats at 34 euros a month, two workspaces, no setup fee. Valid until 31 July. The owner asked for a clause that lets him leave when the prices rise by more than five percent.`,
  },
  {
    id: "falkenberg-signed",
    focus: "falkenbergtextil.de",
    type: "note",
    title: "Falkenberg signed",
    date: "2026-07-16",
    content: `Signed by the owner, Herr Falkenberg, on 16 July. Took version two, but with one workspace after all. Salesforce is cancelled at the end of the year. Ines sent flowers, Jonas did not.`,
  },
  {
    id: "orchard-intro",
    focus: "samir.patel@orchardclinics.co.uk",
    type: "transcript",
    title: "Discovery call",
    date: "2026-02-02",
    content: `Samir: We have nine eye clinics and we sell to opticians who refer patients. Six people visit them.
Rep: What goes wrong today?
Samir: The optician in Leeds was promised a training evening by Helen, and two weeks later Robert promised him a different one. He rang me and laughed.
Rep: Is patient data part of the visits?
Samir: Never. If it ever is, I want it blocked. We have an information governance lead, Fiona Marsh, and she can stop anything.
Rep: What budget do you have in mind?
Samir: Nothing is planned. I can find 6,000 pounds if Fiona says yes.`,
  },
  {
    id: "orchard-fiona",
    focus: "samir.patel@orchardclinics.co.uk",
    type: "meeting_notes",
    title: "Fiona's questions",
    date: "2026-02-23",
    content: `Fiona Marsh, information governance, on the call with Samir. She does not mind where the servers are as long as it is the UK or the EU. No to language models that learn from our text. Yes to e-mail import, but only of the six reps and not of the clinics' shared inbox.
She did not ask for a penetration test, which surprised me; she asked for a completed DSPT questionnaire instead.`,
  },
  {
    id: "orchard-no",
    focus: "samir.patel@orchardclinics.co.uk",
    type: "note",
    title: "Samir calls",
    date: "2026-03-31",
    content: `Samir rang on the way to Hull. It's a no for this year: Fiona said yes, but the money went into a new laser. He asked me to ring again when the new financial year is a month old, so early May 2027, and he does not want e-mails until then.`,
  },
  {
    id: "polder-kickoff",
    focus: "tessa.vandijk@polderenergy.nl",
    type: "meeting_notes",
    title: "Kick-off",
    date: "2026-08-31",
    content: `Tessa opened, then Wouter (IT) and Femke (key accounts). Wouter does the single sign-on this week, Femke brings the list of 900 business customers, without the households. Import on Thursday.
Tessa does not want the old notes from Outlook: nobody would read them. Femke disagrees, she wants at least those of the twenty largest customers.
Weekly call Tuesdays at two.`,
  },
  {
    id: "polder-import",
    focus: "tessa.vandijk@polderenergy.nl",
    type: "note",
    title: "Import",
    date: "2026-09-03",
    content: `Imported 874 of 900 business customers. 26 had no e-mail and no website; Femke fills those in by hand. Single sign-on is not done, Wouter waits for a certificate.`,
  },
  {
    id: "polder-femke",
    focus: "tessa.vandijk@polderenergy.nl",
    type: "transcript",
    title: "Femke's first month",
    date: "2026-10-01",
    content: `Femke: I told Tessa that I would not go back to Outlook, and she was surprised.
Rep: What made the difference?
Femke: The bakery chain. Their contract for gas ended, I saw in your brief that the owner had asked about solar roofs in spring, so I called him about that and not about gas. He stayed for three years, 240,000 euros.
Rep: Anything that we should change?
Femke: The brief is too long when I am in the car. Five lines, not a page. And Wouter says the single sign-on asks twice.
Rep: That is the certificate, it expired last week.
Femke: Tell Wouter, not me.`,
  },
  {
    id: "polder-price",
    focus: "tessa.vandijk@polderenergy.nl",
    type: "meeting_notes",
    title: "More seats",
    date: "2026-11-12",
    content: `Tessa wants 30 more seats for the service desk but at half the price because they only answer the phone. I said no to half, yes to 20 percent from 50 seats on. Femke gets her short brief in December.
She did not bring up the competitor this time.`,
  },
  {
    id: "nordbank-security-2",
    focus: "erik.holm@nordbank.se",
    type: "meeting_notes",
    title: "Security questions, second round",
    date: "2026-04-01",
    content: `Erik read our written answer about break-glass access and is satisfied. Still open: single sign-on works, SCIM does not remove people who leave. He wants a date for that.
Frankfurt is fine. Penetration test report received, two findings of medium severity, he asks whether they are fixed.`,
  },
  {
    id: "kranich-offer-old",
    focus: "julia.weiss@kranich-maschinenbau.de",
    type: "note",
    title: "Draft of the offer",
    date: "2026-06-25",
    content: `Draft of the offer for Julia, not sent: hosted by us, 50 technicians, 52,000 euros in the first year, 45,000 from the second. Dieter will say no to hosting, so we need an on-premise price before we send anything.`,
  },
];

/** Questions to choose weights by: names of both speakers, dates in words, amounts, negation, notes that look alike. */
export const harder: Question[] = [
  { ask: "what did Maria say about security in late March", answers: ["tidewater-weekly-2"] },
  { ask: "Maria's budget at the beginning of March", answers: ["tidewater-weekly-1"] },
  { ask: "when was Maria's budget cut", answers: ["tidewater-weekly-2"] },
  { ask: "is the roll-out to Lisbon and Faro approved", answers: ["tidewater-weekly-3"] },
  { ask: "order form to Maria instead of finance", answers: ["tidewater-weekly-1"] },
  { ask: "finance sends us the order form", answers: ["tidewater-weekly-2"] },
  { ask: "Tidewater pilot with six users", answers: ["tidewater-weekly-2", "tidewater-weekly-3"] },
  { ask: "does Tidewater need another security review", answers: ["tidewater-weekly-3"] },
  { ask: "weekly with Maria end of April", answers: ["tidewater-weekly-3"] },
  { ask: "what did Duarte say about automatic renewal", answers: ["tidewater-long"] },
  { ask: "which competitor did Duarte mention", answers: ["tidewater-long"] },
  { ask: "what did Maria say to Duarte about Portuguese support", answers: ["tidewater-long"] },
  { ask: "how many users will Tidewater have in autumn", answers: ["tidewater-long"] },
  { ask: "order of the hotel lost on the phone", answers: ["tidewater-long"] },
  { ask: "return rate in May versus January", answers: ["tidewater-long"] },
  { ask: "what did Jonas say about Ines", answers: ["falkenberg-jonas"] },
  { ask: "what did Ines say about Jonas", answers: ["falkenberg-ines"] },
  { ask: "what does Jonas not want to share with the reps of Ines", answers: ["falkenberg-jonas"] },
  { ask: "who covers for Ines from October", answers: ["falkenberg-ines"] },
  { ask: "why no start in the last week of June at Falkenberg", answers: ["falkenberg-ines"] },
  { ask: "first offer to Falkenberg with setup fee", answers: ["falkenberg-offer-1"] },
  { ask: "offer without setup fee", answers: ["falkenberg-offer-2"] },
  { ask: "Falkenberg offer for two workspaces", answers: ["falkenberg-offer-2"] },
  { ask: "34 euros per seat", answers: ["falkenberg-offer-2"] },
  { ask: "38 euros a seat a month", answers: ["falkenberg-offer-1"] },
  { ask: "how many workspaces did Falkenberg take in the end", answers: ["falkenberg-signed"] },
  { ask: "when does Falkenberg stop paying for Salesforce", answers: ["falkenberg-signed", "falkenberg-jonas"] },
  { ask: "clause to leave when prices rise", answers: ["falkenberg-offer-2"] },
  { ask: "what did Helen promise the optician in Leeds", answers: ["orchard-intro"] },
  { ask: "what did Samir say about budget", answers: ["orchard-intro", "orchard-no"] },
  { ask: "who can stop anything at Orchard", answers: ["orchard-intro"] },
  { ask: "what did Fiona say to Samir about language models", answers: ["orchard-fiona"] },
  { ask: "which client did not ask for a penetration test", answers: ["orchard-fiona"] },
  { ask: "Fiona's servers in the UK", answers: ["orchard-fiona"] },
  { ask: "why did Orchard say no this year", answers: ["orchard-no"] },
  { ask: "call with Samir at the end of March", answers: ["orchard-no"] },
  { ask: "when should I ring Samir again", answers: ["orchard-no"] },
  { ask: "call Orchard in early May next year", answers: ["orchard-no"] },
  { ask: "discovery call with Samir", answers: ["orchard-intro"] },
  { ask: "discovery call in early February", answers: ["orchard-intro"] },
  { ask: "what did Tessa and Femke disagree about", answers: ["polder-kickoff"] },
  { ask: "what did Femke tell Tessa about Outlook", answers: ["polder-femke"] },
  { ask: "customers without e-mail that Femke fills in", answers: ["polder-import"] },
  { ask: "why is Wouter's single sign-on not done", answers: ["polder-import"] },
  { ask: "Wouter single sign-on certificate expired", answers: ["polder-femke"] },
  { ask: "Polder meeting in the last week of August", answers: ["polder-kickoff"] },
  { ask: "discount for 50 seats for Tessa", answers: ["polder-price"] },
  { ask: "Polder Energy meeting mid November", answers: ["polder-price"] },
  { ask: "which customer renewed for 240k", answers: ["polder-femke"] },
  { ask: "brief too long in the car", answers: ["polder-femke"] },
  { ask: "call with Polder on Tuesdays", answers: ["polder-kickoff"] },
  { ask: "security questions of Erik in early April", answers: ["nordbank-security-2"] },
  { ask: "Erik's security questions in mid March", answers: ["nordbank-security"] },
  { ask: "is Erik satisfied with the break-glass answer", answers: ["nordbank-security-2"] },
  { ask: "what did Erik say about bring your own key", answers: ["nordbank-security"] },
  { ask: "offer for Kranich that was not sent", answers: ["kranich-offer-old"] },
  { ask: "hosted price for Julia", answers: ["kranich-offer-old"] },
  { ask: "how much is the on-premise offer for Kranich", answers: ["kranich-offer"] },
  { ask: "what did Anna say about Erik in the discovery call", answers: ["nordbank-discovery"] },
  { ask: "meeting with Priya at the end of March", answers: ["cloudharbor-objection"] },
  { ask: "call with Julia in late May", answers: ["kranich-call"] },
  { ask: "what did Rachel say about Omar", answers: ["brightpath-first", "brightpath-lost"] },
  { ask: "why does Omar not approve", answers: ["brightpath-compliance", "brightpath-lost"] },
  { ask: "what did Tom complain about in the first days of July", answers: ["verde-golive"] },
  { ask: "two-year term with Verde", answers: ["verde-price"] },
  { ask: "six month opt-out for Priya", answers: ["cloudharbor-signed", "cloudharbor-redline"] },
];

/** In other words than the note's, as `paraphrasesTuning`. */
export const harderParaphrases: Question[] = [
  { ask: "spending for the proof of concept was reduced", answers: ["tidewater-weekly-2"] },
  { ask: "expansion to other cities lacks funding", answers: ["tidewater-weekly-3"] },
  { ask: "contract extends automatically unless terminated", answers: ["tidewater-long"] },
  { ask: "rival vendor with a lower rate", answers: ["tidewater-long"] },
  { ask: "mobile app without connectivity", answers: ["tidewater-long"] },
  { ask: "colleague who wants separate databases", answers: ["falkenberg-jonas", "falkenberg-ines"] },
  { ask: "stocktaking gets in the way of the launch", answers: ["falkenberg-ines"] },
  { ask: "parental leave of the contact person", answers: ["falkenberg-ines", "nordbank-rollout"] },
  { ask: "termination right after a rate increase", answers: ["falkenberg-offer-2"] },
  { ask: "quotation including a one-time installation charge", answers: ["falkenberg-offer-1", "kranich-offer"] },
  { ask: "who has the final say at the textile company", answers: ["falkenberg-jonas", "falkenberg-signed"] },
  { ask: "sales reps made contradictory commitments", answers: ["orchard-intro"] },
  { ask: "privacy officer rejects training AI on our data", answers: ["orchard-fiona"] },
  { ask: "deal lost because funds were spent on equipment", answers: ["orchard-no"] },
  { ask: "prefers phone over mail", answers: ["orchard-no"] },
  { ask: "sso rollout is blocked", answers: ["polder-import", "polder-kickoff"] },
  { ask: "records missing contact details", answers: ["polder-import"] },
  { ask: "customer retained thanks to the summary", answers: ["polder-femke"] },
  { ask: "wants cheaper licences for support agents", answers: ["polder-price"] },
  { ask: "deprovisioning of departing employees", answers: ["nordbank-security-2"] },
  { ask: "vulnerabilities from the pentest", answers: ["nordbank-security-2", "nordbank-security"] },
  { ask: "unsent proposal with cloud hosting", answers: ["kranich-offer-old"] },
  { ask: "client insists on european hosting", answers: ["nordbank-security", "orchard-fiona"] },
  { ask: "signatory authority of our champion", answers: ["nordbank-pricing"] },
  { ask: "purchases are blocked until the directors gather", answers: ["cloudharbor-objection"] },
  { ask: "supplier raises its price on extension", answers: ["cloudharbor-revived"] },
  { ask: "reimbursement for downtime", answers: ["cloudharbor-redline"] },
  { ask: "bill in local currency", answers: ["savanna-payment"] },
  { ask: "inactive merchants were reactivated", answers: ["savanna-churn", "savanna-expansion"] },
  { ask: "employee representatives must agree to monitoring", answers: ["kranich-call", "nordbank-brief"] },
  { ask: "permission to tape calls", answers: ["summit-demo"] },
  { ask: "staff turnover at the client's buyers", answers: ["maison-intro"] },
];
