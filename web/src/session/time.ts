import { pageLanguage, type Language } from '../shared/language';
import { locales } from '../shared/time';

const formatsIn = (locale: string) => ({
  hour: new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }),
  /** Statistics count days in UTC. */
  day: new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' }),
  number: new Intl.NumberFormat(locale),
  percent: new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }),
});
const byLanguage: Readonly<Record<Language, ReturnType<typeof formatsIn>>> = {
  en: formatsIn(locales.en),
  zh: formatsIn(locales.zh),
};
const formats = (): ReturnType<typeof formatsIn> => byLanguage[pageLanguage()];
const DAY_SECONDS = 86_400;

export const numberOf = (value: number): string => formats().number.format(value);

/** Names a step of a time series by its length. */
export const stepName = (start: Date, stepSeconds: number): string =>
  formats()[stepSeconds < DAY_SECONDS ? 'hour' : 'day'].format(start);

/** @param share of one, such as 0.5 for 50 %. */
export const percentOf = (share: number): string => formats().percent.format(share);
