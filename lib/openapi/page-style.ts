import { fontFaces } from "./fonts.ts";

/**
 * The look of /docs: our colours for the frame and, by its variables, for the reference. The values are those of
 * app/globals.css, which the front cannot read; a test compares them.
 */
export const style = `
${fontFaces}
:root{color-scheme:light dark;
--sans:"Geist",ui-sans-serif,system-ui,sans-serif;--mono:"Geist Mono",ui-monospace,monospace;
--background:light-dark(#ffffff,#0d0e10);--sidebar:light-dark(#fafafa,#101114);--selected:light-dark(#ebebee,#292a30);--card:light-dark(#ffffff,#131417);--muted:light-dark(#f4f4f5,#1d1e22);--hover:light-dark(#f1f1f3,#212227);
--foreground:light-dark(#18181b,#ededf0);--muted-foreground:light-dark(#5f5f69,#a1a1ac);
--border:light-dark(#e6e6ea,#26272c);--border-strong:light-dark(#d4d4da,#383a41);--input:light-dark(#8c8c96,#6d6e78);--ring:light-dark(#2f5bea,#7c98ff);
--primary:light-dark(#2f5bea,#3d63ee);--primary-text:light-dark(#2950d6,#93abff);
--success-text:light-dark(#166a35,#5fd08a);--warning-text:light-dark(#8f450a,#ecb756);--danger-text:light-dark(#b42323,#ff9592)}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
html{scroll-padding-top:56px}
body{margin:0;background:var(--background);color:var(--foreground)}
.frame,.start{font:14px/20px var(--sans);color:var(--foreground)}
.frame *,.start *{box-sizing:border-box}
.frame a,.frame select,.start button,.start input,.start a{outline-offset:2px}
.frame :focus-visible,.start :focus-visible{outline:2px solid var(--ring)}
.frame{position:sticky;top:0;z-index:20;display:flex;align-items:center;gap:8px;height:48px;padding:0 16px;background:var(--background);border-bottom:1px solid var(--border)}
.frame .name{display:flex;align-items:center;gap:8px;font-weight:600;color:inherit;text-decoration:none;border-radius:6px;min-height:32px}
.frame h1{margin:0 auto 0 0;font-size:14px;font-weight:400;color:var(--muted-foreground);white-space:nowrap}
.frame h1::before{content:"/";padding-right:8px}
.quiet{display:inline-flex;align-items:center;height:32px;padding:0 12px;border:1px solid var(--input);border-radius:6px;background:var(--card);
color:var(--foreground);font:inherit;font-weight:500;text-decoration:none;cursor:pointer;white-space:nowrap;min-width:0}
.quiet[hidden]{display:none}
.quiet:hover{background:var(--hover)}
.quiet span{overflow:hidden;text-overflow:ellipsis}
.frame .quiet:not(.back){flex:none}
.frame .back{max-width:40vw}
.start{max-width:72rem;margin:0 auto;padding:24px 16px 32px;display:flex;flex-direction:column;gap:16px}
.start h2{margin:0;font-size:20px;line-height:28px;font-weight:600;letter-spacing:-.01em}
.start p{margin:0;color:var(--muted-foreground);max-width:68ch}
.start a{color:var(--primary-text)}
.key{display:flex;flex-wrap:wrap;gap:8px;align-items:end}
.key label{display:flex;flex-direction:column;gap:6px;flex:1 1 16rem;max-width:28rem;font-weight:500}
.key input{height:32px;width:100%;padding:0 10px;border:1px solid var(--input);border-radius:6px;background:var(--background);color:inherit;font:13px var(--mono)}
.key+p{font-size:13px}
.tabs{display:flex;gap:4px;overflow-x:auto;border-bottom:1px solid var(--border)}
.tabs button{flex:none;height:36px;padding:0 10px;border:0;border-bottom:2px solid transparent;background:none;color:var(--muted-foreground);font:inherit;cursor:pointer;outline-offset:-2px}
.tabs [aria-selected=true]{border-color:var(--foreground);color:var(--foreground);font-weight:500}
.panel{display:flex;flex-direction:column;gap:8px}
.panel[hidden]{display:none}
.code{position:relative;border:1px solid var(--border);border-radius:8px;background:var(--muted);min-width:0}
.code pre{margin:0;padding:12px 88px 12px 14px;overflow-x:auto;font:13px/20px var(--mono);border-radius:8px}
.code .quiet{position:absolute;top:8px;right:8px;height:28px;padding:0 10px;font-size:13px}
.code code{font:inherit;color:inherit;background:none;padding:0;border:0}
@media (max-width:640px){.frame h1,.frame .name b{display:none}.frame .back{margin-right:auto;max-width:55vw}.code pre{padding-right:14px;padding-top:44px}.key input{font-size:16px}}
`;
