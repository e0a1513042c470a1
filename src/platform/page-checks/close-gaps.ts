const CHINESE = /\p{Script=Han}/u;
const isChinese = (text: string | undefined): boolean => text !== undefined && CHINESE.test(text);

/**
 * Removes the spaces that a filled text has between Chinese words and a value that is Chinese at that end:
 * `使用 飞书 登录` becomes `使用飞书登录`. Spaces beside names in Latin letters, and those inside values, stay.
 */
export function closeGaps(filled: string, values: Iterable<unknown>): string {
  return [...values].reduce<string>(
    (text, value) => (typeof value === 'string' && value !== '' ? closeAround(text, value) : text),
    filled,
  );
}

function closeAround(text: string, value: string): string {
  const [first, last] = [Array.from(value)[0], Array.from(value).at(-1)];
  const before = isChinese(first) ? closeWhere(text, ` ${value}`, value, (at) => text[at - 1]) : text;
  return isChinese(last) ? closeWhere(before, `${value} `, value, (at) => before[at + value.length + 1]) : before;
}

const closeWhere = (
  text: string,
  gap: string,
  value: string,
  neighbourAt: (index: number) => string | undefined,
): string => text.replaceAll(gap, (found, index: number) => (isChinese(neighbourAt(index)) ? value : found));
