import { Grant, GrantSet } from '../permission';

type GrantsByOrganization = ReadonlyMap<string, readonly Grant[]>;

/** What is wanted in organisations, by their ids, and held neither everywhere nor in that organisation. */
export const missingWithin = (wanted: GrantsByOrganization, everywhere: GrantSet, own: GrantsByOrganization): Grant[] =>
  [...wanted].flatMap(([id, grants]) => new GrantSet([...everywhere.toList(), ...(own.get(id) ?? [])]).missing(grants));
