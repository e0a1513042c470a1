import { CallbackAnswer } from './fake-providers';
import { Callback, ProviderSimulator } from '../provider-simulator';
import { Answer, Problem, TestClient } from '../service/test-client';

/** Sends the redirect or form of a provider to the service. */
export function bringBack(
  client: TestClient,
  { method, url, params }: Callback,
): Promise<Answer<CallbackAnswer & Problem>> {
  const { pathname, search } = new URL(url);
  const accept = { accept: 'application/json' };
  if (method === 'GET') return client.get(`${pathname}${search}`, { headers: accept });
  return client.send('POST', pathname, {
    raw: new URLSearchParams(params).toString(),
    headers: { ...accept, 'content-type': 'application/x-www-form-urlencoded', origin: 'https://appleid.apple.com' },
  });
}

/** Begins a login and consents at the provider, without returning yet. */
export async function consent(client: TestClient, simulator: ProviderSimulator, name: string): Promise<Callback> {
  const answer = await client.get(`/api/oauth/login/${name}`);
  if (answer.status !== 302) throw new Error(`The login did not begin: ${answer.text}`);
  return simulator.visit(String(answer.headers['location']));
}

/** Completes a login through the provider. */
export async function logInThrough(
  client: TestClient,
  simulator: ProviderSimulator,
  name: string,
): Promise<Answer<CallbackAnswer & Problem>> {
  return bringBack(client, await consent(client, simulator, name));
}
