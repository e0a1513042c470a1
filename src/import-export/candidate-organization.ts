import { domainProblem, MAX_DOMAINS } from '../organizations/domains';
import { sha256 } from '../platform/crypto';
import { isStorable } from '../platform/util';
import { isOrganizationName, isSlug, MAX_SLUG } from '../rbac';
import { normalizeDomain } from '../users';
import { ForeignOrganization } from './foreign-user';

/** An organization to import, normalized to the rules of this service. */
export interface CandidateOrganization {
  readonly sourceId: string;
  /** The slug, and the one to use instead when it is taken. */
  readonly slugs: readonly string[];
  readonly name: string;
  readonly domains: readonly string[];
}

/** Of one user. The bound keeps a line from naming any number of them. */
export const MAX_ORGANIZATIONS = 100;

const MAX_ID_LENGTH = 255;
const SUFFIX = 6;

/** Without a slug it cannot be created, so it is left out and noted. */
const UNUSABLE: CandidateOrganization = { sourceId: '', slugs: [], name: '', domains: [] };

/** Each only once. Those whose id cannot be stored, and those beyond the limit, become one that is left out. */
export function organizationsFrom(
  source: string,
  named: readonly ForeignOrganization[] = [],
): readonly CandidateOrganization[] {
  const organizations = new Map<string, CandidateOrganization>();
  for (const organization of named) {
    const { sourceId = '' } = organization;
    if (organizations.has(sourceId)) continue;
    const isUsable = isUsableId(sourceId) && organizations.size < MAX_ORGANIZATIONS;
    const candidate = isUsable ? candidateFrom(source, sourceId, organization) : UNUSABLE;
    organizations.set(candidate.sourceId, candidate);
  }
  return [...organizations.values()];
}

const isUsableId = (id: string): boolean => id !== '' && id.length <= MAX_ID_LENGTH && isStorable(id);

function candidateFrom(source: string, sourceId: string, organization: ForeignOrganization): CandidateOrganization {
  const slugs = slugsOf(source, sourceId, organization);
  const { name = '', domains = [] } = organization;
  const claimable = domains.filter((text) => domainProblem(text) === undefined).map(normalizeDomain);
  return {
    sourceId,
    slugs,
    name: isOrganizationName(name) ? name : (slugs[0] ?? sourceId),
    domains: [...new Set(claimable.filter((domain) => domain !== undefined))].slice(0, MAX_DOMAINS),
  };
}

/** The same at every import, and independent of the order. */
function slugsOf(source: string, sourceId: string, { slug = '', name = '' }: ForeignOrganization): string[] {
  const digest = sha256(`${source} organization ${sourceId}`)
    .replace(/[^A-Za-z0-9]/g, '')
    .toLowerCase();
  const suffix = `-${digest.slice(0, SUFFIX)}`;
  const stem = slugFrom(slug) || slugFrom(name) || 'organization';
  const other = stem.slice(0, MAX_SLUG - suffix.length).replace(/-$/, '') + suffix;
  return isSlug(stem) ? [stem, other] : [other];
}

/** Marks and other signs are left out: `Société 1` becomes `societe-1`. */
const slugFrom = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, MAX_SLUG)
    .replace(/-$/, '');
