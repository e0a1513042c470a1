import { compareCodeUnits } from '../../../../platform/text';

const HOURS_MS = 3_600_000;
const SHANGHAI_HOURS = 8;

/** `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai, which has been UTC+8 without summer time since 1991. */
export function timestampOf(time: Date): string {
  const local = new Date(time.getTime() + SHANGHAI_HOURS * HOURS_MS);
  return local.toISOString().slice(0, 19).replace('T', ' ');
}

/** What is signed (https://opendocs.alipay.com/common/02kf5q): every parameter that has a value, by name, unencoded. */
export function signedText(fields: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(fields)
    .filter(([name, value]) => name !== 'sign' && value !== undefined && value !== '')
    .sort(([one], [other]) => compareCodeUnits(one, other))
    .map(([name, value]) => `${name}=${value ?? ''}`)
    .join('&');
}

/**
 * The characters of an object member exactly as in the JSON text: the signature covers those, and another serialisation
 * of
 * the same object would not verify. Undefined where there is none at the top level.
 */
export function memberText(json: string, name: string): string | undefined {
  const start = new RegExp(`^\\s*\\{(?:.*?[,{])??\\s*"${name}"\\s*:\\s*(?=\\{)`, 's').exec(json);
  return start ? objectAt(json, start[0].length) : undefined;
}

/** From a brace to the one that closes it; those within texts do not count. */
function objectAt(json: string, begin: number): string | undefined {
  let depth = 0;
  for (const { 0: token, index } of json.slice(begin).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gs)) {
    if (token === '{') depth++;
    if (token === '}') depth--;
    if (depth === 0) return json.slice(begin, begin + index + 1);
  }
  return undefined;
}
