import { Histogram, Registry } from 'prom-client';
import { AnsweredRequest, RequestTimes } from './request-times';

const ME = { method: 'GET', route: '/api/auth/me', status: 200 };
const ODD = { method: 'GET', route: '/a"b\\c\nd', status: 404 };

/** As the library counts and writes them. */
async function expected(requests: readonly AnsweredRequest[]): Promise<string> {
  const registry = new Registry();
  const histogram = new Histogram({
    name: 'castellan_http_request_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  for (const { seconds, ...labels } of requests) histogram.observe(labels, seconds);
  return registry.metrics();
}

describe('the times of requests', () => {
  it.each<[string, AnsweredRequest[]]>([
    ['none', []],
    ['one', [{ ...ME, seconds: 0.003 }]],
    ['on the bounds', [0, 0.001, 0.0025, 5].map((seconds) => ({ ...ME, seconds }))],
    [
      'beyond them',
      [
        { ...ME, seconds: 5.000_001 },
        { ...ME, seconds: 60 },
      ],
    ],
    ['of one route, apart by status', [200, 401, 200].map((status) => ({ ...ME, status, seconds: 0.02 }))],
    ['of one route, apart by method', ['GET', 'PUT', 'GET'].map((method) => ({ ...ME, method, seconds: 0.2 }))],
    ['of a route that has to be quoted', [{ ...ODD, seconds: 0.1 }]],
  ])('are told as the library tells them: %s', async (_, requests) => {
    const times = new RequestTimes();
    for (const request of requests) times.count(request);
    expect(times.text()).toBe(await expected(requests));
  });
});
