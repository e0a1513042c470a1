import { AttributePath, resolvePath } from './attribute-path';
import { MAX_RESULTS } from './documents';
import { Filter, parseFilter } from './filter';
import { parseProjection, Projection } from './projection';
import { ResourceType } from './schema';
import { badRequest, quoted } from './scim-error';

/** The query parameters of a list as they arrive. */
export interface ListQueryInput {
  readonly filter?: string;
  readonly sortBy?: string;
  readonly sortOrder?: string;
  readonly startIndex?: string;
  readonly count?: string;
  readonly attributes?: string;
  readonly excludedAttributes?: string;
}

export interface ListQuery {
  readonly filter: Filter | null;
  readonly sort: { readonly path: AttributePath; readonly descending: boolean } | null;
  /** Counts from 1. */
  readonly startIndex: number;
  /** 0 asks for the total alone. */
  readonly count: number;
  readonly projection: Projection;
}

const INTEGER = /^-?\d{1,15}$/;
const MAX_START = 1_000_000_000;

/** Reads the query of a list (RFC 7644 §3.4.2). Numbers out of their range count as the nearest one. Throws ScimError. */
export function readListQuery(input: ListQueryInput, type: ResourceType): ListQuery {
  return {
    filter: input.filter ? parseFilter(input.filter, type) : null,
    sort: readSort(input, type),
    startIndex: readInteger('startIndex', input.startIndex, { min: 1, max: MAX_START, fallback: 1 }),
    count: readInteger('count', input.count, { min: 0, max: MAX_RESULTS, fallback: MAX_RESULTS }),
    projection: parseProjection(input.attributes, input.excludedAttributes, type),
  };
}

function readSort({ sortBy, sortOrder }: ListQueryInput, type: ResourceType): ListQuery['sort'] {
  const order = sortOrder?.toLowerCase() ?? 'ascending';
  if (order !== 'ascending' && order !== 'descending') {
    throw badRequest('invalidValue', 'sortOrder: ascending or descending expected');
  }
  if (!sortBy) return null;
  const path = resolvePath(sortBy, type);
  if (!path || 'schema' in path || path.attribute.returned === 'never') {
    throw badRequest('invalidPath', `sortBy: unknown attribute ${quoted(sortBy)}`);
  }
  return { path, descending: order === 'descending' };
}

function readInteger(
  label: string,
  text: string | undefined,
  { min, max, fallback }: { readonly min: number; readonly max: number; readonly fallback: number },
): number {
  if (text === undefined || text === '') return fallback;
  if (!INTEGER.test(text)) throw badRequest('invalidValue', `${label}: a whole number expected`);
  return Math.min(Math.max(Number(text), min), max);
}
