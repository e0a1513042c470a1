import { declaredEventTypes, EVENT_FAMILIES, findEventDefinition } from '../../audit';

const FAMILY_TYPE = new RegExp(`^(?:${EVENT_FAMILIES.join('|')})\\.(?:\\*|[a-z_]{1,40})$`);

/** Whether the text is a type, or a prefix such as `user.*`. */
export function isTypeFilter(filter: string): boolean {
  if (findEventDefinition(filter) || FAMILY_TYPE.test(filter)) return true;
  return filter.endsWith('.*') && declaredEventTypes().some((type) => type.startsWith(filter.slice(0, -1)));
}

/** Whether an event of the type is wanted. An empty list of filters wants all. */
export function matchesFilters(type: string, filters: readonly string[]): boolean {
  if (filters.length === 0) return true;
  return filters.some((filter) => (filter.endsWith('.*') ? type.startsWith(filter.slice(0, -1)) : type === filter));
}
