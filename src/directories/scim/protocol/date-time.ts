const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,12})?(Z|[+-]\d\d:\d\d)?$/i;
const YEAR_OF_FOUR_DIGITS = /^(?!0000)\d{4}-/;

/** Reads an xsd:dateTime (RFC 7643 §2.3.5) of the years 1 to 9999. Without a zone it is UTC. */
export function readDateTime(text: string): Date | undefined {
  const [found, zone] = DATE_TIME.exec(text) ?? [];
  if (found === undefined) return undefined;
  const date = new Date(zone === undefined ? `${found}Z` : found);
  if (Number.isNaN(date.getTime())) return undefined;
  return YEAR_OF_FOUR_DIGITS.test(date.toISOString()) ? date : undefined;
}
