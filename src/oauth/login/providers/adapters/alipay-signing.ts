import { compareCodeUnits } from '../../../../platform/util';

const HOURS_MS = 3_600_000;
const SHANGHAI_HOURS = 8;

/** `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai, which has been UTC+8 without daylight saving time since 1991. */
export function timestampOf(time: Date): string {
  const local = new Date(time.getTime() + SHANGHAI_HOURS * HOURS_MS);
  return local.toISOString().slice(0, 19).replace('T', ' ');
}

/**
 * The text to sign (https://opendocs.alipay.com/common/02kf5q): every parameter with a value, sorted by name, not
 * encoded.
 */
export function signedText(fields: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(fields)
    .filter(([name, value]) => name !== 'sign' && value !== undefined && value !== '')
    .sort(([one], [other]) => compareCodeUnits(one, other))
    .map(([name, value]) => `${name}=${value ?? ''}`)
    .join('&');
}

/**
 * The exact text of a member object in the JSON text. The signature covers this text, and another serialization of the
 * same object would not verify. Undefined if the top level has no such object.
 */
export function memberText(json: string, name: string): string | undefined {
  const start = new RegExp(`^\\s*\\{(?:.*?[,{])??\\s*"${name}"\\s*:\\s*(?=\\{)`, 's').exec(json);
  return start ? objectAt(json, start[0].length) : undefined;
}

/** The text from a brace to its closing brace, ignoring braces in strings. */
function objectAt(json: string, begin: number): string | undefined {
  let depth = 0;
  for (const { 0: token, index } of json.slice(begin).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gs)) {
    if (token === '{') depth++;
    if (token === '}') depth--;
    if (depth === 0) return json.slice(begin, begin + index + 1);
  }
  return undefined;
}
