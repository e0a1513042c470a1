import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OpenApiDocumentFactory } from '../../src/operations/info';
import { ownRoutes } from '../support/service/own-routes';
import { Method, TestClient } from '../support/service/test-client';
import { ADMIN, TestService } from '../support/service/test-service';
import { accessTable, UNDOCUMENTED } from '../support/documents/access-table';
import { tableProblems, withRows } from '../support/documents/access-table-file';
import { ApiDocument, documentProblems, testSources, untestedRoutes } from '../support/documents/route-places';
import { withService } from '../support/service/with-service';

/** Every API route in the form `GET /api/auth/sessions/{id}`. */
const routesOf = (service: TestService): string[] => ownRoutes(service).map(({ route }) => route);

const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';

const ENDLESS = new Set(['/api/event/stream', '/api/auth/me/stream']);

async function statusFor(client: TestClient, route: string): Promise<number> {
  const [method, path] = route.split(' ') as [Method, string];
  const url = path.replace('{file}', 'seed.svg').replace(/\{\w+\}/g, UNKNOWN_ID);
  // Opened as described, it would not end.
  const query = ENDLESS.has(path) ? '?types=none' : '';
  const takesBody = ['POST', 'PUT', 'PATCH'].includes(method) && !route.endsWith('/logout');
  return (await client.send(method, `${url}${query}`, takesBody ? { body: {} } : {})).status;
}

const FOR_CLIENTS = new Set([
  'POST /access/v1/evaluation',
  'POST /access/v1/evaluations',
  'GET /api/event',
  'GET /api/event/stream',
  'POST /api/guard/check',
  'PUT /api/guard/catalogue',
  'GET /api/guard/stream',
  'POST /api/permission/check',
  'POST /api/auth/users',
]);

const bySession = (route: string): string[] =>
  FOR_CLIENTS.has(route) ? ['bearer', 'machine', 'session'] : ['bearer', 'session'];

/** Accepted credentials of routes for which the status of an empty anonymous request does not show them. */
const NOT_BY_STATUS: Readonly<Record<string, readonly string[]>> = {
  'POST /api/auth/codes': ['bearer', 'nothing', 'session'],
  'GET /api/auth/login/mfa': ['mfa'],
  'POST /api/auth/login/mfa': ['mfa', 'nothing'],
  'POST /api/auth/login/mfa/options': ['mfa', 'nothing'],
  'POST /api/auth/refresh': ['nothing', 'refresh'],
  'DELETE /api/auth/act-as': ['actor'],
  'GET /api/oauth/bind': ['bind'],
  'POST /api/oauth/bind/register': ['bind', 'nothing'],
  'POST /api/oauth/bind/login': ['bind', 'nothing'],
  'GET /api/oauth/interaction/{uid}': ['nothing', 'session'],
  'POST /api/oauth/interaction/{uid}': ['nothing', 'session'],
  'POST /api/oauth/token': ['client', 'nothing'],
  'GET /api/oauth/userinfo': ['oauth'],
  'POST /api/oauth/userinfo': ['oauth'],
  'POST /api/oauth/revoke': ['client', 'nothing'],
  'POST /api/oauth/introspect': ['client', 'nothing'],
  'POST /api/oauth/par': ['client', 'nothing'],
};

/** Tests that name them compose their address of variables. */
const COMPOSED = new Set(['POST /api/auth/reauthenticate/options', 'GET /.well-known/oauth-authorization-server']);

const arePagesBuilt = existsSync(join(__dirname, '../../dist/web'));
const isBuiltPage = (route: string): boolean =>
  /^GET \/(?:login|register|reset-password|invitation|bind|consent|error|sign-in-preview|account|admin)\b/.test(route);

describe('access table', () => {
  let service: TestService;
  let users = 0;

  withService((started) => {
    service = started;
  });

  const codesOf = (route: string, status: string): string[] => {
    const [verb = '', path = ''] = route.split(' ');
    const { paths } = service.app.get(OpenApiDocumentFactory, { strict: false }).get();
    const operation = (paths[path] as Record<string, { responses: Record<string, { description: string }> }>)[
      verb.toLowerCase()
    ]!;
    return Array.from(operation.responses[status]?.description.matchAll(/`([a-z_]+)`/g) ?? [], ([, code = '']) => code);
  };

  const statusesOf = async (route: string): Promise<number[]> => {
    const user = await service.signUp(`golden_${users++}`);
    const administrator = await service.logIn(ADMIN.username, ADMIN.password);
    const statuses = [];
    for (const client of [service.client(), user, administrator]) statuses.push(await statusFor(client, route));
    return statuses;
  };

  it('lists every registered route and no other (`npm run openapi:update` writes test/support/documents/access-table.ts)', async () => {
    const registered = routesOf(service);
    const { missing, gone } = await tableProblems(registered, Object.keys(accessTable), statusesOf);
    if (process.env['UPDATE_OPENAPI'] === '1' && missing.length + gone.length > 0) {
      const file = join(__dirname, '../support/documents/access-table.ts');
      await writeFile(file, withRows(await readFile(file, 'utf8'), missing, gone));
      process.stdout.write(
        `Wrote test/support/documents/access-table.ts. Check the statuses:\n${missing.join('\n')}\n`,
      );
      return;
    }
    expect({ missing, gone }).toEqual({ missing: [], gone: [] });
  });

  it('has no route of the API that no test names', () => {
    const routes = routesOf(service).filter((route) => !UNDOCUMENTED.has(route) && !COMPOSED.has(route));
    expect(untestedRoutes(routes, testSources())).toEqual([]);
  });

  it('lists the same routes as the OpenAPI document', () => {
    const { paths } = service.app.get(OpenApiDocumentFactory, { strict: false }).get();
    const documented = Object.entries(paths).flatMap(([path, verbs]) =>
      Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${path}`),
    );
    const expected = Object.keys(accessTable).filter((route) => !UNDOCUMENTED.has(route));
    expect(documented.sort()).toEqual(expected.sort());
  });

  it('matches docs/openapi.json (`npm run openapi:update` writes the file)', async () => {
    const file = join(__dirname, '../../docs/openapi.json');
    const document = service.app.get(OpenApiDocumentFactory, { strict: false }).get();
    const served = `${JSON.stringify(document, null, 2)}\n`;
    if (process.env['UPDATE_OPENAPI'] === '1') await writeFile(file, served);
    const kept = await readFile(file, 'utf8');
    expect(documentProblems(document, JSON.parse(kept) as ApiDocument)).toEqual([]);
    expect(kept === served).toBe(true);
  });

  it('documents every status that a route returns', async () => {
    const { paths } = service.app.get(OpenApiDocumentFactory, { strict: false }).get();
    for (const [route, statuses] of Object.entries(accessTable)) {
      if (UNDOCUMENTED.has(route)) continue;
      const [verb = '', path = ''] = route.split(' ');
      const operation = (paths[path] as Record<string, { responses: object }>)[verb.toLowerCase()]!;
      const known = Object.keys(operation.responses).map(Number);
      for (const status of statuses) {
        expect({ route, status, known: known.includes(status) }).toEqual({ route, status, known: true });
      }
    }
  });

  it('documents the accepted credentials: a session where an anonymous request gets 401, otherwise as listed here', () => {
    const { paths, components } = service.app.get(OpenApiDocumentFactory, { strict: false }).get();
    const documented = Object.entries(accessTable)
      .filter(([route]) => !UNDOCUMENTED.has(route))
      .map(([route, [nobody]]) => {
        const [verb = '', path = ''] = route.split(' ');
        const { security } = (paths[path] as Record<string, { security: object[] }>)[verb.toLowerCase()]!;
        const names = security.map((each) => Object.keys(each)[0] ?? 'nothing').sort();
        return { route, names, expected: NOT_BY_STATUS[route] ?? (nobody === 401 ? bySession(route) : []) };
      });
    for (const { route, names, expected } of documented) expect([route, ...names]).toEqual([route, ...expected]);
    const named = new Set(documented.flatMap(({ names }) => names));
    expect([...named].sort()).toEqual([...Object.keys(components?.securitySchemes ?? {}), 'nothing'].sort());
  });

  it.each([
    // Administrator writes count against a limit. Other routes are closed during required MFA enrolment.
    ['PUT /api/setting', '429', 'rate_limited'],
    ['DELETE /api/role/{id}', '429', 'rate_limited'],
    ['GET /api/auth/sessions', '403', 'mfa_enrolment_required'],
    ['PATCH /api/auth/me', '403', 'mfa_enrolment_required'],
    ['POST /api/auth/codes', '401', 'session_revoked'],
    ['POST /api/auth/codes', '401', 'token_expired'],
  ])('documents that %s may return %s %s', (route, status, code) => {
    expect(codesOf(route, status)).toContain(code);
  });

  it.each([
    ['GET /api/role', '429'],
    ['GET /api/auth/mfa', '403'],
    ['GET /api/auth/me', '429'],
  ])('documents no rate limit or MFA enrolment error for %s %s', (route, status) => {
    expect(codesOf(route, status)).not.toEqual(expect.arrayContaining(['rate_limited']));
    expect(codesOf(route, status)).not.toEqual(expect.arrayContaining(['mfa_enrolment_required']));
  });

  if (!arePagesBuilt) it.skip('returns for pages as listed: they are not built (npm run build:web)', () => undefined);

  it.each(Object.entries(accessTable).filter(([route]) => arePagesBuilt || !isBuiltPage(route)))(
    'returns for %s to an anonymous client, a user and an administrator: %j',
    async (route, expected) => {
      expect(await statusesOf(route)).toEqual(expected);
    },
  );
});

/** What `npm run lint:declared` says of a route that a contributor adds to the code alone. */
describe('a new route', () => {
  const motto = 'GET /api/info/motto';
  const before = { paths: { '/api/info': { get: { tags: ['info'] } } }, components: { schemas: { InfoDto: {} } } };
  const served = {
    paths: { ...before.paths, '/api/info/motto': { get: {} } },
    components: { schemas: { InfoDto: { type: 'object' }, MottoDto: {} } },
  };

  it('without a row is reported with the row, as is a row without a route', async () => {
    const statuses = (): Promise<number[]> => Promise.resolve([401, 200, 200]);
    expect(await tableProblems([motto, 'GET /b'], ['GET /a', 'GET /b'], statuses)).toEqual({
      missing: [`'${motto}': [401, 200, 200],`],
      gone: ['GET /a'],
    });
  });

  it('gets a row at the end of the table, which loses those of routes that are gone', () => {
    const source = "const table = {\n  'GET /a': [200, 200, 200],\n  'GET /b': [401, 403, 200],\n};\n";
    expect(withRows(source, ["'GET /c': [401, 200, 200],"], ['GET /a'])).toBe(
      "const table = {\n  'GET /b': [401, 403, 200],\n  'GET /c': [401, 200, 200],\n};\n",
    );
  });

  it('that docs/openapi.json lacks is reported, with its schemas and those that changed', () => {
    expect(documentProblems(served, before)).toEqual([
      `${motto} is not in docs/openapi.json`,
      'InfoDto is described otherwise in docs/openapi.json',
      'MottoDto is not in docs/openapi.json',
    ]);
    expect(documentProblems(before, served)).toContain(`${motto} is only in docs/openapi.json`);
    expect(documentProblems(served, served)).toEqual([]);
  });

  it('that no test names is reported', () => {
    const routes = [motto, 'GET /api/user/{id}', 'PUT /api/user/{id}/level'];
    expect(untestedRoutes(routes, ["get('/api/info')", 'get(`/api/user/${id}`)'])).toEqual([motto, routes[2]]);
    expect(untestedRoutes(routes, ["'/api/info/motto?lang=zh'", '`/api/user/${id}`, `${own}/level`'])).toEqual([]);
  });
});
