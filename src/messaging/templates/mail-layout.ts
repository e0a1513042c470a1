import { Language } from '../../platform/i18n';
import { escapeHtml } from '../../platform/util';

/** The appearance of a mail whose template has no HTML. */
export interface MailLook {
  readonly language: Language;
  /** `#rrggbb`. */
  readonly color: string;
  /** An absolute URL, because a mail has no address to resolve a path against. Undefined: no logo. */
  readonly logo?: string | undefined;
}

const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'PingFang SC','Microsoft YaHei',Arial,sans-serif";
const MONO = 'ui-monospace,SFMono-Regular,Menlo,Consolas,monospace';

// Inline styles are for clients that drop the style element. The others apply these rules in dark mode.
const DARK = [
  '.page{background:#16181d!important}',
  '.card{background:#22252c!important;border-right-color:#363b45!important;border-bottom-color:#363b45!important;border-left-color:#363b45!important}',
  '.card,.card p,.card h1{color:#eceef2!important}',
  '.card .code{background:#2e323b!important;color:#ffffff!important}',
  '.foot{color:#9aa1ad!important}',
].join('');

const PARAGRAPH = `margin:0 0 16px;font-size:16px;line-height:1.6;color:#24292f;overflow-wrap:anywhere`;
const CODE = `margin:0 0 16px;padding:16px 8px;border-radius:8px;background:#f0f2f5;color:#111418;text-align:center;font:700 32px/1.2 ${MONO};letter-spacing:4px;overflow-wrap:anywhere`;

const LINK = `color:inherit;text-decoration:underline;word-break:break-all`;

function paragraph(text: string): string {
  if (text === '{link}') return `<p style="${PARAGRAPH}"><a href="{link}" style="${LINK}">{link}</a></p>`;
  if (text === '{code}') return `<p class="code" style="${CODE}">{code}</p>`;
  return `<p style="${PARAGRAPH}">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`;
}

/** Without braces, because the placeholders are filled later, and a code must not become part of an address. */
function logoOf(address: string): string {
  const url = escapeHtml(address.replaceAll('{', '%7B').replaceAll('}', '%7D'));
  return `<p style="margin:0 0 20px"><img src="${url}" alt="" height="32" style="height:32px;max-width:160px;object-fit:contain"></p>\n`;
}

const paragraphsOf = (text: string): string[] =>
  text
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== '');

/**
 * Builds an HTML page from the subject and text of a mail, with placeholders unfilled. Highlights a code on its own
 * line, and makes a link on its own line clickable.
 */
export function layOut(subject: string, text: string, { language, color, logo }: MailLook): string {
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${DARK}}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f5f7;font-family:${FONT};-webkit-text-size-adjust:100%">
<div class="page" style="padding:24px 12px;background:#f4f5f7">
<div class="card" style="max-width:520px;margin:0 auto;padding:28px 24px 12px;background:#ffffff;border:1px solid #e3e6ea;border-top:4px solid ${color};border-radius:12px">
${logo === undefined ? '' : logoOf(logo)}<h1 style="margin:0 0 20px;font-size:20px;line-height:1.4;color:#111418;overflow-wrap:anywhere">${escapeHtml(subject)}</h1>
${paragraphsOf(text).map(paragraph).join('\n')}
</div>
<p class="foot" style="max-width:520px;margin:16px auto 0;font-size:13px;line-height:1.5;color:#5b6370;text-align:center;overflow-wrap:anywhere">{app}</p>
</div>
</body>
</html>
`;
}
