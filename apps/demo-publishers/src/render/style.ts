import type { Publisher } from "../publisher.ts";

const TYPEFACES = {
  sans: '"Noto Sans CJK JP", "Hiragino Sans", "Yu Gothic UI", "Segoe UI", system-ui, sans-serif',
  serif: '"Noto Serif CJK JP", "Hiragino Mincho ProN", "Yu Mincho", Georgia, serif',
};

/** What distinguishes the mastheads; the rest of the sheet is common. */
const MASTHEADS: Readonly<Record<Publisher["layout"], string>> = {
  classic: `header.site{background:var(--brand);color:#fff}header.site a{color:#fff}
nav.site{background:var(--dark)}nav.site a{color:#fff}`,
  magazine: `header.site{text-align:center;border-top:8px solid var(--brand);padding:34px 20px 18px}
header.site .name{font-size:2.6rem;letter-spacing:.06em;color:var(--dark)}
nav.site{border-block:1px solid #ddd}nav.site ul{justify-content:center}article h1{font-size:2.1rem}`,
  rule: `header.site{border-bottom:3px double var(--brand)}header.site .name{color:var(--brand)}
nav.site a{color:var(--dark)}article{border-left:6px solid var(--brand);padding-left:26px}
article h2{border-bottom:2px solid var(--brand)}`,
  boxed: `body{background:var(--pale)}header.site .name{background:var(--brand);color:#fff;padding:6px 18px;
border-radius:12px}.columns>main,.columns>aside section{background:#fff;border-radius:16px;padding:24px 28px;
box-shadow:0 1px 8px #0001}nav.site a{color:var(--dark)}`,
};

/** The publisher's style sheet. */
export function styleSheet(publisher: Publisher): string {
  const [dark = "#222", , , , pale = "#eee"] = publisher.palette;
  return `:root{--brand:${publisher.colour};--dark:${dark};--pale:${pale}}
*{box-sizing:border-box}body{margin:0;color:#22252b;background:#fff;line-height:1.85;
font-family:${TYPEFACES[publisher.typeface]}}
a{color:var(--brand)}img{max-width:100%;height:auto;display:block;border-radius:6px;background:var(--pale)}
header.site{padding:18px 28px}header.site .name{font-size:1.7rem;font-weight:800;text-decoration:none;
display:inline-block;line-height:1.3}header.site .tagline{margin:2px 0 0;font-size:.85rem;opacity:.8}
nav.site ul{display:flex;gap:26px;list-style:none;margin:0;padding:9px 28px;font-size:.92rem;flex-wrap:wrap}
nav.site a{text-decoration:none;font-weight:600}
.columns{display:grid;grid-template-columns:minmax(0,720px) 300px;gap:44px;max-width:1110px;margin:28px auto;
padding:0 22px}@media(max-width:900px){.columns{grid-template-columns:1fr}}
.breadcrumb{font-size:.82rem;color:#6b7078}article h1{font-size:1.85rem;line-height:1.4;margin:.3em 0}
.byline{font-size:.87rem;color:#6b7078;display:flex;gap:16px;flex-wrap:wrap;margin-bottom:18px}
.label{background:var(--brand);color:#fff;padding:1px 12px;border-radius:99px;font-size:.8rem}
.lead-picture{margin:0 0 22px}article h2{font-size:1.25rem;margin:1.7em 0 .5em;line-height:1.5}
figure{margin:26px 0}figcaption{font-size:.83rem;color:#6b7078;margin-top:6px}
blockquote{margin:24px 0;padding:8px 24px;border-left:4px solid var(--brand);background:var(--pale)}
blockquote p{margin:.4em 0}pre{background:#1d2129;color:#e6e9ef;padding:18px;border-radius:8px;overflow:auto;
line-height:1.5}table{border-collapse:collapse;width:100%;margin:16px 0}
th,td{border:1px solid #d9dce1;padding:8px 14px;text-align:left}th{background:var(--pale);width:38%}
aside h2{font-size:1rem;border-bottom:2px solid var(--brand);padding-bottom:5px;margin:0 0 10px}
aside section{margin-bottom:30px}aside ol,aside ul{padding-left:1.3em;font-size:.88rem;line-height:1.6}
aside li{margin-bottom:9px}.share{display:flex;gap:10px;margin:26px 0}.share a{border:1px solid var(--brand);
border-radius:6px;padding:2px 16px;font-size:.85rem;text-decoration:none}
.cards{display:grid;grid-template-columns:1fr 1fr;gap:26px;grid-column:1/-1}.cards img{width:100%}
.cards h3{font-size:1.05rem;
line-height:1.5;margin:10px 0 4px}
.cards a{color:inherit;text-decoration:none}.cards p{font-size:.88rem;margin:0;
color:#555b64}footer.site{background:var(--dark);color:#fff;padding:28px;font-size:.84rem;margin-top:50px}
footer.site a{color:#fff}footer.site p{max-width:1066px;margin:4px auto}
${MASTHEADS[publisher.layout]}
`;
}
