import { OpenApiDocumentFactory } from '../../src/operations/info';
import { EVENT_STREAM } from '../../src/platform/http';
import { expectProblem } from '../support/service/expect-problem';
import { ownRoutes } from '../support/service/own-routes';
import { Problem, TestClient } from '../support/service/test-client';
import type { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';
/** Browsers come to them from other sites: protocols of logins redirect them there. */
const OF_PROTOCOLS = /^GET \/api\/oauth\/(?:authorize|login|callback|logout)\b/;

const CROSS_SITE = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };

describe('a GET by a link of another site', () => {
  let service: TestService;
  let admin: TestClient;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
  });

  const gets = (): string[] =>
    ownRoutes(service)
      .map(({ route }) => route)
      .filter((route) => route.startsWith('GET ') && !OF_PROTOCOLS.test(route));
  const isStream = (route: string): boolean => {
    const { paths } = service.app.get(OpenApiDocumentFactory, { strict: false }).get();
    const path = paths[route.slice(4)] as { get?: { responses: Record<string, { content?: object }> } } | undefined;
    return Object.keys(path?.get?.responses['200']?.content ?? {}).includes(EVENT_STREAM);
  };
  const visit = (route: string, headers = {}): ReturnType<typeof admin.send<Problem>> =>
    admin.send('GET', route.slice(4).replace(/\{\w+\}/g, UNKNOWN_ID), { headers });
  const countAudited = async (): Promise<number> =>
    (await service.query<{ count: number }>('SELECT count(*)::int AS count FROM audit_event'))[0]!.count;

  it('is rejected by each stream', async () => {
    const streams = gets().filter(isStream);
    expect(streams).toContain('GET /api/event/stream');
    for (const route of streams) {
      const { status, body } = await visit(route, CROSS_SITE);
      expect([route, status, body.code]).toEqual([route, 403, 'csrf_rejected']);
    }
  });

  it('is rejected by each route that is audited', async () => {
    const audited: string[] = [];
    for (const route of gets().filter((each) => !isStream(each))) {
      const before = await countAudited();
      await visit(route);
      const after = await countAudited();
      if (after === before) continue;
      audited.push(route);
      expectProblem(await visit(route, CROSS_SITE), 403, 'csrf_rejected');
      expect([route, (await admin.send('HEAD', route.slice(4))).status]).toEqual([route, 404]);
      expect([route, await countAudited()]).toEqual([route, after]);
    }
    expect(audited.sort()).toEqual(['GET /api/audit/export', 'GET /api/auth/me/export', 'GET /api/user/export']);
  });

  it('leaves links of the own site and typed addresses alone', async () => {
    for (const site of ['same-origin', 'none']) {
      expect((await visit('GET /api/audit/export', { 'sec-fetch-site': site })).status).toBe(200);
    }
  });
});
