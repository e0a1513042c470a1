import { basic, post, Registered, register } from '../oauth/oauth';
import { Answer, TestClient } from '../service/test-client';
import { TestService } from '../service/test-service';

/** An OAuth client of the guard of a service, by default `billing`. */
export async function guardClient(admin: TestClient, more: object = {}, scope = 'billing'): Promise<Registered> {
  // A scope is known once it has a permission.
  await admin.post('/api/permission', { scope, permission_id: 'invoice:read' });
  return register(admin, {
    name: 'Billing',
    redirect_uris: [],
    grant_types: ['client_credentials'],
    scopes: ['remote_guard:execute'],
    introspection_resources: [`urn:castellan:${scope}`],
    ...more,
  });
}

export async function guardToken(service: TestService, client: Registered): Promise<string> {
  const form = { grant_type: 'client_credentials', scope: 'remote_guard:execute' };
  const { status, body } = await post(service, '/api/oauth/token', form, basic(client));
  if (status !== 200) throw new Error(`No token: ${JSON.stringify(body)}`);
  return body['access_token'] as string;
}

export const bearer = (token: string): { headers: Record<string, string> } => ({
  headers: { authorization: `Bearer ${token}` },
});

/** The value of the client's access cookie. */
export const accessTokenOf = ({ jar }: TestClient): string =>
  [...jar].find(([name]) => name.endsWith('_access'))?.[1] ?? '';

export interface SessionCheckAnswer {
  readonly active: boolean;
  readonly code?: string;
  readonly user?: { readonly id: string; readonly username: string };
  readonly session?: { readonly id: string; readonly amr: string[]; readonly recent_login: boolean };
  readonly actor?: { readonly id: string; readonly username: string; readonly session_id: string };
  readonly pending?: string | null;
  readonly permissions?: string[];
  readonly subjects?: string[];
  readonly expires_in?: number;
}

/** Has the tokens checked as the guard of a service does. */
export const checkSession = (
  service: TestService,
  token: string,
  tokens: string[],
  permissions: string[] = ['invoice:read'],
): Promise<Answer<SessionCheckAnswer>> =>
  service.client().post<SessionCheckAnswer>('/api/guard/check', { tokens, permissions }, bearer(token));

/** The body of a check of an assertion, or of something else in its place. */
export const checkShown = (service: TestService, token: string, shown: object): Promise<Answer<SessionCheckAnswer>> =>
  service.client().post<SessionCheckAnswer>('/api/guard/check', { ...shown, permissions: [] }, bearer(token));

/** Exchanges the session of the client for an assertion. */
export async function assertionOf(client: TestClient, audience = 'urn:castellan:billing'): Promise<string> {
  const { status, body } = await client.post<{ assertion: string }>('/api/auth/assertion', { audience });
  if (status !== 200) throw new Error(`No assertion: ${JSON.stringify(body)}`);
  return body.assertion;
}
