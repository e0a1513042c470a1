import { checkCustomCss } from '../../../src/platform/page-checks';
import type { Scheme } from '../shared/sign-in-draft';

const BY_SCHEME = /\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi;

/** The media query as it is on a device with this colour scheme. */
const forScheme = (media: string, scheme: Scheme): string =>
  media.replace(BY_SCHEME, (_, wanted: string) =>
    wanted.toLowerCase() === scheme ? '(min-width: 0)' : '(max-width: 0)',
  );

/** Media queries as they were written. */
const written = new WeakMap<object, string>();

function writtenMedia(owner: object, media: string): string {
  const known = written.get(owner) ?? media;
  written.set(owner, known);
  return known;
}

function setSchemeOf(rules: CSSRuleList, scheme: Scheme): void {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule) {
      rule.media.mediaText = forScheme(writtenMedia(rule, rule.media.mediaText), scheme);
    }
    if (rule instanceof CSSGroupingRule) setSchemeOf(rule.cssRules, scheme);
  }
}

/** Shows the page in the colour scheme, whatever that of the device is. */
function setScheme(scheme: Scheme): void {
  document.documentElement.style.colorScheme = scheme;
  for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) setSchemeOf(sheet.cssRules, scheme);
  for (const source of document.querySelectorAll('source')) {
    source.media = forScheme(writtenMedia(source, source.media), scheme);
  }
}

/**
 * Keeps the last CSS that the service would accept, so that typing loads nothing. Scripts may add styles under the
 * content security policy.
 */
function setCustomCss(css: string): void {
  if (checkCustomCss(css) !== undefined) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [sheet];
}

/** Applies what a page cannot have from its settings: a colour scheme that is not the device's, and unsaved CSS. */
export function dress({ scheme, customCss }: { readonly scheme: Scheme; readonly customCss: string }): void {
  setCustomCss(customCss);
  setScheme(scheme);
}
