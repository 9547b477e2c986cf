import { ExternalLink } from "lucide-react";
import { curlOf } from "#components/curl.ts";
import { listFacts } from "#components/operations/facts.ts";
import { CopyNow } from "#components/records/copy-now.tsx";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";

/** The one time a key is shown. */
export function Reveal({ apiKey }: { apiKey: string }) {
  return (
    <>
      <CopyNow>Copy it now and keep it like a password: it is not stored and cannot be shown again.</CopyNow>
      <CodeBlock title="API key" code={apiKey} wrap />
      <CodeBlock title="Try it" code={curlOf(window.location.origin, listFacts, { key: apiKey })} wrap />
      <Button className="w-fit" onClick={() => openReference(apiKey)}>
        Try it in the API reference
        <ExternalLink aria-hidden="true" />
        <span className="sr-only">(opens a new tab)</span>
      </Button>
    </>
  );
}

/** Where lib/openapi/page.ts looks for the key to fill in. */
const PLACE = "rapport:docs-key";

/**
 * A tab opened from this one starts with a copy of its session storage: so the API reference gets the key without any
 * server.
 */
function openReference(apiKey: string): void {
  sessionStorage.setItem(PLACE, apiKey);
  window.open("/docs");
  sessionStorage.removeItem(PLACE);
}
