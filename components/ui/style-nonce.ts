/**
 * The CSP admits a <style> only with the page's nonce, and the toaster, the scroll lock and the select create theirs at
 * run time without one. Import this before any of them: from then on every <style> made by our scripts carries the nonce
 * of the script that runs here.
 */
const nonce = typeof document === "undefined" ? "" : document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;

if (nonce) {
  const create = document.createElement;
  document.createElement = function createElement(this: Document, tag: string, options?: ElementCreationOptions) {
    const element = create.call(this, tag, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  } as typeof document.createElement;
}

export {};
