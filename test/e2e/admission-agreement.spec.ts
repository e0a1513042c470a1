import fastify, { type FastifyInstance } from 'fastify';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { ChangeStreamService } from '../../src/service-guard/client/change-stream.service';
import { mfaPolicy } from '../../src/mfa/mfa.settings';
import { termsAtLogin } from '../../src/users';
import { someoneActing } from '../support/accounts/acting';
import { anyUserWith } from '../support/accounts/holders';
import { GuardedApp } from '../support/hosts/guarded-app';
import { guardClient } from '../support/hosts/guarded-service';
import { listen } from '../support/service/raw-http';
import { Found, serverEntry } from '../support/service/server-entry';
import { publishTerms, resetTerms } from '../support/accounts/terms';
import { Problem, TestClient } from '../support/service/test-client';
import { eventually, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const { can, CastellanServer, expressAuthentication, fastifyAuthentication, honoAuthentication } = serverEntry;

const INVOICE = { scope: 'billing', permission_id: 'invoice:create', level: 2 };
const READ = { ...INVOICE, permission_id: 'invoice:read' };
const HELD = [INVOICE, READ];
const SAFE = ['GET', 'HEAD', 'OPTIONS'];
const UNSAFE = ['POST', 'PUT', 'PATCH', 'DELETE', 'PURGE'];

/** `admitted`, or the code of the problem. */
type Outcome = string;

interface State {
  readonly name: string;
  /** Brings a browser into the state. */
  readonly enter: () => Promise<TestClient>;
  readonly leave?: () => Promise<void>;
  readonly reads: Outcome;
  readonly changes: Outcome;
}

let service: TestService;
let admin: TestClient;
let castellan: InstanceType<typeof CastellanServer>;
let guarded: GuardedApp;
let express: Server;
let onFastify: FastifyInstance;
let fastifyUrl: string;

const requireEnrolment = (): Promise<void> => service.set(mfaPolicy, 'required');
const allowAll = (): Promise<void> => service.set(mfaPolicy, 'optional');

const STATES: State[] = [
  {
    name: 'an ordinary session',
    enter: async () => (await anyUserWith(service, admin, ...HELD)).client,
    reads: 'admitted',
    changes: 'admitted',
  },
  {
    name: 'a password that must be changed',
    enter: async () => {
      const { id, client } = await anyUserWith(service, admin, ...HELD);
      await admin.patch(`/api/user/${id}`, { must_change_password: true });
      return client;
    },
    reads: 'password_change_required',
    changes: 'password_change_required',
  },
  {
    name: 'terms that must be accepted',
    enter: async () => {
      const { client } = await anyUserWith(service, admin, ...HELD);
      await publishTerms(service);
      await service.set(termsAtLogin, true);
      return client;
    },
    leave: () => resetTerms(service),
    reads: 'terms_required',
    changes: 'terms_required',
  },
  {
    name: 'a second factor that is due',
    enter: async () => {
      const { client } = await anyUserWith(service, admin, ...HELD);
      await requireEnrolment();
      return client;
    },
    leave: allowAll,
    reads: 'mfa_enrolment_required',
    changes: 'mfa_enrolment_required',
  },
  {
    name: 'a user who acts as another',
    enter: async () => (await someoneActing(service, admin, ...HELD)).actor.client,
    reads: 'admitted',
    changes: 'acting_restricted',
  },
  {
    name: 'a user who acts as another, whose second factor is due',
    enter: async () => {
      const { actor } = await someoneActing(service, admin, ...HELD);
      await requireEnrolment();
      return actor.client;
    },
    leave: allowAll,
    reads: 'mfa_enrolment_required',
    changes: 'mfa_enrolment_required',
  },
];

/** What an application built by the guide decides. */
function outcomeOf({ user, pending, acting }: Found): Outcome {
  if (pending) return `${pending.duty}_required`;
  if (!user) return acting ? 'acting_restricted' : 'unauthenticated';
  return can(user, 'billing:invoice:read') ? 'admitted' : 'permission_denied';
}

const codeOf = async (response: Response): Promise<Outcome> =>
  response.ok ? 'admitted' : ((await response.json()) as Problem).code;

const sent = async (url: string, method: string, cookie: string): Promise<Outcome> => {
  const response = await fetch(url, { method, headers: { cookie } });
  await response.text();
  return response.headers.get('x-outcome') ?? 'none';
};

withService(async (started) => {
  service = started;
  const port = await listen(service.app);
  const url = `http://127.0.0.1:${port}`;
  admin = await service.admin();
  castellan = new CastellanServer({ baseUrl: url });
  const { client_id: clientId, client_secret: clientSecret = '' } = await guardClient(admin);
  guarded = await GuardedApp.start('fastify', { url, clientId, clientSecret });
  await eventually(
    async () => guarded.app.get(ChangeStreamService).isConnected,
    (connected) => connected,
    20,
  );
  const middleware = expressAuthentication(castellan);
  express = createServer((request, response) => {
    middleware(request, response, () => {
      const found = (request as { castellan?: Found }).castellan;
      response.setHeader('x-outcome', found ? outcomeOf(found) : 'none').end();
    });
  }).listen(0, '127.0.0.1');
  await once(express, 'listening');
  onFastify = fastify();
  onFastify.addHttpMethod('PURGE');
  onFastify.addHook('onRequest', fastifyAuthentication(castellan));
  onFastify.route({
    method: [...SAFE, ...UNSAFE],
    url: '/',
    handler: (request, reply) => {
      const found = (request as { castellan?: Found }).castellan;
      return reply.header('x-outcome', found ? outcomeOf(found) : 'none').send();
    },
  });
  fastifyUrl = await onFastify.listen({ port: 0, host: '127.0.0.1' });
});

afterAll(async () => {
  express.close();
  await onFastify.close();
  await guarded.stop();
});

/** Who asks on behalf of others: name, and what they decide on a request with this method. */
const ASKING: [string, (client: TestClient, method: string) => Promise<Outcome>][] = [
  [
    'a server with Web requests, as Next.js',
    async ({ cookie }, method) =>
      outcomeOf(await castellan.authenticate(new Request('https://shop.example', { method, headers: { cookie } }))),
  ],
  [
    'a server with Express',
    ({ cookie }, method) => sent(`http://127.0.0.1:${(express.address() as AddressInfo).port}`, method, cookie),
  ],
  ['a server with Fastify', ({ cookie }, method) => sent(fastifyUrl, method, cookie)],
  [
    'a server with Hono',
    async ({ cookie }, method) => {
      let found: Found | undefined;
      const raw = new Request('https://shop.example', { method, headers: { cookie } });
      const context = {
        req: { raw },
        header: () => undefined,
        set: (_: string, value: Found) => (found = value),
      };
      await honoAuthentication(castellan)(context, async () => undefined);
      return found ? outcomeOf(found) : 'none';
    },
  ],
];

describe.each(STATES)('with $name', ({ enter, leave, reads, changes }) => {
  let client: TestClient;

  beforeAll(async () => {
    client = await enter();
  });

  afterAll(() => leave?.());

  it('the service, its guard elsewhere and a proxy decide alike', async () => {
    const { cookie } = client;
    const own = async (answer: Promise<{ status: number; body: Partial<Problem> }>): Promise<Outcome> => {
      const { status, body } = await answer;
      return status < 300 ? 'admitted' : (body.code ?? 'none');
    };
    expect({
      service: await own(client.get('/api/auth/sessions')),
      guard: await codeOf(await guarded.send('', { cookie })),
      proxy: await own(client.get('/api/auth/verify?acting=allow')),
    }).toEqual({ service: reads, guard: reads, proxy: reads });
    expect({
      service: await own(client.patch('/api/auth/me', { nickname: 'Ann' })),
      guard: await codeOf(await guarded.send('', { cookie }, 'POST')),
      // Without a word on acting, a proxy may pass on anything.
      proxy: await own(client.get('/api/auth/verify')),
    }).toEqual({ service: changes, guard: changes, proxy: changes });
  });

  it.each(ASKING)('%s decides like them', async (_, decide) => {
    for (const method of SAFE) expect([method, await decide(client, method)]).toEqual([method, reads]);
    for (const method of UNSAFE) expect([method, await decide(client, method)]).toEqual([method, changes]);
  });

  it('a page shows what needs a permission only when the service would admit the user', async () => {
    const { body } = await client.get<object>('/api/auth/me');
    expect(can(body, 'billing:invoice:read')).toBe(reads === 'admitted');
  });
});

describe('a server', () => {
  it('treats a request without a method as one that changes something', async () => {
    const { actor } = await someoneActing(service, admin);
    const { cookie } = actor.client;
    expect(outcomeOf(await castellan.authenticate({ headers: { cookie } }))).toBe('acting_restricted');
  });

  it('gives a route that opens itself the user in whose name another acts', async () => {
    const { actor, user } = await someoneActing(service, admin, ...HELD);
    const request = { method: 'POST', headers: { cookie: actor.client.cookie } };
    expect(await castellan.authenticate(request)).toMatchObject({
      user: null,
      acting: { actor: { id: actor.id, username: actor.username }, user: { id: user.id } },
    });
  });
});
