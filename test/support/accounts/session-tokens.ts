import { KeyObject, sign } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { SigningKeysService } from '../../../src/session';
import type { TestClient } from '../service/test-client';
import type { TestService } from '../service/test-service';

export interface SessionVersion {
  readonly sessionId: string;
  readonly counter: number;
}

/** Content of the claim `ver` of a session token. */
export function versionOf(token: string): SessionVersion {
  const [sessionId = '', counter] = String(decodeJwt(token)['ver']).split('.');
  return { sessionId, counter: Number(counter) };
}

export const accessOf = (client: TestClient): string => client.jar.get('iam_access') ?? '';
export const refreshOf = (client: TestClient): string => client.jar.get('iam_refresh') ?? '';
export const sessionOf = (client: TestClient): string => versionOf(accessOf(client)).sessionId;

export const partsOf = (token: string): [string, string, string] => token.split('.') as [string, string, string];
export const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs with ES256 by hand, because JWT libraries do not create invalid tokens. */
export function signed(header: object, claims: object, privateKey: KeyObject): string {
  const input = `${base64url(header)}.${base64url(claims)}`;
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

/** Changes a valid token and signs it with the key of the service, so that only the change is wrong. */
export async function resign(
  service: TestService,
  token: string,
  change: { header?: Record<string, unknown>; claims?: Record<string, unknown> } = {},
): Promise<string> {
  const { privateKey } = await service.app.get(SigningKeysService).current('session');
  return signed(
    { ...decodeProtectedHeader(token), ...change.header },
    { ...decodeJwt(token), ...change.claims },
    privateKey,
  );
}
