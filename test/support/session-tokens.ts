import { KeyObject, sign } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { SigningKeysService } from '../../src/session';
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

export const partsOf = (token: string): [string, string, string] => token.split('.') as [string, string, string];
export const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs by hand with ES256, since a JWT library refuses to make what the forgeries of tests are. */
export function signed(header: object, claims: object, privateKey: KeyObject): string {
  const input = `${base64url(header)}.${base64url(claims)}`;
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

/** A token a bit different from a good one, signed with the service's own key: everything but the change is right. */
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
