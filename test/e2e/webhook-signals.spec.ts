import { createServer, IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLocalJWKSet, JSONWebKeySet, jwtVerify, JWTPayload } from 'jose';
import { endOfFeed } from '../support/receivers/events';
import { eventually } from '../support/service/eventually';
import { expectProblem } from '../support/service/expect-problem';
import { userWith } from '../support/accounts/holders';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly token: string;
}
interface Delivery {
  readonly state: string;
  readonly status: number | null;
  readonly answer: string | null;
  readonly event: { readonly type: string };
}

const AUDIENCE = 'https://receiver.example.com';
const CAEP = 'https://schemas.openid.net/secevent/caep/event-type/';

describe('webhooks of the format caep', () => {
  let service: TestService;
  let admin: TestClient;
  let server: Server;
  let webhookId: string;
  let answer: { status: number; body: string };
  const received: Received[] = [];

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    server = createServer((request, response) => {
      let token = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (token += chunk));
      request.on('end', () => {
        received.push({ headers: request.headers, token });
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  beforeEach(async () => {
    await endOfFeed(service, admin);
    answer = { status: 202, body: '' };
    const body = {
      ...{ name: 'Signals', format: 'caep', audience: AUDIENCE },
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
      headers: { authorization: 'Bearer of the receiver' },
    };
    const created = await admin.post<{ id: string }>('/api/webhook', body);
    if (created.status !== 201) throw new Error(created.text);
    webhookId = created.body.id;
    received.length = 0;
  });
  afterEach(async () => {
    await service.query('DELETE FROM webhook');
  });

  const deliveries = async (): Promise<Delivery[]> =>
    (await admin.get<{ items: Delivery[] }>(`/api/webhook/${webhookId}/deliveries`)).body.items;

  /** Verifies tokens as a receiver does that has read the metadata. */
  async function verified(count: number): Promise<JWTPayload[]> {
    const got = await eventually(
      async () => received,
      ({ length }) => length >= count,
      20,
    );
    const anyone = service.client();
    const { body: metadata } = await anyone.get<{ issuer: string; jwks_uri: string }>('/.well-known/ssf-configuration');
    const { body: keys } = await anyone.get<JSONWebKeySet>(new URL(metadata.jwks_uri).pathname);
    const rules = { issuer: metadata.issuer, audience: AUDIENCE, typ: 'secevent+jwt', algorithms: ['RS256'] };
    const tokens = await Promise.all(got.map(({ token }) => jwtVerify(token, createLocalJWKSet(keys), rules)));
    return tokens.map(({ payload }) => payload);
  }

  it('send revoked sessions as signed tokens, each with its session', async () => {
    const ann = await service.signUp('ann');
    await service.logIn('ann');
    await service.logIn('ann');
    const { body: me } = await ann.get<{ id: string }>('/api/auth/me');
    const { body: list } = await ann.get<{ items: { id: string; current: boolean }[] }>('/api/auth/sessions');
    await ann.delete('/api/auth/sessions');
    const payloads = await verified(2);
    expect(received[0]?.headers).toMatchObject({
      'content-type': 'application/secevent+jwt',
      accept: 'application/json',
      authorization: 'Bearer of the receiver',
    });
    expect(received[0]?.headers).not.toHaveProperty('webhook-signature');
    const user = { format: 'iss_sub', iss: payloads[0]?.iss, sub: me.id };
    const others = list.items.filter(({ current }) => !current).map(({ id }) => id);
    expect(payloads.map(({ sub_id }) => sub_id)).toEqual(
      expect.arrayContaining(others.map((id) => ({ format: 'complex', user, session: { format: 'opaque', id } }))),
    );
    expect(payloads.map(({ events }) => Object.keys(events as object))).toEqual([
      [`${CAEP}session-revoked`],
      [`${CAEP}session-revoked`],
    ]);
    expect(new Set(payloads.map(({ jti }) => jti)).size).toBe(2);
    expect(payloads[0]).not.toHaveProperty('exp');
    expect(payloads[0]).not.toHaveProperty('sub');
  });

  interface Claims {
    readonly roles?: string[];
    readonly groups?: string[];
    readonly permissions?: string[];
  }
  const claimsOf = ({ events }: JWTPayload): Claims =>
    (events as Record<string, { claims: Claims }>)[`${CAEP}token-claims-change`]!.claims;

  it('send the roles, groups and permissions of a user as they are now', async () => {
    const bob = await service.signUp('bob');
    const { body: me } = await bob.get<{ id: string }>('/api/auth/me');
    const { body: role } = await admin.post<{ id: string }>('/api/role', {
      name: 'editor',
      permissions: [{ scope: 'shop', permission_id: 'order:read' }],
    });
    await admin.post(`/api/role/${role.id}/users`, { user_ids: [me.id] });
    const [assigned] = await verified(1);
    expect(claimsOf(assigned!)).toMatchObject({ roles: expect.arrayContaining(['editor']) as string[] });
    expect(claimsOf(assigned!).permissions).toContain('shop:order:read');

    const { body: group } = await admin.post<{ id: string }>('/api/group', { name: 'Writers' });
    await admin.post(`/api/group/${group.id}/users`, { user_ids: [me.id] });
    const joined = (await verified(2))[1]!;
    expect(joined.sub_id).toMatchObject({ sub: me.id });
    expect(claimsOf(joined)).toMatchObject({
      groups: ['Writers'],
      roles: expect.arrayContaining(['editor']) as string[],
    });

    const add = [{ scope: 'shop', permission_id: 'order:delete' }];
    expect((await admin.patch(`/api/user/${me.id}/permissions`, { add })).status).toBe(200);
    const granted = (await verified(3))[2]!;
    expect(Object.keys(claimsOf(granted))).toEqual(['permissions']);
    expect(claimsOf(granted).permissions).toContain('shop:order:delete');
  });

  it('need the permission to see what users hold', async () => {
    const holder = await userWith(service, admin, 'hooks', 'webhook:create', 'webhook:update', 'event:read');
    const body = { name: 'Mine', url: 'https://192.0.2.1/events', format: 'caep', audience: AUDIENCE };
    expectProblem(await holder.client.post('/api/webhook', body), 403, 'permission_denied');
    const path = `/api/webhook/${webhookId}`;
    expectProblem(await holder.client.patch(path, { audience: 'https://mine.example.com' }), 403, 'permission_denied');
    expect((await holder.client.patch(path, { name: 'Renamed' })).status).toBe(200);
  });

  it('repeat a token that is answered by anything but 202, and show the error', async () => {
    answer = { status: 400, body: '{"err":"invalid_audience","description":"Not for us"}' };
    const test = await admin.post<Delivery>(`/api/webhook/${webhookId}/test`);
    expect(test.body).toMatchObject({ state: 'failed', status: 400, answer: answer.body });
    answer = { status: 200, body: '' };
    await service.signUp('cem');
    const cem = await service.logIn('cem');
    await cem.post('/api/auth/logout');
    const [waiting] = await eventually(deliveries, (items) => items.some(({ status }) => status === 200));
    expect(waiting).toMatchObject({ state: 'pending', event: { type: 'session.ended' } });
    answer = { status: 202, body: '' };
    await service.query('UPDATE webhook_delivery SET next_at = now()');
    await eventually(deliveries, (items) => items[0]?.state === 'delivered', 20);
    const [verification, first, second] = await verified(3);
    expect(Object.keys(verification?.['events'] as object)).toEqual([
      'https://schemas.openid.net/secevent/ssf/event-type/verification',
    ]);
    expect(second?.jti).toBe(first?.jti);
  });
});
