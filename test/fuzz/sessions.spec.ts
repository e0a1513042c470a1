import * as fc from 'fast-check';
import { rateLimitsEnabled } from '../../src/platform/http';
import { TestClient } from '../support/service/test-client';
import { eventually, PASSWORD, TestService } from '../support/service/test-service';
import { PATH, REQUESTS, SEED } from './how-much';

interface Login {
  readonly client: TestClient;
  /** Cookies from before the last refresh. */
  former: string;
  isOpen: boolean;
}

/** The expected state of the service. */
interface Model {
  readonly logins: Login[];
  isEnabled: boolean;
  mayReadRoles: boolean;
}

interface Real {
  readonly service: TestService;
  readonly other: TestService;
  readonly admin: TestClient;
  readonly username: string;
  readonly userId: string;
}

type Act = (model: Model, real: Real) => Promise<void>;

const expected = (model: Model, { isOpen }: Login): string =>
  isOpen ? `200 ${model.mayReadRoles ? 200 : 403}` : '401 401';

async function seen(client: TestClient): Promise<string> {
  return `${(await client.get('/api/auth/me')).status} ${(await client.get('/api/role')).status}`;
}

/** Result on another instance with the same cookies. */
async function seenBy(service: TestService, { jar }: TestClient): Promise<string> {
  const client = service.client();
  for (const [name, value] of jar) client.jar.set(name, value);
  return seen(client);
}

class Step implements fc.AsyncCommand<Model, Real> {
  constructor(
    private readonly name: string,
    private readonly act: Act,
  ) {}

  check = (): boolean => true;

  /** A change is effective on the next request to the same instance. */
  async run(model: Model, real: Real): Promise<void> {
    await this.act(model, real);
    for (const login of model.logins) expect(await seen(login.client)).toBe(expected(model, login));
  }

  toString = (): string => this.name;
}

const LOGIN = '/api/auth/login';
const closeAll = (model: Model, keep?: Login): void => {
  for (const login of model.logins) login.isOpen &&= login === keep;
};

const logIn: Act = async (model, { service, username }) => {
  const client = service.client();
  const { status } = await client.post(LOGIN, { type: 'password', username, password: PASSWORD });
  expect(status).toBe(model.isEnabled ? 200 : 403);
  if (model.isEnabled) model.logins.push({ client, former: '', isOpen: true });
};

const refresh = async (_: Model, login: Login): Promise<void> => {
  const before = login.client.cookie;
  expect((await login.client.post('/api/auth/refresh')).status).toBe(login.isOpen ? 200 : 401);
  if (login.isOpen) login.former = before;
};

/** Accepted within the grace period without a change. */
const replay = async (_: Model, { client, former, isOpen }: Login): Promise<void> => {
  if (former === '') return;
  const { status } = await client.post('/api/auth/refresh', undefined, { cookie: former });
  expect(status).toBe(isOpen ? 200 : 401);
};

const logOut = async (_: Model, login: Login): Promise<void> => {
  // Keeps the cookies to show that they are invalid.
  const { cookie } = login.client;
  const { status } = await login.client.post('/api/auth/logout', undefined, { cookie });
  expect(status).toBe(login.isOpen ? 204 : 401);
  login.isOpen = false;
};

const endOthers = async (model: Model, login: Login): Promise<void> => {
  const { status } = await login.client.delete('/api/auth/sessions');
  expect(status).toBe(login.isOpen ? 200 : 401);
  if (login.isOpen) closeAll(model, login);
};

const switchTo =
  (status: 'active' | 'disabled'): Act =>
  async (model, { admin, userId }) => {
    expect((await admin.patch(`/api/user/${userId}`, { status })).status).toBe(200);
    model.isEnabled = status === 'active';
    if (!model.isEnabled) closeAll(model);
  };

const grant =
  (how: 'add' | 'remove'): Act =>
  async (model, { admin, userId }) => {
    const change = how === 'add' ? { add: [{ permission_id: 'role:read' }] } : { remove: ['role:read'] };
    expect((await admin.patch(`/api/user/${userId}/permissions`, change)).status).toBe(200);
    model.mayReadRoles = how === 'add';
  };

const step = (name: string, act: Act): fc.Arbitrary<Step> => fc.constant(new Step(name, act));
const ofOne = (name: string, act: (model: Model, login: Login) => Promise<void>): fc.Arbitrary<Step> =>
  fc.nat(20).map(
    (which) =>
      new Step(`${name} ${which}`, async (model) => {
        const login = model.logins[which % Math.max(model.logins.length, 1)];
        if (login) await act(model, login);
      }),
  );

const steps = fc.commands(
  [
    step('log in', logIn),
    step('log in', logIn),
    ofOne('refresh', refresh),
    ofOne('replay', replay),
    ofOne('log out', logOut),
    ofOne('end others', endOthers),
    step('disable', switchTo('disabled')),
    step('enable', switchTo('active')),
    step('grant', grant('add')),
    step('take', grant('remove')),
  ],
  { maxCommands: 20 },
);

describe(`sessions and permissions in any order (FUZZ_SEED=${SEED})`, () => {
  let service: TestService;
  let other: TestService;
  let admin: TestClient;
  let users = 0;

  beforeAll(async () => {
    service = await TestService.start();
    other = await service.another();
    await service.set(rateLimitsEnabled, false);
    admin = await service.admin();
  });

  afterAll(() => service.stop());

  async function begin(): Promise<{ model: Model; real: Real }> {
    const username = `walker${++users}`;
    const client = await service.signUp(username);
    const userId = (await client.get<{ id: string }>('/api/auth/me')).body.id;
    const model: Model = { logins: [{ client, former: '', isOpen: true }], isEnabled: true, mayReadRoles: false };
    return { model, real: { service, other, admin, username, userId } };
  }

  it(
    'match the expected state on every instance: immediately here, within a second elsewhere',
    async () => {
      const property = fc.asyncProperty(steps, async (commands) => {
        const { model, real } = await begin();
        await fc.asyncModelRun(() => ({ model, real }), commands);
        for (const login of model.logins) {
          const wanted = expected(model, login);
          await eventually(
            () => seenBy(other, login.client),
            (found) => found === wanted,
          );
        }
      });
      const numRuns = Math.ceil(REQUESTS / 4);
      await fc.assert(property, { numRuns, seed: SEED, ...(PATH !== undefined && { path: PATH }) });
    },
    Math.max(60_000, REQUESTS * 1_000),
  );
});
