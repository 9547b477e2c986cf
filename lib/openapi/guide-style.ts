/** The look of the guide, on top of the frame's. */
export const guideStyle = `
.frame .place{margin-right:auto;color:var(--muted-foreground);text-decoration:none;border-radius:6px;min-height:32px;display:flex;align-items:center;white-space:nowrap}
.frame .place::before{content:"/";padding-right:8px}
.guide{display:grid;grid-template-columns:14rem minmax(0,1fr);font:15px/24px var(--sans);color:var(--foreground)}
.guide *{box-sizing:border-box}
.guide :focus-visible{outline:2px solid var(--ring);outline-offset:2px;border-radius:4px}
.pages{position:sticky;top:48px;align-self:start;height:calc(100vh - 48px);overflow-y:auto;padding:8px;background:var(--sidebar);border-right:1px solid var(--border);font-size:14px;line-height:20px}
.pages ul{list-style:none;margin:0;padding:0}
.pages li{margin:0 0 1px}
.pages a{display:block;padding:6px 8px;border-radius:6px;color:var(--muted-foreground);text-decoration:none}
.pages a:hover{background:var(--hover);color:var(--foreground)}
.pages [aria-current]{background:var(--selected);color:var(--foreground);font-weight:500}
.guide main{min-width:0;width:100%;max-width:48rem;margin:0 auto;padding:24px 16px 64px;overflow-wrap:anywhere}
.guide h1{margin:0 0 8px;font-size:24px;line-height:32px;font-weight:600;letter-spacing:-.01em}
.guide h2{margin:36px 0 8px;font-size:18px;line-height:28px;font-weight:600;scroll-margin-top:64px}
.guide p,.guide main ul,.guide main ol{margin:0 0 14px}
.guide main ul,.guide main ol{padding-left:22px}
.guide main li{margin:0 0 6px}
.guide main a{color:var(--primary-text);text-underline-offset:2px}
.guide main :not(pre)>code{font:13px var(--mono);background:var(--muted);border-radius:4px;padding:1px 4px}
.guide .code{margin:0 0 16px}
.guide .code pre{padding:12px 14px}
.guide .picture{display:block;max-width:100%;height:auto;margin:0 0 16px;font-family:var(--sans)}
.picture .sheet{fill:none}.picture .line{stroke:var(--muted-foreground)}.picture .box{fill:var(--muted);stroke:var(--border)}.picture .title{fill:var(--foreground)}.picture .text{fill:var(--muted-foreground)}
.guide .wide{overflow-x:auto;margin:0 0 16px}
.guide table{border-collapse:collapse;font-size:14px;line-height:20px;min-width:100%}
.guide th,.guide td{padding:8px 12px 8px 0;border-bottom:1px solid var(--border);text-align:left;vertical-align:top}
.guide th{font-weight:500;color:var(--muted-foreground)}
.guide td:first-child{min-width:10rem}
.steps{display:flex;justify-content:space-between;gap:16px;margin-top:40px;padding-top:20px;border-top:1px solid var(--border);font-size:13px}
.steps a{color:var(--muted-foreground)!important;text-decoration:none}
.steps b{display:block;color:var(--primary-text);font-size:15px;font-weight:500}
.steps [rel=next]{text-align:right}
@media (min-width:900px){.pages summary{display:none}}
@media (max-width:899px){.guide{display:block}.pages{position:static;height:auto;margin:16px 16px 0;padding:0;border:1px solid var(--border);border-radius:8px}
.pages summary{padding:10px 14px;cursor:pointer;font-weight:500}.pages ul{padding:0 8px 8px}}
@media (max-width:640px){.frame .place,.frame .back{display:none}.frame .quiet[href="/docs"]{margin-right:auto}}
`;
