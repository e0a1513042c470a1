import { Grant, GrantSet } from '../permission';

type GrantsByOrganization = ReadonlyMap<string, readonly Grant[]>;

/** What is wanted in organizations, by their ids, and held neither everywhere nor in that organization. */
export const missingWithin = (wanted: GrantsByOrganization, everywhere: GrantSet, own: GrantsByOrganization): Grant[] =>
  [...wanted].flatMap(([id, grants]) => new GrantSet([...everywhere.toList(), ...(own.get(id) ?? [])]).missing(grants));
