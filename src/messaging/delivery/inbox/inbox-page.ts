import { Language, TranslatorService } from '../../../platform/i18n';
import { escapeHtml } from '../../../platform/util';
import { InboxMessage } from './dev-inbox.service';

export const INBOX_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const INBOX_STYLE = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { background: #fff; color: #1c1d22; margin: 0; padding: 1.5rem; }
main { max-width: 44rem; margin: 0 auto; }
h1 { margin: 0 0 .25rem; font-size: 2rem; line-height: 1.2; }
h2 { margin: 0; font-size: 1.05rem; overflow-wrap: anywhere; }
article { border-top: 1px solid #d7d8de; padding: 1rem 0; }
article p { margin: 0; color: #5a5c66; font-size: .875rem; overflow-wrap: anywhere; }
pre { margin: .5rem 0 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
a { color: #2457c5; }
@media (prefers-color-scheme: dark) {
  body { background: #16181d; color: #e9e9ee; }
  article { border-color: #3a3d46; }
  article p { color: #a9abb6; }
  a { color: #8fb4ff; }
}
`;

/**
 * The page `/dev/inbox`, without scripts and inline styles. Its links are relative, because a host may mount it below a
 * prefix.
 */
export function inboxPage(
  messages: readonly InboxMessage[],
  language: Language,
  translator: TranslatorService,
): string {
  const text = (key: string): string => escapeHtml(translator.text(language, 'ui', `inbox.${key}`));
  const article = ({ at, channel, to, subject, text: body }: InboxMessage): string => `<article>
<h2>${escapeHtml(subject ?? text(channel))}</h2>
<p>${text(channel)} · ${escapeHtml(to)} · <time datetime="${at}">${at}</time></p>
<pre>${escapeHtml(body)}</pre>
</article>
`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text('title')}</title>
<link rel="stylesheet" href="inbox.css">
</head>
<body>
<main>
<h1>${text('title')}</h1>
<p>${text('hint')} <a href="inbox.json">JSON</a></p>
${messages.length > 0 ? messages.map(article).join('') : `<p>${text('empty')}</p>\n`}</main>
</body>
</html>
`;
}
