import { decodeJwt, decodeProtectedHeader, JWTHeaderParameters, SignJWT } from 'jose';
import { SigningKeys } from '../../src/platform/crypto';
import type { TestClient } from './test-client';
import type { TestService } from './test-service';

export interface SessionVersion {
  readonly sessionId: string;
  readonly counter: number;
}

/** What a session token names in `ver`. */
export function versionOf(token: string): SessionVersion {
  const [sessionId = '', counter] = String(decodeJwt(token)['ver']).split('.');
  return { sessionId, counter: Number(counter) };
}

export const accessOf = (client: TestClient): string => client.jar.get('iam_access') ?? '';
export const refreshOf = (client: TestClient): string => client.jar.get('iam_refresh') ?? '';
export const sessionOf = (client: TestClient): string => versionOf(accessOf(client)).sessionId;

/** A token a bit different from a good one, signed with the service's own key: everything but the change is right. */
export async function resign(
  service: TestService,
  token: string,
  change: { header?: Record<string, unknown>; claims?: Record<string, unknown> },
): Promise<string> {
  const { privateKey } = await service.app.get(SigningKeys).current('session');
  const header = { ...decodeProtectedHeader(token), ...change.header } as JWTHeaderParameters;
  return new SignJWT({ ...decodeJwt(token), ...change.claims }).setProtectedHeader(header).sign(privateKey);
}
