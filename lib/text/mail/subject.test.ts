import { expect, test } from "vitest";
import { baseSubjectOf } from "./subject.ts";

test.each([
  [null, ""],
  ["  ", ""],
  ["Offer", "Offer"],
  ["Re: Offer", "Offer"],
  ["RE: FW: Re[2]: Offer", "Offer"],
  ["Re(3): Offer", "Offer"],
  ["Fwd: AW: WG: Angebot", "Angebot"],
  ["Antwort: Angebot", "Angebot"],
  ["TR : RÉF : Devis", "Devis"],
  ["RV: Presupuesto", "Presupuesto"],
  ["RES: ENC: Proposta", "Proposta"],
  ["R: I: Offerta", "Offerta"],
  ["Antw: Doorst: Offerte", "Offerte"],
  ["SV: VB: Offert", "Offert"],
  ["VS: Tarjous", "Tarjous"],
  ["Odp: PD: Oferta", "Oferta"],
  ["YNT: İLT: Teklif", "Teklif"],
  ["Ответ: HA", "HA"],
  ["Re：回复：转发：报价", "报价"],
  ["返信: 転送: 見積", "見積"],
  ["[EXTERNAL] Re: [list] Offer", "Offer"],
  ["[EXTERNAL]", "[EXTERNAL]"],
  ["Offer (fwd)", "Offer"],
  ["Re:", ""],
  ["Regarding: Offer", "Regarding: Offer"],
  ["Re-design: first draft", "Re-design: first draft"],
  ["Invoice: 4711", "Invoice: 4711"],
  ["Re: Offer\r\n  and more", "Offer and more"],
])("the subject of the thread of %j is %j", (subject, base) => {
  expect(baseSubjectOf(subject)).toBe(base);
});
