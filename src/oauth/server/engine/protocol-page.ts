import { Language } from '../../../platform/i18n';
import { escapeHtml, textColorOn } from '../../../platform/util';
import { Branding, iconOf } from '../../../settings';

/** A page of the protocol. All texts but `content` are plain text. */
export interface ProtocolPage {
  readonly language: Language;
  readonly title: string;
  readonly text: string;
  /** HTML after the text. */
  readonly content: string;
  readonly brand: Branding;
  /** Allows the style of the page. */
  readonly nonce: string;
}

const STYLE = `
:root { color-scheme: light dark; --back: #f3f4f7; --surface: #fff; --text: #1c1d22; --soft: #565b66; --line: #8b919d; font: 16px/1.5 var(--font), system-ui, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif; }
@media (prefers-color-scheme: dark) { :root { --back: #14161b; --surface: #1d2027; --text: #e9e9ee; --soft: #a9afbb; --line: #747b88; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; padding: 2rem 1rem; display: flex; flex-direction: column; align-items: center; background: var(--image, none) center / cover no-repeat fixed var(--brand-back, var(--back)); color: var(--text); overflow-wrap: anywhere; }
header { display: flex; align-items: center; gap: .6rem; margin-bottom: 1.5rem; color: var(--on-back, inherit); font-weight: 600; }
.on-image { padding: .5rem .75rem; border-radius: var(--radius); background: var(--surface); color: var(--text); }
header img { height: 2rem; max-width: 10rem; object-fit: contain; }
main { width: 100%; max-width: 26rem; padding: 1.75rem 1.5rem; border-radius: calc(var(--radius) * 1.8); background: var(--surface); box-shadow: 0 1px 3px rgb(0 0 0 / 12%); }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0 0 .75rem; color: var(--soft); }
main > :last-child { margin-bottom: 0; }
.choice { display: grid; gap: .75rem; }
button { min-height: 2.75rem; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: var(--radius); background: transparent; color: inherit; font: inherit; font-weight: 600; cursor: pointer; }
button.primary { border-color: transparent; background: var(--accent); color: var(--on-accent); }
button:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
`;

/**
 * Allows the page's style and these images: its icon and the logo. No `form-action`: a confirmed logout redirects to the
 * application.
 */
export const policyOf = (nonce: string, images: string): string =>
  `default-src 'none'; style-src 'nonce-${nonce}'; img-src ${images}; base-uri 'none'; frame-ancestors 'none'`;

/** The colours and shapes of the brand. The settings allow no character that could end a value. */
function variablesOf({ primaryColor, cornerRadius, font, backgroundColor, backgroundImage }: Branding): string {
  const variables = {
    '--accent': primaryColor,
    '--on-accent': textColorOn(primaryColor),
    '--radius': `${cornerRadius}px`,
    '--font': font,
    ...(backgroundColor !== '' && { '--brand-back': backgroundColor, '--on-back': textColorOn(backgroundColor) }),
    ...(backgroundImage !== '' && { '--image': `url("${backgroundImage}")` }),
  };
  return Object.entries(variables)
    .map(([name, value]) => `${name}: ${value};`)
    .join(' ');
}

function logoOf({ logo, logoDark }: Branding): string {
  if (logo === '') return '';
  const dark = logoDark === '' ? '' : `<source srcset="${escapeHtml(logoDark)}" media="(prefers-color-scheme: dark)">`;
  return `<picture>${dark}<img src="${escapeHtml(logo)}" alt=""></picture>`;
}

/** Lays out a page without scripts, in the look of the service. */
export function layOutPage({ language, title, text, content, brand, nonce }: ProtocolPage): string {
  const custom =
    brand.stylesheet === '' ? '' : `\n<link rel="stylesheet" nonce="${nonce}" href="${escapeHtml(brand.stylesheet)}">`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · ${escapeHtml(brand.name)}</title>
<link rel="icon" href="${escapeHtml(iconOf(brand))}">
<style nonce="${nonce}">:root { ${variablesOf(brand)} }${STYLE}</style>${custom}
</head>
<body>
<header${brand.backgroundImage === '' ? '' : ' class="on-image"'}>${logoOf(brand)}<span>${escapeHtml(brand.name)}</span></header>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${content}
</main>
</body>
</html>
`;
}
