import { pageLanguage } from '../../shared/language';

/** In seconds. */
const units = { day: 86_400, hour: 3_600, minute: 60, second: 1 } as const;
type Unit = keyof typeof units;

const text = (unit: Unit, count: number): string =>
  new Intl.NumberFormat(pageLanguage(), { style: 'unit', unit, unitDisplay: 'long' }).format(count);

/** Splits seconds into its two largest units, if these are exact. */
function partsOf(seconds: number): [Unit, number][] {
  let rest = seconds;
  return (Object.entries(units) as [Unit, number][]).flatMap(([unit, length]): [Unit, number][] => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count === 0 ? [] : [[unit, count]];
  });
}

/**
 * The value in words, such as "30 days". Undefined if the key does not end with a unit of time, or the value has no
 * shorter form.
 */
export function durationOf(key: string, value: number): string | undefined {
  if (!Number.isSafeInteger(value) || value <= 0) return undefined;
  if (key.endsWith('_days')) return text('day', value);
  if (!key.endsWith('_seconds')) return undefined;
  const parts = partsOf(value);
  return parts.length > 2 ? undefined : parts.map(([unit, count]) => text(unit, count)).join(' ');
}
