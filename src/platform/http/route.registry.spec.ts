import type { FastifyRequest, RouteOptions } from 'fastify';
import { RouteRegistry } from './route.registry';

const OWN = { castellan: true };
const route = (url: string, config?: object): RouteOptions => ({ url, config }) as unknown as RouteOptions;
const matched = (config: object): FastifyRequest =>
  ({ is404: false, routeOptions: { config }, raw: { url: '/any' } }) as unknown as FastifyRequest;
const unknown = (url: string): FastifyRequest => ({ is404: true, raw: { url } }) as unknown as FastifyRequest;

describe('OwnPaths', () => {
  let paths: RouteRegistry;

  beforeEach(() => {
    paths = new RouteRegistry();
    paths.adopt(route('/api/auth/sessions/:id', OWN));
    paths.adopt(route('/v2/api/info', OWN));
    paths.adopt(route('/health/live', OWN));
    paths.adopt(route('/api/products'));
  });

  it('adopts its own routes alone', () => {
    expect([
      paths.adopt(route('/api/role', OWN)),
      paths.adopt(route('/api/role')),
      paths.adopt(route('/', {})),
    ]).toEqual([true, false, false]);
  });

  it('owns a request by its route, wherever that lies', () => {
    expect([paths.owns(matched(OWN)), paths.owns(matched({})), paths.owns(matched({ castellan: 'yes' }))]).toEqual([
      true,
      false,
      false,
    ]);
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
  ])('of addresses that no route takes: %s -> %s', (url, owned) => {
    expect(paths.owns(unknown(url))).toBe(owned);
  });

  it('owns all there is once told so', () => {
    paths.claimEverything();
    expect([paths.owns(unknown('/nothing')), paths.owns(matched({})), paths.adopt(route('/'))]).toEqual([
      true,
      true,
      true,
    ]);
  });
});
