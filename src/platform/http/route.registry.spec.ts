import type { FastifyRequest, RouteOptions } from 'fastify';
import { RouteRegistry } from './route.registry';

const OWN = { castellan: true };
const route = (url: string, config?: object): RouteOptions => ({ url, config }) as unknown as RouteOptions;
const matched = (config: object): FastifyRequest =>
  ({ is404: false, routeOptions: { config }, raw: { url: '/any' } }) as unknown as FastifyRequest;
const unknown = (url: string): FastifyRequest => ({ is404: true, raw: { url } }) as unknown as FastifyRequest;

describe('RouteRegistry', () => {
  let registry: RouteRegistry;

  beforeEach(() => {
    registry = new RouteRegistry();
    registry.adopt(route('/api/auth/sessions/:id', OWN));
    registry.adopt(route('/v2/api/info', OWN));
    registry.adopt(route('/health/live', OWN));
    registry.adopt(route('/api/products'));
  });

  it('adopts only its own routes', () => {
    expect([
      registry.adopt(route('/api/role', OWN)),
      registry.adopt(route('/api/role')),
      registry.adopt(route('/', {})),
    ]).toEqual([true, false, false]);
  });

  it('owns a request by its matched route', () => {
    expect([
      registry.owns(matched(OWN)),
      registry.owns(matched({})),
      registry.owns(matched({ castellan: 'yes' })),
    ]).toEqual([true, false, false]);
  });

  it.each([
    ['/api/auth/nothing', true],
    ['/api/auth', true],
    ['/api/auth?x=/api/nothing', true],
    ['/v2/api/info/nothing', true],
    ['/api/info', false],
    ['/api/authors', false],
    ['/api/products/nothing', false],
    ['/health/nothing', false],
    ['/nothing?x=/api/auth/', false],
    ['/', false],
    ['', false],
  ])('decides whether it owns the unknown URL %s: %s', (url, owned) => {
    expect(registry.owns(unknown(url))).toBe(owned);
  });

  it('owns every request after claimEverything', () => {
    registry.claimEverything();
    expect([registry.owns(unknown('/nothing')), registry.owns(matched({})), registry.adopt(route('/'))]).toEqual([
      true,
      true,
      true,
    ]);
  });
});
