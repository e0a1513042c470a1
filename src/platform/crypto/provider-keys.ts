import {
  createRemoteJWKSet,
  customFetch,
  type CryptoKey,
  decodeProtectedHeader,
  errors,
  jwtVerify,
  type JWSHeaderParameters,
  type JWTPayload,
  type JWTVerifyOptions,
} from 'jose';

/** Fetches a JSON document within the caller's own limits. What it throws, `verify` throws. */
export type FetchDocument = (url: string) => Promise<string>;

const MAX_KNOWN_IDS = 100;

/**
 * The published keys of a provider (RFC 7517). Providers publish keys without `kid`, several under one, and replace a
 * key before they say so: each key that fits a token is tried, and a `kid` seen for the first time fetches the keys
 * once more.
 */
export class ProviderKeys {
  private readonly keys: ReturnType<typeof createRemoteJWKSet>;
  private readonly knownIds = new Set<string>();

  constructor(jwksUri: string, fetchDocument: FetchDocument) {
    this.keys = createRemoteJWKSet(new URL(jwksUri), {
      [customFetch]: async (url) => new Response(await fetchDocument(url)),
    });
  }

  /** The claims of a token that one of the keys signed. Errors: those of jose. */
  async verify(token: string, rules: JWTVerifyOptions): Promise<JWTPayload> {
    let failure: Error | undefined;
    for (const key of await this.candidates(headerOf(token), rules)) {
      try {
        return (await jwtVerify(token, key, rules)).payload;
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
        failure = error;
      }
    }
    throw failure ?? new errors.JWKSNoMatchingKey();
  }

  private async candidates(header: JWSHeaderParameters, { algorithms }: JWTVerifyOptions): Promise<CryptoKey[]> {
    const { alg, kid } = header;
    if (alg === undefined || !algorithms?.includes(alg)) throw new errors.JOSEAlgNotAllowed();
    const named = await this.fitting(header);
    if (named.length > 0 || kid === undefined) return named;
    if (this.isNew(kid)) {
      await this.keys.reload();
      const reloaded = await this.fitting(header);
      if (reloaded.length > 0) return reloaded;
    }
    return this.fitting({ alg });
  }

  private async fitting(header: JWSHeaderParameters): Promise<CryptoKey[]> {
    try {
      return [await this.keys(header)];
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) return [];
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      const all: CryptoKey[] = [];
      for await (const key of error) all.push(key);
      return all;
    }
  }

  private isNew(kid: string): boolean {
    if (this.knownIds.has(kid)) return false;
    if (this.knownIds.size >= MAX_KNOWN_IDS) this.knownIds.clear();
    this.knownIds.add(kid);
    return true;
  }
}

function headerOf(token: string): JWSHeaderParameters {
  try {
    return decodeProtectedHeader(token);
  } catch (cause) {
    throw new errors.JWSInvalid('Invalid Compact JWS', { cause });
  }
}
