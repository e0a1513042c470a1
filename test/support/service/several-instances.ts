import { TestService } from './test-service';

interface Ready {
  readonly checks: { readonly cache: string };
}

/** State of the cache according to readiness. */
export async function cacheOf(service: TestService): Promise<string> {
  return (await service.client().get<Ready>('/health/ready')).body.checks.cache;
}

const MAX_ROUNDS = 3;

/**
 * Result of the first round that instances count together, or of the last round. A reply of Redis that a busy machine
 * delays by 150 ms makes an instance count alone for a moment: such a round is repeated, twice at most.
 */
export async function repeated<T>(play: (round: number) => Promise<T>, isShared: (result: T) => boolean): Promise<T> {
  for (let round = 0; ; round++) {
    const result = await play(round);
    if (isShared(result) || round === MAX_ROUNDS - 1) return result;
  }
}

/** Tries a wrong password from the address and returns the error code. */
export async function guess(service: TestService, username: string, address: string): Promise<string> {
  const client = service.client();
  client.address = address;
  const answer = await client.post<{ code: string }>('/api/auth/login', {
    type: 'password',
    username,
    password: 'not it, not at all',
  });
  return answer.body.code;
}
