/**
 * The content security policy of a page. Scripts and style elements run only with the request's nonce, and so do
 * scripts that they load. Style attributes are allowed: they cannot load anything, and charts and popovers position
 * with them.
 */
export function contentSecurityPolicy(nonce: string, { dev }: { dev: boolean }): string {
  return Object.entries({
    "default-src": "'self'",
    // The development server evaluates modules and shows errors on its own page.
    "script-src": `'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ""}`,
    "style-src": dev ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'`,
    "style-src-attr": "'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self'",
    "connect-src": dev ? "'self' ws: wss:" : "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "frame-src": "'none'",
    "worker-src": "'self' blob:",
    "manifest-src": "'self'",
  })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join("; ");
}

/** The headers of every page besides its policy. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
  "Cross-Origin-Opener-Policy": "same-origin",
};
