/** A mailbox as a salesperson has it: mail to some hundred people, and their answers, with quotes, signatures and HTML. */

const CONTACTS = 300;

const person = (n: number): string => `p${n % CONTACTS}@customer${(n % CONTACTS) % 40}.example`;

const TEXT = [
  "Thank you for the call yesterday. We have looked at the proposal with our head of operations, and two points are still open.",
  "First, we would need the data to stay in the EU; second, our security team asks for single sign-on with our own provider.",
  "Could you send us the price for 40 seats by Thursday? Then we can bring it to the meeting of the board next week.",
];

const date = (n: number): string => new Date(Date.now() - 80 * 86_400_000 + n * 60_000).toUTCString();

/** A message to a person or from them, in a conversation with those before it. Some 3 KB, as most are. */
export function letter(n: number, us: string, isSent: boolean): string {
  const [from, to] = isSent ? [us, person(n)] : [person(n), us];
  const boundary = `b${n}`;
  const quoted = TEXT.map((line) => `> ${line}`).join("\r\n");
  const plain = `Hello,\r\n\r\n${TEXT.join("\r\n\r\n")}\r\n\r\nBest regards\r\nAnna Smith\r\n-- \r\nAnna Smith, Customer Ltd.\r\n\r\nOn Monday, somebody wrote:\r\n${quoted}\r\n`;
  const html = `<html><body><p>Hello,</p>${TEXT.map((line) => `<p>${line}</p>`).join("")}<blockquote>${TEXT.join("<br>")}</blockquote></body></html>`;
  return [
    ...["Return-Path: <bounce@mx.example>", "Received: from mx.example by mail.example with ESMTPS id 4F2; 1 Jun 2026"],
    ...[`From: "Person ${n % CONTACTS}" <${from}>`, `To: <${to}>`, `Subject: ${isSent ? "" : "Re: "}Pilot ${n % 900}`],
    ...[`Date: ${date(n)}`, `Message-ID: <${isSent ? "s" : "r"}${n}@mail.example>`, "MIME-Version: 1.0"],
    ...(n > 900 ? [`In-Reply-To: <${isSent ? "r" : "s"}${n - 900}@mail.example>`] : []),
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    "",
    ...[`--${boundary}`, "Content-Type: text/plain; charset=utf-8", "", plain],
    ...[`--${boundary}`, "Content-Type: text/html; charset=utf-8", "", html],
    `--${boundary}--`,
    "",
  ].join("\r\n");
}

/** So many messages, the first quarter sent. */
export const letters = (count: number, us: string): { sent: string[]; received: string[] } => {
  const sent = Math.ceil(count / 4);
  return {
    sent: Array.from({ length: sent }, (_, n) => letter(n, us, true)),
    received: Array.from({ length: count - sent }, (_, n) => letter(n, us, false)),
  };
};
