import { pageLanguage } from '../../shared/language';

const locale = pageLanguage === 'zh' ? 'zh-CN' : 'en-GB';
const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const hourFormat = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
/** Days of the service's statistics are UTC's. */
const dayFormat = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const numberFormat = new Intl.NumberFormat(locale);
const DAY_SECONDS = 86_400;

/** A time of the API as people here write it, in the browser's zone. */
export const timeOf = (time: string): string => format.format(new Date(time));

export const numberOf = (value: number): string => numberFormat.format(value);

/** The name of a step in time of that length. */
export const stepName = (start: Date, stepSeconds: number): string =>
  (stepSeconds < DAY_SECONDS ? hourFormat : dayFormat).format(start);
