import { isSecretName } from './secret-names';

export const redacted = '[redacted]';

/** Longest text in a log line, which also bounds the work of the patterns below. */
const longestText = 8_192;

const openParameters = new Set(['page', 'page_size', 'lang']);

const userInfo = /([a-z][a-z0-9+.-]{0,20}:\/\/)[^/\s?#]{0,1024}@/gi;
const headerLine = /\b((?:proxy-)?authorization|(?:set-)?cookie)(["']?\s{0,4}[:=])[^\r\n]*/gi;
const queryParameter = /([?&#;])([^=&#?;\s"'<>]{1,100})=([^&#\s"'<>]*)/g;
const nameAndSign = /(?<![\w-])(\\{0,16}["']?)([A-Za-z_][\w-]{0,99})\1\s{0,4}[:=]\s{0,4}/g;
const assignedValue = /\\+"[^"]*"?|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[{[][^}\]]*[}\]]?|[^\s&;,"'<>{}[\]]+/y;
const scheme = /\b(Bearer|Basic|DPoP)\s{1,4}[A-Za-z0-9._~+/=-]{6,}/gi;
const jsonWebToken = /\beyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*)?/g;

/** Checks every name, including names inside the value of another one. */
function maskAssignments(text: string): string {
  let masked = '';
  let done = 0;
  for (const match of text.matchAll(nameAndSign)) {
    if (match.index < done || !isSecretName(match[2] ?? '')) continue;
    const start = match.index + match[0].length;
    assignedValue.lastIndex = start;
    const value = assignedValue.exec(text)?.[0];
    if (value === undefined) continue;
    masked += text.slice(done, start) + redacted;
    done = start + value.length;
  }
  return masked + text.slice(done);
}

/** Masks secrets by their context: in URLs, headers, JSON, `name=value`, bearer tokens. */
export function maskSecrets(text: string): string {
  const whole = text.length > longestText ? `${text.slice(0, longestText)}… (${text.length} characters)` : text;
  const inPlaces = whole
    .replace(userInfo, `$1${redacted}@`)
    .replace(headerLine, `$1$2 ${redacted}`)
    .replace(queryParameter, (match, mark: string, name: string) =>
      openParameters.has(name) ? match : `${mark}${name}=${redacted}`,
    );
  return maskAssignments(inPlaces).replace(scheme, `$1 ${redacted}`).replace(jsonWebToken, redacted);
}

/** DEL, C1 controls, line and paragraph separators, direction overrides: JSON does not escape them. */
const unescapedByJson = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const anyControl = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const spelled = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Escapes characters that could start a line or control a terminal; with `json`, those that JSON escapes stay. */
export function showControls(text: string, format: 'json' | 'pretty'): string {
  return text.replace(format === 'json' ? unescapedByJson : anyControl, spelled);
}
