/** The most bytes of JSON that the mapped claims of one token may have. */
export const MAX_CLAIM_BYTES = 8_192;

export type Claims = Readonly<Record<string, unknown>>;

/** The claims of a token that fit into it, and the names of the others. */
export interface FittedClaims {
  readonly inline: Claims;
  readonly referenced: readonly string[];
}

const SOURCE = 'userinfo';

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Moves the largest claims out until the rest fits. */
export function fitClaims(claims: Claims): FittedClaims {
  const bySize = Object.entries(claims).sort(([, one], [, other]) => bytesOf(other) - bytesOf(one));
  const referenced: string[] = [];
  const inline = (): Claims =>
    Object.fromEntries(Object.entries(claims).filter(([name]) => !referenced.includes(name)));
  while (bytesOf(inline()) > MAX_CLAIM_BYTES) referenced.push(bySize[referenced.length]?.[0] ?? '');
  return { inline: inline(), referenced };
}

/**
 * The claims with references to userinfo for those that do not fit (OpenID Connect Core §5.6.2). The source has no access
 * token: the application uses the one that it received.
 */
export function withReferences({ inline, referenced }: FittedClaims, endpoint: string): Claims {
  if (referenced.length === 0) return inline;
  return {
    ...inline,
    _claim_names: Object.fromEntries(referenced.map((name) => [name, SOURCE])),
    _claim_sources: { [SOURCE]: { endpoint } },
  };
}
