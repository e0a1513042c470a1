import { TestService } from './test-service';

interface Ready {
  readonly checks: { readonly cache: string };
}

/** State of the cache according to readiness. */
export async function cacheOf(service: TestService): Promise<string> {
  return (await service.client().get<Ready>('/health/ready')).body.checks.cache;
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
