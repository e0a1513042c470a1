import { Method } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly parameters?: readonly { name: string; in: string }[];
  readonly requestBody?: { content: Readonly<Record<string, { schema: Schema }>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { schemas: Readonly<Record<string, Schema>> };
}

const CANARY = 'cAnArY';
let made = 0;

/** A unique text that names the place it was sent in. */
const canary = (place: string): string => `${CANARY}${place.replace(/\W/g, '')}${++made}`;

let service: TestService;
let document: Document;

beforeAll(async () => {
  service = await TestService.start();
  document = (await service.client().get<Document>('/api/openapi.json')).body;
});

afterAll(() => service.stop());

function fill(schema: Schema, place: string): unknown {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return fill(document.components.schemas[name]!, place);
  const [choice] = schema.oneOf ?? schema.allOf ?? [];
  if (choice) return fill(choice, place);
  if (schema.items) return [fill(schema.items, place)];
  if (!schema.properties) return canary(place);
  return Object.fromEntries(
    Object.entries(schema.properties).map(([field, of]) => [field, fill(of, `${place}${field}`)]),
  );
}

const sendable = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Calls every route with a canary in each place that a client controls. */
async function walk(headers: () => Record<string, string>): Promise<number> {
  let routes = 0;
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [verb, { parameters = [], requestBody }] of Object.entries(operations)) {
      if (!sendable.has(verb)) continue;
      routes++;
      const query = parameters
        .filter((parameter) => parameter.in === 'query')
        .map(({ name }) => `${name}=${canary(name)}`);
      const address = `${path.replace(/\{(\w+)\}/g, (_, name: string) => canary(name))}?${[...query, `token=${canary('query')}`].join('&')}`;
      const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
      const body = schema && fill(schema, path);
      for (const content of [{}, { body }, { raw: `{"password":"${canary('raw')}` }]) {
        await service.client().send(verb.toUpperCase() as Method, address, {
          ...content,
          headers: headers(),
          cookie: `iam_access=${canary('cookie')}; iam_refresh=${canary('cookie')}; iam_device=${canary('cookie')}`,
        });
      }
    }
  }
  return routes;
}

const lines = (): Record<string, unknown>[] =>
  service.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
const spilled = (texts: readonly string[]): string[] =>
  service.logLines.filter((line) => texts.some((text) => line.includes(text)));

describe('log at its most verbose level', () => {
  it('contains no client input, whatever the route', async () => {
    const routes = await walk(() => ({
      'content-type': 'application/json',
      authorization: `Bearer ${canary('bearer')}.${canary('bearer')}.${canary('bearer')}`,
      'user-agent': canary('agent'),
      referer: `https://${canary('referer')}.example`,
      'x-api-key': canary('apikey'),
    }));
    expect(routes).toBeGreaterThan(15);
    expect(service.logLines.length).toBeGreaterThan(routes);
    expect(spilled([CANARY])).toEqual([]);
  });

  it('contains no password, token or hash, on success or failure', async () => {
    const password = canary('password');
    const ann = service.client();
    await ann.post('/api/auth/register', { username: 'ann', password, email: 'ann@example.com' });
    await ann.post('/api/auth/login', { type: 'password', username: 'ann', password });
    const tokens = [...ann.jar.values()];
    await ann.post('/api/auth/login', { type: 'password', username: 'ann', password: canary('wrong') });
    await ann.post('/api/auth/reauthenticate', { password });
    await ann.post('/api/auth/reauthenticate', { password: canary('wrong') });
    await ann.put('/api/auth/me/password', { current_password: password, new_password: canary('new') });
    await ann.post('/api/auth/refresh');
    await ann.post('/api/auth/refresh', { refresh_token: canary('refresh') });
    await ann.post('/api/auth/logout');
    tokens.push(...ann.jar.values());
    expect(tokens.length).toBeGreaterThanOrEqual(4);
    const [user] = await service.query<{ password_hash: string }>(
      `SELECT password_hash FROM user_account WHERE username = 'ann'`,
    );
    expect(user!.password_hash).toMatch(/^\$argon2/);
    expect(spilled([CANARY, '$argon2', ...tokens])).toEqual([]);
  });

  it.each([
    ['the insertion of a user', 'user_role', 'register'],
    ['the creation of a session', 'session', 'login'],
    ['the text of an audit event', 'audit_event', 'register'],
  ])('contains none when %s fails with a defect', async (_, table, act) => {
    const password = canary('defect');
    await service.register(`bob_${act}_${table}`, { password });
    await service.query(`ALTER TABLE ${table} RENAME TO gone`);
    try {
      const username = act === 'login' ? `bob_login_${table}` : `eve_${table}`;
      const answer = await service
        .client()
        .post(`/api/auth/${act}`, { ...(act === 'login' && { type: 'password' }), username, password });
      expect(answer.status).toBe(500);
    } finally {
      await service.query(`ALTER TABLE gone RENAME TO ${table}`);
    }
    const defects = lines().filter((line) => line['level'] === 'error');
    expect(defects.length).toBeGreaterThan(0);
    expect(spilled([CANARY, '$argon2'])).toEqual([]);
  });
});

describe('log lines', () => {
  const strange = [
    'a\r\nb',
    '\u001b[31mred\u001b[0m',
    'a\u2028b\u2029c',
    '\u202eevil',
    '{"level":"fatal"}',
    '\u0000',
    '\u0085',
  ];

  it.each(strange)('are one JSON object each for the input %j', async (text) => {
    const client = service.client();
    const header = Buffer.from(text.replace(/[\r\n\0]/g, '')).toString('latin1');
    await client.post('/api/auth/register', { username: text, password: text, nickname: text });
    await client.post(
      '/api/auth/login',
      { type: 'password', username: text, password: PASSWORD },
      { headers: { 'user-agent': header, 'x-request-id': header } },
    );
    await client.get(`/api/nothing/${encodeURIComponent(text)}?lang=${encodeURIComponent(text)}`);
    for (const line of service.logLines) {
      expect(line.endsWith('\n')).toBe(true);
      expect(line.trimEnd()).not.toMatch(/[\p{Cc}\u2028\u2029\u202e]/u);
      expect(JSON.parse(line)).toEqual(
        expect.objectContaining({ level: expect.any(String) as string, time: expect.any(String) as string }),
      );
    }
  });

  it('of a request have caller, route, status, UTC time and request id', async () => {
    const cid = await service.signUp('cid');
    const me = await cid.get<{ id: string }>('/api/auth/me', { headers: { 'x-request-id': 'seen-1' } });
    await service.client().get('/api/auth/me?lang=zh', { headers: { 'x-request-id': 'seen-2' } });
    await service.client().get('/%ff', { headers: { 'x-request-id': 'seen-3' } });
    const of = (id: string): Record<string, unknown>[] => lines().filter((line) => line['request_id'] === id);
    expect(of('seen-1')).toEqual([
      expect.objectContaining({
        level: 'info',
        msg: 'request',
        method: 'GET',
        route: '/api/auth/me',
        status: 200,
        ip: cid.address,
        user_id: me.body.id,
        session_id: expect.any(String) as string,
        duration_ms: expect.any(Number) as number,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      }),
    ]);
    expect(of('seen-2')).toEqual([expect.objectContaining({ route: '/api/auth/me', status: 401 })]);
    expect(of('seen-3')).toEqual([expect.objectContaining({ route: 'unknown', status: 404 })]);
  });
});
