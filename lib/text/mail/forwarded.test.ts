import { describe, expect, test } from "vitest";
import { type Forwarded, parseForwarded } from "./forwarded.ts";
import { readDate } from "./written-date.ts";

const anna = { address: "anna@acme.example", name: "Anna Smith" };
const sam = { address: "sam@rapport.example", name: "Sam Lee" };
const at = (time: string) => new Date(`2026-06-01T${time}Z`);
type Head = Omit<Forwarded, "text">;
const offer = (time: string): Head => ({ from: anna, date: at(time), subject: "Re: Offer", to: [sam] });

describe("parseForwarded", () => {
  test.each<[string, string, Head]>([
    [
      "Gmail, English",
      "FYI\n\n---------- Forwarded message ---------\nFrom: Anna Smith <anna@acme.example>\nDate: Mon, Jun 1, 2026 at 10:02 AM\nSubject: Re: Offer\nTo: Sam Lee <sam@rapport.example>\n\n\nHello",
      offer("10:02:00"),
    ],
    [
      "Outlook, English",
      "-----Original Message-----\nFrom: Anna Smith <anna@acme.example> \nSent: Monday, June 1, 2026 2:02 PM\nTo: Sam Lee <sam@rapport.example>\nCc: Tom <tom@acme.example>\nSubject: Re: Offer\n\nHello",
      offer("14:02:00"),
    ],
    [
      "Apple Mail, English, quoted",
      "Begin forwarded message:\n\n> From: Anna Smith <anna@acme.example>\n> Subject: Re: Offer\n> Date: 1 June 2026 at 10:02:31 CEST\n> To: Sam Lee <sam@rapport.example>\n> \n> Hello",
      offer("08:02:31"),
    ],
    [
      "Thunderbird, English",
      "-------- Forwarded Message --------\nSubject: \tRe: Offer\nDate: \tMon, 1 Jun 2026 10:02:31 +0200\nFrom: \tAnna Smith <anna@acme.example>\nTo: \tSam Lee <sam@rapport.example>\n\nHello",
      { ...offer("08:02:31") },
    ],
    [
      "Outlook, German",
      "Von: Anna Smith <anna@acme.example>\nGesendet: Montag, 1. Juni 2026 10:02\nAn: Sam Lee <sam@rapport.example>\nBetreff: Re: Offer\n\nHallo",
      offer("10:02:00"),
    ],
    [
      "Gmail, German",
      "---------- Forwarded message ---------\nVon: Anna Smith <anna@acme.example>\nDate: Mo., 1. Juni 2026 um 10:02 Uhr\nSubject: Re: Offer\nTo: Sam Lee <sam@rapport.example>",
      offer("10:02:00"),
    ],
    [
      "Outlook, French",
      "De : Anna Smith <anna@acme.example>\nEnvoyé : lundi 1 juin 2026 10:02\nÀ : Sam Lee <sam@rapport.example>\nObjet : Re: Offer\n\nBonjour",
      offer("10:02:00"),
    ],
    [
      "Outlook, Spanish",
      "De: Anna Smith <anna@acme.example>\nEnviado: lunes, 1 de junio de 2026 10:02\nPara: Sam Lee <sam@rapport.example>\nAsunto: Re: Offer",
      offer("10:02:00"),
    ],
    [
      "Gmail, Portuguese",
      "---------- Forwarded message ---------\nDe: Anna Smith <anna@acme.example>\nDate: seg., 1 de jun. de 2026 às 10:02\nSubject: Re: Offer\nTo: Sam Lee <sam@rapport.example>",
      offer("10:02:00"),
    ],
    [
      "Outlook, Italian",
      "Da: Anna Smith <anna@acme.example>\nInviato: lunedì 1 giugno 2026 10:02\nA: Sam Lee <sam@rapport.example>\nOggetto: Re: Offer",
      offer("10:02:00"),
    ],
    [
      "Outlook, Dutch",
      "Van: Anna Smith <anna@acme.example>\nVerzonden: maandag 1 juni 2026 10:02\nAan: Sam Lee <sam@rapport.example>\nOnderwerp: Re: Offer",
      offer("10:02:00"),
    ],
    [
      "Outlook, Swedish",
      "Från: Anna Smith <anna@acme.example>\nSkickat: den 1 juni 2026 10:02\nTill: Sam Lee <sam@rapport.example>\nÄmne: Re: Offer",
      offer("10:02:00"),
    ],
    [
      "Outlook, Danish",
      "Fra: Anna Smith <anna@acme.example>\nSendt: 1. juni 2026 10:02\nTil: Sam Lee <sam@rapport.example>\nEmne: Re: Offer",
      offer("10:02:00"),
    ],
    [
      "Outlook, Polish",
      "Od: Anna Smith <anna@acme.example>\nWysłano: poniedziałek, 1 czerwca 2026 10:02\nDo: Sam Lee <sam@rapport.example>\nTemat: Re: Offer",
      offer("10:02:00"),
    ],
    [
      "Outlook, Russian",
      "От: Anna Smith <anna@acme.example>\nОтправлено: 1 июня 2026 г. 10:02\nКому: Sam Lee <sam@rapport.example>\nТема: Re: Offer",
      offer("10:02:00"),
    ],
    [
      "Outlook, Turkish",
      "Kimden: Anna Smith <anna@acme.example>\nGönderildi: 1 Haziran 2026 Pazartesi 10:02\nKime: Sam Lee <sam@rapport.example>\nKonu: Re: Offer",
      offer("10:02:00"),
    ],
    [
      "Outlook, Japanese",
      "差出人: Anna Smith <anna@acme.example>\n送信日時: 2026年6月1日 10:02\n宛先: Sam Lee <sam@rapport.example>\n件名: Re: Offer",
      offer("10:02:00"),
    ],
    [
      "Outlook, Chinese",
      "发件人: Anna Smith <anna@acme.example>\n发送时间: 2026年6月1日 星期一 下午2:02\n收件人: Sam Lee <sam@rapport.example>\n主题: Re: Offer",
      offer("14:02:00"),
    ],
    [
      "bold names, an address in brackets, recipients in several lines",
      "*From:* Anna Smith [mailto:anna@acme.example]\n*Sent:* Monday, June 1, 2026 10:02 AM\n*To:* Sam Lee <sam@rapport.example>;\n 'Tom Berg' <tom@acme.example>\n*Subject:* Re: Offer",
      { ...offer("10:02:00"), to: [sam, { address: "tom@acme.example", name: "Tom Berg" }] },
    ],
    [
      "only the name of the sender",
      "From: Smith, Anna\nSent: Monday, June 1, 2026 10:02 AM\nTo: sam@rapport.example\nSubject: Re: Offer",
      { ...offer("10:02:00"), from: null, to: [{ address: "sam@rapport.example", name: null }] },
    ],
    [
      "the outermost of several",
      "From: Anna Smith <anna@acme.example>\nSent: June 1, 2026 10:02\nTo: Sam Lee <sam@rapport.example>\nSubject: Re: Offer\n\nHi\n\nFrom: Sam Lee <sam@rapport.example>\nSent: May 1, 2026 10:02\nTo: Anna\nSubject: Offer",
      offer("10:02:00"),
    ],
  ])("reads the headers of %s", (_what, text, found) => {
    const { text: _, ...head } = parseForwarded(text) ?? {};
    expect(head).toEqual(found);
  });

  test("what it says stands below its headers, without the marks of a quote", () => {
    const head =
      "From: Anna <anna@acme.example>\nDate: 1 June 2026 10:02\nSubject: Offer\nTo: Sam <sam@rapport.example>";
    expect(parseForwarded(`FYI\n\n${head}\n\nHello Sam,\n\nyes.`)?.text).toBe("Hello Sam,\n\nyes.");
    expect(parseForwarded(`${head}\n\nHello`.replaceAll(/^/gm, "> "))?.text).toBe("Hello");
    expect(parseForwarded(head)?.text).toBe("");
  });

  test.each([
    ["", "nothing"],
    ["Hello Sam,\n\nhow are you?", "a letter"],
    ["From: the desk of Anna\n\nSubject: none", "headers that are apart"],
    ["From: Monday on we are closed.\nTo: whom it may concern", "sentences"],
    ["On Mon, 1 Jun 2026, Anna wrote:\n> Hello", "a quote"],
  ])("%j has none: %s", (text) => {
    expect(parseForwarded(text)).toBeNull();
  });

  test("takes no longer for a long text", () => {
    for (const unit of ["From: a@b.example\n", "From:", "From: x\nTo: ", "[mailto:", "<a@b"]) {
      const begun = process.threadCpuUsage();
      parseForwarded(unit.repeat(200_000));
      expect(process.threadCpuUsage(begun).user / 1_000).toBeLessThan(2_000);
    }
  });
});

test.each([
  ["01.06.2026 10:02", "2026-06-01T10:02:00Z"],
  ["13/06/2026 10:02", "2026-06-13T10:02:00Z"],
  ["06/13/2026 10:02 PM", "2026-06-13T22:02:00Z"],
  ["2026-06-01 10:02:03 +0530", "2026-06-01T04:32:03Z"],
  ["mar. 2 juin 2026 à 10:02", "2026-06-02T10:02:00Z"],
  ["martes, 3 de marzo de 2026 10:02", "2026-03-03T10:02:00Z"],
  ["Sunday, March 1, 2026 12:05 AM", "2026-03-01T00:05:00Z"],
  ["8 août 2026", "2026-08-08T00:00:00Z"],
  ["4 мая 2026 г. 10:02", "2026-05-04T10:02:00Z"],
  ["1. März 2026 um 10:02:31 MEZ", "2026-03-01T09:02:31Z"],
  ["01/06/2026 10:02", null],
  ["31 June 2026 10:02", null],
  ["yesterday", null],
  ["", null],
])("the date %j is %s", (written, date) => {
  expect(readDate(written)?.toISOString() ?? null).toBe(date && new Date(date).toISOString());
});
