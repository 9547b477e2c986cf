import { expect, test } from "vitest";
import { textOfHtml } from "./html.ts";

test.each([
  ["Hello", "Hello"],
  ["<p>One</p><p>Two</p>", "One\n\nTwo"],
  ["One<br>Two<br/><br />Three", "One\nTwo\n\nThree"],
  ["<div>One</div><div>Two</div>", "One\nTwo"],
  ["<div>One</div><div><br></div><div>Two</div>", "One\n\nTwo"],
  ["<ul><li>One</li><li>Two <b>bold</b></li></ul>", "* One\n* Two bold"],
  ["<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"],
  [
    "Before<blockquote>Quoted<blockquote>Deeper</blockquote></blockquote>After",
    "Before\n\n> Quoted\n>\n>> Deeper\n\nAfter",
  ],
  ["<pre>a\n  b</pre>", "a\n  b"],
  ["a\n  b\t c", "a b c"],
  ["Kr&uuml;ger &amp; S&ouml;hne &#8211; 5&nbsp;&euro; &#x2713;", "Krüger & Söhne – 5 € ✓"],
  ["&unknown; &#0; &#99999999;", "&unknown; \uFFFD \uFFFD"],
  ["<style>p { color: red }</style><script>alert('<p>')</script><title>T</title>Text", "Text"],
  ["<!-- hidden <p>text</p> -->Text", "Text"],
  ['<a href="https://acme.example/?a=1&b=>2">Link</a>', "Link"],
  ["1 < 2 and 3 > 2", "1 < 2 and 3 > 2"],
  ["<o:p></o:p>Word<o:p>&nbsp;</o:p>", "Word"],
  ["Text <unclosed", "Text"],
  ["<style>never closed", ""],
  ["", ""],
])("the text of %j", (html, text) => {
  expect(textOfHtml(html)).toBe(text);
});
