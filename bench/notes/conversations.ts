/** Sixty documents of one small sales team, as they come out of calls and research: overlapping topics, people and objections. */
export type Conversation = {
  id: string;
  focus: string;
  type: "note" | "meeting_brief" | "transcript" | "meeting_notes" | "pre_meeting" | "research";
  title?: string;
  date: string;
  content: string;
};

/** Who the notes are about; names are recorded before the notes. */
export const people: { email: string; first_name: string; last_name: string; company: string; domain: string }[] = [
  {
    email: "anna.lindqvist@nordbank.se",
    first_name: "Anna",
    last_name: "Lindqvist",
    company: "Nordbank",
    domain: "nordbank.se",
  },
  { email: "erik.holm@nordbank.se", first_name: "Erik", last_name: "Holm", company: "Nordbank", domain: "nordbank.se" },
  {
    email: "priya.raman@cloudharbor.io",
    first_name: "Priya",
    last_name: "Raman",
    company: "Cloudharbor",
    domain: "cloudharbor.io",
  },
  {
    email: "marcus.bell@cloudharbor.io",
    first_name: "Marcus",
    last_name: "Bell",
    company: "Cloudharbor",
    domain: "cloudharbor.io",
  },
  {
    email: "sofia.marquez@verdelogistics.com",
    first_name: "Sofía",
    last_name: "Márquez",
    company: "Verde Logistics",
    domain: "verdelogistics.com",
  },
  {
    email: "tom.okafor@verdelogistics.com",
    first_name: "Tom",
    last_name: "Okafor",
    company: "Verde Logistics",
    domain: "verdelogistics.com",
  },
  {
    email: "julia.weiss@kranich-maschinenbau.de",
    first_name: "Julia",
    last_name: "Weiß",
    company: "Kranich Maschinenbau",
    domain: "kranich-maschinenbau.de",
  },
  {
    email: "dieter.koenig@kranich-maschinenbau.de",
    first_name: "Dieter",
    last_name: "König",
    company: "Kranich Maschinenbau",
    domain: "kranich-maschinenbau.de",
  },
  {
    email: "rachel.stein@brightpathhealth.org",
    first_name: "Rachel",
    last_name: "Stein",
    company: "Brightpath Health",
    domain: "brightpathhealth.org",
  },
  {
    email: "omar.haddad@brightpathhealth.org",
    first_name: "Omar",
    last_name: "Haddad",
    company: "Brightpath Health",
    domain: "brightpathhealth.org",
  },
  {
    email: "lena.park@pixelforge.gg",
    first_name: "Lena",
    last_name: "Park",
    company: "Pixelforge",
    domain: "pixelforge.gg",
  },
  {
    email: "hugo.laurent@maisonclair.fr",
    first_name: "Hugo",
    last_name: "Laurent",
    company: "Maison Clair",
    domain: "maisonclair.fr",
  },
  {
    email: "chloe.dubois@maisonclair.fr",
    first_name: "Chloé",
    last_name: "Dubois",
    company: "Maison Clair",
    domain: "maisonclair.fr",
  },
  {
    email: "ben.carter@summitledger.com",
    first_name: "Ben",
    last_name: "Carter",
    company: "Summit Ledger",
    domain: "summitledger.com",
  },
  {
    email: "yuki.tanaka@hikariretail.jp",
    first_name: "Yuki",
    last_name: "Tanaka",
    company: "Hikari Retail",
    domain: "hikariretail.jp",
  },
  {
    email: "grace.mwangi@savannapay.co.ke",
    first_name: "Grace",
    last_name: "Mwangi",
    company: "Savanna Pay",
    domain: "savannapay.co.ke",
  },
];

export const conversations: Conversation[] = [
  // Nordbank
  {
    id: "nordbank-discovery",
    focus: "anna.lindqvist@nordbank.se",
    type: "transcript",
    title: "Discovery call",
    date: "2026-03-04",
    content: `Rep: Thanks for making the time, Anna. What made you look around now?
Anna: Honestly, our relationship managers spend half of their Monday copying meeting summaries into Siebel. Nobody trusts what is in there.
Rep: How many of them are there?
Anna: About 240 in Sweden and another 90 in Finland. Finland would come later.
Rep: And what would a good outcome look like by the end of the year?
Anna: That an adviser can open a client and see what was promised, without calling a colleague. If we get back four hours a week each, nobody will ask about the licence.
Rep: Who else will look at this?
Anna: Erik Holm from security, he is strict but fair. And purchasing, but only at the very end.`,
  },
  {
    id: "nordbank-security",
    focus: "erik.holm@nordbank.se",
    type: "meeting_notes",
    title: "Security questions",
    date: "2026-03-18",
    content: `Erik went through his list. Customer data must stay within the EU, Frankfurt or Stockholm is fine, Ireland he would rather avoid.
He wants single sign-on through Azure AD with SCIM, no local passwords at all.
Penetration test report not older than twelve months; ours is from last October so that works.
He asked who at our company can read their data in production. I promised a written answer about break-glass access by Friday.
Bring-your-own-key is a nice to have, not a blocker.`,
  },
  {
    id: "nordbank-pricing",
    focus: "anna.lindqvist@nordbank.se",
    type: "meeting_notes",
    title: "Commercials",
    date: "2026-04-09",
    content: `Anna says the number we sent, 118,000 euros a year for 240 seats, is above what she can sign herself. Her own limit is 75k; beyond that it goes to the steering group, which meets on the first Tuesday of each month.
She suggested to begin with the 120 advisers in Gothenburg and Malmö and an option on the rest at the same unit price.
She doesn't care about a discount, she cares about not having to go through the committee twice.`,
  },
  {
    id: "nordbank-pilot",
    focus: "anna.lindqvist@nordbank.se",
    type: "note",
    title: "Pilot kick-off",
    date: "2026-05-12",
    content: `Pilot starts with 25 advisers in Malmö. Success is measured by two things: share of meetings with a usable summary (target 80 %) and whether advisers stop keeping their own Excel lists.
Training happens in two sessions of an hour each, in Swedish. Karin from the branch does them, we only provide the material.
Weekly check-in Thursdays at nine.`,
  },
  {
    id: "nordbank-pilot-result",
    focus: "anna.lindqvist@nordbank.se",
    type: "meeting_notes",
    title: "Pilot review",
    date: "2026-06-25",
    content: `Results after six weeks: 86 percent of the meetings had a summary that the adviser did not need to rewrite. Excel lists: 17 of 25 have dropped theirs.
Complaint number one: Swedish names get mangled. Complaint number two: the mobile app logs people out every day because of the session policy Erik insisted on.
Anna is happy and will present to the steering group on 7 July. She needs one slide about the time saved from us.`,
  },
  // Cloudharbor
  {
    id: "cloudharbor-intro",
    focus: "priya.raman@cloudharbor.io",
    type: "transcript",
    title: "First call with Priya",
    date: "2026-02-11",
    content: `Priya: We run everything through HubSpot and it is a mess, I inherited it in November.
Rep: What is the mess?
Priya: Three thousand duplicates, stages that mean different things in New York and in Austin, and SDRs who log calls as emails because the button is closer.
Rep: How big is the team?
Priya: 14 account executives, 22 SDRs, one RevOps person, which is me.
Rep: Have you looked at other tools?
Priya: Gong for the recordings, we have that, the contract ends in August. I looked at Clari, too expensive for what we would use. And somebody in marketing bought a thing called Common Room that nobody opens.`,
  },
  {
    id: "cloudharbor-technical",
    focus: "marcus.bell@cloudharbor.io",
    type: "transcript",
    title: "Technical deep dive",
    date: "2026-02-26",
    content: `Marcus: I am the one who has to run it, so let me ask boring things. Do you rate limit the API?
Rep: Six thousand requests a minute per key by default.
Marcus: Fine. Webhooks, are they signed, are they retried?
Rep: Signed, retried for about three days, then parked where you can replay them.
Marcus: Good. What happens to the data when we leave?
Rep: You get a full export, and we erase within thirty days.
Marcus: Can we self-host? Our government customers will ask.
Rep: Yes, one container and a Postgres.
Marcus: Then I have no objections. I'd want it in our own AWS account in us-east-1.`,
  },
  {
    id: "cloudharbor-objection",
    focus: "priya.raman@cloudharbor.io",
    type: "meeting_notes",
    title: "Stalled",
    date: "2026-03-30",
    content: `Priya wrote that their CFO froze all new software until the board meeting on 14 April. Not about us: they missed the first quarter by 12 percent.
She believes in it still but asked us not to push. She would rather have a smaller thing that comes out of her existing operations budget, about 1,500 dollars a month, than ask for new money.
Idea: start with cleaning the duplicates only, no agents.`,
  },
  {
    id: "cloudharbor-revived",
    focus: "priya.raman@cloudharbor.io",
    type: "note",
    title: "Back on",
    date: "2026-05-06",
    content: `Call out of the blue: freeze is lifted, and Gong wants a 30 % uplift at renewal. Priya now has a budget line of 60k that she can move if she decides before the end of June.
She wants to know whether we can replace the recorder as well. Told her honestly that we do not record, we take in what Fathom or Zoom produce. She was fine with that, Fathom is cheap.`,
  },
  {
    id: "cloudharbor-champion",
    focus: "marcus.bell@cloudharbor.io",
    type: "research",
    title: "Marcus changes roles",
    date: "2026-06-15",
    content: `LinkedIn: Marcus Bell was promoted to VP Infrastructure. His successor as head of platform is Dana Whitfield, who comes from Datadog. She posted twice about vendor sprawl and about wanting fewer tools. We need to win her over before the contract goes out.`,
  },
  // Verde Logistics
  {
    id: "verde-intro",
    focus: "sofia.marquez@verdelogistics.com",
    type: "transcript",
    title: "Llamada / intro",
    date: "2026-01-20",
    content: `Sofía: We are a freight forwarder, so our sales people live on WhatsApp. If your thing cannot see WhatsApp it sees nothing.
Rep: Today we take e-mail, calendar, calls and anything by API. WhatsApp Business goes through a partner.
Sofía: Personal WhatsApp, not Business. The drivers, the ports, everybody.
Rep: Then honestly we see only what people forward.
Sofía: Okay. I appreciate the honesty. Let me think whether forwarding is something they would do. In Valencia yes, in Rotterdam never.`,
  },
  {
    id: "verde-requirements",
    focus: "tom.okafor@verdelogistics.com",
    type: "meeting_notes",
    title: "Tom's wish list",
    date: "2026-02-03",
    content: `Tom runs the Rotterdam desk. He wants quotes and shipments next to the conversation: every e-mail thread has a quote number like Q-20418 in the subject and he wants to jump from one to the other.
Their transport system is CargoWise; there is an API but it costs extra per call. Nightly CSV drop over SFTP is what every other vendor does.
Works from his phone 90 percent of the time.`,
  },
  {
    id: "verde-price",
    focus: "sofia.marquez@verdelogistics.com",
    type: "meeting_notes",
    title: "Negotiation",
    date: "2026-04-22",
    content: `Sofía thinks per-seat pricing is unfair for them because half of the 60 people are operations and would only read. Asked for free readers.
I offered: 30 full seats, unlimited viewers, 28,800 a year, annual prepay. She countered with quarterly payment since cash is tight after the port strike.
We agreed on quarterly in exchange for a two-year term. Legal gets the draft tomorrow.`,
  },
  {
    id: "verde-legal",
    focus: "sofia.marquez@verdelogistics.com",
    type: "note",
    title: "Redlines",
    date: "2026-05-19",
    content: `Their lawyer came back with three changes: liability cap at twelve months of fees instead of six, Spanish jurisdiction instead of Ireland, and deletion of the publicity clause (no logo on our site).
We can accept the first and the third. Jurisdiction: our counsel proposes arbitration in The Hague as the middle ground.`,
  },
  {
    id: "verde-golive",
    focus: "tom.okafor@verdelogistics.com",
    type: "meeting_notes",
    title: "Go-live hiccups",
    date: "2026-07-02",
    content: `Two problems in the first week. The nightly import from CargoWise failed on Sunday because a customer name had a semicolon in it, so the numbers on Monday were two days old. And the Rotterdam desk cannot log in with their shared mailbox account, which our terms do not allow anyway.
Tom was annoyed but constructive. Fix for the import shipped on Wednesday; he asked for an alert next time instead of finding out himself.`,
  },
  // Kranich
  {
    id: "kranich-fair",
    focus: "julia.weiss@kranich-maschinenbau.de",
    type: "note",
    title: "Hannover Messe",
    date: "2026-04-21",
    content: `Met Julia at our stand at Hannover Messe. She leads service sales (spare parts, retrofits) at Kranich, 400 people, family owned, third generation.
Their installed base is documented in paper folders by machine number. Field technicians know which customer will need a new spindle, but nobody writes it down.
She gave me two business cards and asked to be called after Pfingsten, not before.`,
  },
  {
    id: "kranich-call",
    focus: "julia.weiss@kranich-maschinenbau.de",
    type: "transcript",
    title: "Call after the fair",
    date: "2026-05-28",
    content: `Julia: The technicians do not type. If they have to type, it is dead.
Rep: They could dictate on the way back, the summary lands on the customer.
Julia: In German? With dialect? Herr Huber is from the Allgäu.
Rep: We can try with his real recordings.
Julia: Good. The other thing is the works council. Anything that could measure performance of a single employee needs an agreement, and that takes three months at best.
Rep: We can switch off everything per person.
Julia: Then put exactly that in writing for the Betriebsrat.`,
  },
  {
    id: "kranich-it",
    focus: "dieter.koenig@kranich-maschinenbau.de",
    type: "meeting_notes",
    title: "IT Leitung",
    date: "2026-06-11",
    content: `Dieter König, head of IT, very sceptical of anything in the cloud. SAP on premise, Exchange on premise, tape backups.
Demands: installation in their own data centre, no telemetry, updates only when he triggers them, source code escrow.
He has one admin who knows Linux. Everything else is Windows Server. Docker is "a hobby".
Got friendlier when I said the database is plain Postgres and that he may look inside.`,
  },
  {
    id: "kranich-offer",
    focus: "julia.weiss@kranich-maschinenbau.de",
    type: "note",
    title: "Angebot",
    date: "2026-07-09",
    content: `Sent the offer: on-premise licence, 35 technicians and 12 inside sales, 42,500 euros in the first year including installation, 31,000 from the second year. Valid until 30 September. Julia presents it to the managing director, Frau Kranich, who decides alone and quickly, but only after the summer holidays.`,
  },
  // Brightpath Health
  {
    id: "brightpath-first",
    focus: "rachel.stein@brightpathhealth.org",
    type: "transcript",
    title: "Intro Brightpath",
    date: "2026-03-10",
    content: `Rachel: We are a non-profit with 31 clinics, and our fundraising team talks to maybe two hundred major donors. That is the use case, not patients.
Rep: So no health information in the system?
Rachel: There must not be, but people are people. A donor tells you about their surgery and somebody writes it down.
Rep: We can flag that when it is saved.
Rachel: That would help me sleep. Our compliance officer, Omar, will want a business associate agreement anyway.
Rep: What do you use today?
Rachel: Raiser's Edge, from the stone age. And sticky notes.`,
  },
  {
    id: "brightpath-compliance",
    focus: "omar.haddad@brightpathhealth.org",
    type: "meeting_notes",
    title: "HIPAA talk",
    date: "2026-03-24",
    content: `Omar needs: signed BAA, audit log of who opened which record kept for six years, automatic sign-off after 15 minutes, encryption at rest.
We have all but the read log. Today we log writes only. He said without it he cannot approve, not even for donors, because the board had an incident in 2023.
Product says the read log is planned for the third quarter.`,
  },
  {
    id: "brightpath-budget",
    focus: "rachel.stein@brightpathhealth.org",
    type: "meeting_notes",
    title: "Grant money",
    date: "2026-04-14",
    content: `Funding comes out of a capacity grant from the Whitcomb Foundation: 50,000 dollars, must be spent by 31 December or it goes back.
Rachel would like multi-year prepayment so that the grant covers three years. Non-profit discount expected, she mentioned that Salesforce gives ten licences for free.
Decision has to pass the finance committee on 20 May.`,
  },
  {
    id: "brightpath-lost",
    focus: "rachel.stein@brightpathhealth.org",
    type: "note",
    title: "On hold",
    date: "2026-05-21",
    content: `Finance committee postponed. The reason is Omar's missing read log; they like the rest. Rachel says come back when it is shipped, she will keep the slot in the grant until October.
Competitor in the room: Bloomerang, cheaper and made for fundraising, but weak at capturing conversations.`,
  },
  {
    id: "brightpath-return",
    focus: "rachel.stein@brightpathhealth.org",
    type: "meeting_notes",
    title: "Read log demo",
    date: "2026-09-03",
    content: `Showed the access log to Rachel and Omar: who opened a donor, when, from where, export to CSV. Omar tried to trick it through the API and found his own request in the list, which made him laugh.
He approves. Next finance committee is 16 September. Rachel expects a yes and wants onboarding done before the gala on 7 November.`,
  },
  // Pixelforge
  {
    id: "pixelforge-intro",
    focus: "lena.park@pixelforge.gg",
    type: "transcript",
    title: "Studio call",
    date: "2026-02-17",
    content: `Lena: We sell an engine plugin to other studios, so our customers are developers. They hate salespeople. They live on Discord and GitHub.
Rep: Who does the selling then?
Lena: Me and two developer advocates. We forget who asked for what. Last week I offered somebody a beta key that they already had for a year.
Rep: So the memory is the product for you.
Lena: Exactly. Pull in Discord threads and GitHub issues and I buy today with my credit card.
Rep: GitHub works over webhooks. Discord you would push with a small bot.
Lena: My intern can write a bot.`,
  },
  {
    id: "pixelforge-trial",
    focus: "lena.park@pixelforge.gg",
    type: "note",
    title: "Trial week",
    date: "2026-03-02",
    content: `Lena's bot pushes about 900 messages a day. She hit the free plan limit on day three and upgraded to Growth with her card, 99 dollars.
Feature request: mute noisy channels (#memes). Bug: emoji reactions arrive as empty notes.
She tweeted a screenshot, 140 likes, three sign-ups came from it.`,
  },
  {
    id: "pixelforge-churnrisk",
    focus: "lena.park@pixelforge.gg",
    type: "meeting_notes",
    title: "Is it worth it",
    date: "2026-08-19",
    content: `Usage dropped since June: the intern left and the bot has been down for three weeks without anybody noticing. Lena asked whether she should cancel.
I offered to host the bot for her until October. Main value she still sees: before a conference she reads up on everyone she is going to meet. Gamescom is next week, so let us get it back up by Friday.`,
  },
  // Maison Clair
  {
    id: "maison-intro",
    focus: "hugo.laurent@maisonclair.fr",
    type: "meeting_notes",
    title: "Rendez-vous Paris",
    date: "2026-01-28",
    content: `Luxury skincare, wholesale to department stores. Hugo manages twelve key accounts: Galeries Lafayette, Selfridges, KaDeWe and so on. Every buyer changes every eighteen months and all the history leaves with them.
He wants a one-page brief before each seasonal negotiation: what was promised on margins, who argued about returns, which tester stands were paid by whom.
He does this in a Moleskine today. Charming, but he retires in two years.`,
  },
  {
    id: "maison-chloe",
    focus: "chloe.dubois@maisonclair.fr",
    type: "transcript",
    title: "Chloé on data protection",
    date: "2026-02-19",
    content: `Chloé: I am the DPO, so forgive me, I only ask unpleasant questions. Legal basis for keeping notes about buyers?
Rep: Legitimate interest, most customers do a balancing test, we have a template.
Chloé: Good, send it. Retention?
Rep: As you decide. Erasure of a person removes them everywhere, including search and exports.
Chloé: Sub-processors?
Rep: If you host it yourself, none. Language models are optional and off by default.
Chloé: Keep them off. The brand is terrified of leaks before a launch.`,
  },
  {
    id: "maison-renewal",
    focus: "hugo.laurent@maisonclair.fr",
    type: "note",
    title: "Saison printemps",
    date: "2026-06-30",
    content: `Used the brief for the first time in the Selfridges meeting. Hugo could quote the returns clause of 2024 from memory, as it seemed, and saved what he estimates as 80,000 pounds.
He wants the other two key account managers, in Dubai and New York, on board from September. Needs French and English in parallel because Dubai works in English.`,
  },
  // Summit Ledger
  {
    id: "summit-first",
    focus: "ben.carter@summitledger.com",
    type: "transcript",
    title: "Ben - accounting firm",
    date: "2026-04-02",
    content: `Ben: We're a 90 person accounting firm in Denver. Partners own the relationships, and when one retires we lose about a fifth of their clients.
Rep: That's expensive.
Ben: Two million in revenue over five years, I did the math. So I don't need fancy. I need the juniors to know that Mrs. Alvarez hates being called before ten.
Rep: Where does that knowledge live today?
Ben: In Karen's head. Karen is sixty-four.
Rep: What would keep partners from using it?
Ben: Pride. And typing. If it listens to the calls and does the rest, they will tolerate it.`,
  },
  {
    id: "summit-demo",
    focus: "ben.carter@summitledger.com",
    type: "meeting_notes",
    title: "Demo for partners",
    date: "2026-04-30",
    content: `Eleven partners on the call, four with cameras on. Loudest voice: Patricia Nolan, tax, who asked three times whether clients need to consent to recording. Colorado is one-party consent, but half of their clients are in California, where everybody must agree.
Answer we gave: work from dictated notes instead of recordings for California clients.
Ben thinks we lost two partners and won five.`,
  },
  {
    id: "summit-procurement",
    focus: "ben.carter@summitledger.com",
    type: "note",
    title: "Paperwork",
    date: "2026-06-04",
    content: `Ben wants month-to-month for the first half year, then annual. 19 seats. He pays by ACH, not by card. Invoice must say "Professional development" or it ends up in the wrong cost center.
SOC 2 Type II report requested by their cyber insurance, needed before the first client record goes in.`,
  },
  {
    id: "summit-week",
    focus: "ben.carter@summitledger.com",
    type: "meeting_notes",
    title: "Busy season retro",
    date: "2026-10-20",
    content: `After the extension deadline of 15 October Ben collected feedback. Juniors love it, asked for it on iPads. Three partners dictate daily. Patricia uses it more than anyone now and wants to be a reference.
Missing: linking family members, since they serve households, not persons. Also two clients with the same name were mixed up once, which was embarrassing.`,
  },
  // Hikari Retail
  {
    id: "hikari-intro",
    focus: "yuki.tanaka@hikariretail.jp",
    type: "meeting_notes",
    title: "Hikari first meeting",
    date: "2026-05-14",
    content: `Tanaka-san runs vendor relations for 210 convenience stores. Very polite, very precise. Everything has to be in Japanese, also the help pages, or store managers will not touch it.
Decision by ringi: a paper circulates through seven departments, each stamps it. Six to nine months is normal. She asked for a reference customer in Japan; we have none.
Interpreter: Ms. Sato, please always invite her.`,
  },
  {
    id: "hikari-followup",
    focus: "yuki.tanaka@hikariretail.jp",
    type: "note",
    title: "Translation question",
    date: "2026-07-23",
    content: `E-mail from Tanaka-san: the translated screens are good, but the honorifics in the automatic summaries are wrong, casual form for suppliers is rude. She attached eleven examples.
If this is solved she can start the ringi in September. She also asks whether the data can be in Tokyo or Osaka.`,
  },
  // Savanna Pay
  {
    id: "savanna-intro",
    focus: "grace.mwangi@savannapay.co.ke",
    type: "transcript",
    title: "Grace, merchants",
    date: "2026-06-09",
    content: `Grace: We onboard merchants for mobile money. Four hundred field agents, feature phones mostly, patchy network.
Rep: So an app is out.
Grace: SMS or USSD. They send a line, like: shop 4471 owner wants card reader, come Tuesday.
Rep: You could post those to our capture endpoint.
Grace: That's what I thought. What does it cost per message? My margins are thin, I cannot pay per seat for 400 people.
Rep: Per seat only for those who sign in. Capture is free.
Grace: Then it's ten seats. That I can do.`,
  },
  {
    id: "savanna-integration",
    focus: "grace.mwangi@savannapay.co.ke",
    type: "meeting_notes",
    title: "Integration workshop",
    date: "2026-07-15",
    content: `Worked two hours with Grace's developer Kamau. SMS gateway is Africa's Talking, it calls a small Node service which posts to us. External id is the message id, so retries are safe.
Peak is 30,000 messages on market days. Shops are identified by till number, not by phone, because the phones are shared. We map the till number to an external id.
Open: Swahili and Sheng mixed with English in one sentence.`,
  },
  {
    id: "savanna-expansion",
    focus: "grace.mwangi@savannapay.co.ke",
    type: "note",
    title: "Uganda next",
    date: "2026-10-08",
    content: `Savanna Pay got its licence in Uganda. Grace plans 150 agents in Kampala from January and asked for a second workspace so that the country teams do not see each other's merchants.
She also wants to show her investors, Helios, how many merchants each agent reactivated. That is a report we do not have.`,
  },
  // Internal briefs and research on the same accounts
  {
    id: "nordbank-brief",
    focus: "nordbank.se",
    type: "meeting_brief",
    title: "Brief for the steering group",
    date: "2026-07-06",
    content: `Nordbank steering group, 7 July, 10:00 in Stockholm. Chair: Helena Ask, COO, came from Klarna, numbers person. Expect: why not wait for the new CRM in 2027?
Our line: the pilot paid back in nine weeks; what is captured now moves with them to any CRM.
Do not mention Finland unless asked, the Finnish union has an open complaint about monitoring.`,
  },
  {
    id: "cloudharbor-news",
    focus: "cloudharbor.io",
    type: "research",
    title: "Funding",
    date: "2026-05-02",
    content: `Cloudharbor raised a 45 million Series C led by Bessemer. Plans to double the sales team and to open in London. New chief revenue officer: Walt Jensen, formerly at Snowflake, known for strict MEDDIC and for throwing out tools in his first ninety days.`,
  },
  {
    id: "verde-news",
    focus: "verdelogistics.com",
    type: "research",
    title: "Port strike",
    date: "2026-03-27",
    content: `Strike at the ports of Valencia and Algeciras for two weeks, Verde Logistics rerouted through Marseille. Press says the direct cost is 1.4 million. Expect payment delays and nervous management; do not ask for a bigger deal before May.`,
  },
  {
    id: "kranich-company",
    focus: "kranich-maschinenbau.de",
    type: "research",
    title: "Firmenprofil",
    date: "2026-04-16",
    content: `Kranich Maschinenbau builds grinding machines for turbine blades. Revenue about 70 million, a third from service. Main rivals: Junker and Studer. Managing director Katharina Kranich took over from her father in 2021. ISO 27001 certified since last year, which is unusual for the size.`,
  },
  {
    id: "maison-company",
    focus: "maisonclair.fr",
    type: "pre_meeting",
    title: "Before Paris",
    date: "2026-01-26",
    content: `Maison Clair, founded 1974 in Grasse. Owned by the Laurent family, 38 percent sold to a Korean fund in 2022. Hugo is the founder's nephew. Do not bring perfume talk, bring numbers: he was an auditor before. Lunch at his place, he does not drink.`,
  },
  {
    id: "brightpath-gala",
    focus: "brightpathhealth.org",
    type: "pre_meeting",
    title: "Gala preparation",
    date: "2026-10-27",
    content: `Gala on 7 November at the Drake, 320 guests. Rachel wants a card per table host: last three contacts, what the guest cares about, who must not sit beside whom. She asked us to have somebody on site for the evening. Dress code black tie.`,
  },
  {
    id: "hikari-ringi",
    focus: "yuki.tanaka@hikariretail.jp",
    type: "meeting_notes",
    title: "Ringi status",
    date: "2026-10-15",
    content: `The paper has four of seven stamps. Missing: information security, legal and the president's office. Information security asks for a diagram of the network and for the name of the responsible person with a phone number in Japan time.
Summaries in polite form are accepted now. Expected end of circulation: middle of December.`,
  },
  {
    id: "pixelforge-gamescom",
    focus: "lena.park@pixelforge.gg",
    type: "note",
    title: "After Gamescom",
    date: "2026-09-01",
    content: `Lena back from Cologne: met 41 studios, had the story of each on her phone, and nobody got a beta key twice. She keeps the plan and moves to annual billing for the two months free.
She would pay extra for a badge scanner import.`,
  },
  {
    id: "summit-insurance",
    focus: "summitledger.com",
    type: "note",
    title: "Cyber insurance",
    date: "2026-06-12",
    content: `Their insurer is Coalition. Questionnaire of 64 questions, the hard ones: multi-factor for all admins (yes), immutable backups (yes, 35 days), time to restore (we said four hours), incident notice within 24 hours (lawyers say 72). Sent on Thursday, accepted with the 72 hours.`,
  },
  {
    id: "savanna-payment",
    focus: "grace.mwangi@savannapay.co.ke",
    type: "note",
    title: "Invoice in shillings",
    date: "2026-08-04",
    content: `Grace's finance department cannot pay in dollars since the central bank rule. We invoice through our partner in Nairobi in Kenyan shillings, monthly, with 16 percent VAT on top. Exchange rate fixed for the quarter at 129.`,
  },
  {
    id: "nordbank-rollout",
    focus: "anna.lindqvist@nordbank.se",
    type: "meeting_notes",
    title: "Roll-out plan",
    date: "2026-08-27",
    content: `Signed on 21 August. 240 seats from 1 October in four waves: Malmö, Gothenburg, Stockholm, the rest. Each wave has a branch coach like Karin.
Migration of the old Siebel comments: only the last two years, everything older stays archived.
Anna goes on parental leave in January, her deputy is Mikael Sand.`,
  },
  {
    id: "cloudharbor-redline",
    focus: "priya.raman@cloudharbor.io",
    type: "meeting_notes",
    title: "Contract with Priya",
    date: "2026-06-22",
    content: `Dana, the new head of platform, insists on a 99.95 % uptime commitment with credits; ours is 99.9. Walt, the CRO, wants to be able to leave after ninety days without penalty.
Priya asks us to find a middle, she would sign this week. Proposal: 99.9 with credits from the first minute, opt-out after six months.`,
  },
  {
    id: "cloudharbor-signed",
    focus: "priya.raman@cloudharbor.io",
    type: "note",
    title: "Signed",
    date: "2026-06-29",
    content: `Priya signed at 57,600 dollars for twelve months, 36 seats, opt-out after six. Self-hosted in their own account. Kick-off on 13 July with the SDR leads Jess and Ruben. First job: merge the duplicates before anything else is switched on.`,
  },
  {
    id: "kranich-dialect",
    focus: "julia.weiss@kranich-maschinenbau.de",
    type: "meeting_notes",
    title: "Test mit Herrn Huber",
    date: "2026-08-20",
    content: `Ran eleven voice memos of Herr Huber through transcription. Nine were fine, two unusable because he recorded beside a running machine. Machine numbers were right in all nine.
Julia is impressed, mostly that "Spindellager" was spelled correctly. Works council got our letter, first reading on 10 September.`,
  },
  {
    id: "verde-expansion",
    focus: "sofia.marquez@verdelogistics.com",
    type: "note",
    title: "Lisbon office",
    date: "2026-09-17",
    content: `Verde opens an office in Lisbon with eight sales people. Sofía wants them to start with forwarding WhatsApp chats from day one, as a rule, because in Valencia it became a habit and she now sees twice as many conversations.
Eight more seats, same terms. Tom's alert for failed imports was praised.`,
  },
  {
    id: "brightpath-signed",
    focus: "rachel.stein@brightpathhealth.org",
    type: "note",
    title: "Committee said yes",
    date: "2026-09-17",
    content: `Finance committee approved unanimously. Three years paid in advance out of the Whitcomb grant, 44,100 dollars including the non-profit price. Countersigned BAA attached. Training for the 14 development officers in the week of 12 October.`,
  },
  {
    id: "maison-dubai",
    focus: "chloe.dubois@maisonclair.fr",
    type: "meeting_notes",
    title: "Transfers outside the EU",
    date: "2026-09-10",
    content: `With colleagues in Dubai and New York reading the records, Chloé needs standard contractual clauses between the group's companies and a transfer impact assessment for the Emirates. She prefers that Dubai only sees accounts of the Gulf. Access rules by team are on our roadmap, not there yet; until then two workspaces.`,
  },
  {
    id: "hikari-tokyo",
    focus: "hikariretail.jp",
    type: "research",
    title: "Region for data",
    date: "2026-08-06",
    content: `Checked hosting in Japan: our partner offers Tokyo (ap-northeast-1) at the same price, backups in Osaka. Response time from the stores would go from 260 to 20 milliseconds. Would satisfy the information security department.`,
  },
  {
    id: "summit-referral",
    focus: "ben.carter@summitledger.com",
    type: "note",
    title: "Referral",
    date: "2026-11-05",
    content: `Ben introduced us to his golf partner Steve Maddox, managing partner at Aspen Tax Group, 140 people. Steve's pain is the same: retirements. Ben asks for nothing, but a month free would be a nice gesture.`,
  },
  {
    id: "pixelforge-discord",
    focus: "lena.park@pixelforge.gg",
    type: "note",
    title: "Bot details",
    date: "2026-02-24",
    content: `The intern's bot is written in Rust, runs on a Raspberry Pi under Lena's desk. It maps Discord handles to people by the GitHub account in their profile. About a third have none; those become unknown contacts until somebody merges them.`,
  },
  {
    id: "savanna-churn",
    focus: "grace.mwangi@savannapay.co.ke",
    type: "meeting_notes",
    title: "Dormant shops",
    date: "2026-09-22",
    content: `Grace's team looked at 2,300 shops without a transaction in sixty days. Agents who read the earlier messages before visiting won back one in four; those who did not, one in eleven. She will make reading a rule and pay a bonus of 200 shillings per shop that comes back.`,
  },
  {
    id: "nordbank-names",
    focus: "erik.holm@nordbank.se",
    type: "note",
    title: "Sessions and names",
    date: "2026-07-14",
    content: `Erik agreed to sessions of seven days on managed phones, so the daily logout goes away with the next release. Swedish names: we added the customer list as vocabulary, errors fell from 9 to 2 percent.`,
  },
];
