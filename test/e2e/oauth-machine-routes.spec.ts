import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownRoutes } from '../support/service/own-routes';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;

withService((started) => {
  service = started;
});

describe('OAuth client as caller', () => {
  it('has its routes and what they need in the documentation', () => {
    const page = readFileSync(join(__dirname, '../../docs/openid-provider.md'), 'utf8');
    const [, section = ''] = /^## Machines$(.*?)^## /ms.exec(page) ?? [];
    const documented = section.split('\n').flatMap((line) => {
      const [, routes = '', needs = ''] = line.split('|');
      const permission = /`([\w:]+)`/.exec(needs)?.[1] ?? needs.trim();
      return [...routes.matchAll(/`([A-Z]+ \/[^`]+)`/g)].map(([, route = '']) => `${route}: ${permission}`);
    });
    const open = ownRoutes(service).flatMap(({ route, clients }) =>
      clients ? `${route}: ${clients.join(', ') || 'any scope'}` : [],
    );
    expect(documented.sort()).toEqual(open.sort());
  });
});
