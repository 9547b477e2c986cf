/** How the made-up company of the sample sells, by section of the GTM profile. */
export const sampleProfile: readonly { category: string; content: string }[] = [
  {
    category: "ICP",
    content:
      "Fintech, insurance and logistics companies in Europe with 50 to 500 employees. We sell to Heads of Sales, VPs of Marketing and RevOps managers.\n\nNot agencies, and not companies under 20 people: they have no process to improve yet.",
  },
  {
    category: "Market",
    content:
      "European mid-market companies that sell to other companies. About 18,000 of them have more than ten sellers. Budgets are set in the first quarter.",
  },
  {
    category: "Product",
    content:
      "**Northwind Analytics** shows sales teams which deals will close and why.\n\n- Forecast by deal, team and region\n- Warnings when a deal goes quiet\n- Works with HubSpot and Attio",
  },
  {
    category: "Pricing",
    content:
      "49 € a seat and month, billed yearly. Unused seats can be given back each quarter. A pilot of four weeks with one team is free.",
  },
  {
    category: "Competitors",
    content:
      "Most compare us with a spreadsheet. Clari is stronger for large companies and costs three times as much. Against both we win on time to value: two days instead of two months.",
  },
  {
    category: "Positioning",
    content:
      "For sales leaders who no longer trust their forecast: the answer in two days, without changing their CRM.",
  },
  {
    category: "GTM Motion",
    content:
      "Outbound to Heads of Sales, a discovery call, a free pilot with one team, then a yearly contract. A deal takes 60 to 90 days.",
  },
];
