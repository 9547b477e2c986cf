import { ExternalLink } from "lucide-react";
import { curlOf } from "#components/curl.ts";
import { listFacts } from "#components/operations/facts.ts";
import { CopyNow } from "#components/records/copy-now.tsx";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { isScope } from "#lib/core/plans.ts";
import type { MintAnswer } from "#lib/domain/access/api-keys/contract.ts";

/** The one time a key is shown, with a first call where it can make one. */
export function Reveal({ minted: { api_key: apiKey, key } }: { minted: MintAnswer }) {
  return (
    <>
      <CopyNow>Copy it now and keep it like a password: it is not stored and cannot be shown again.</CopyNow>
      <CodeBlock title="API key" code={apiKey} wrap />
      {key.scopes.some(isScope) ? <FirstCall apiKey={apiKey} /> : null}
    </>
  );
}

function FirstCall({ apiKey }: { apiKey: string }) {
  return (
    <>
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
