import perfHooks from 'node:perf_hooks';
import type { HashingQueue } from '../crypto';
import type { Database } from '../database';
import type { Log } from '../logging';
import { MetricsService } from './metrics.service';

const made = (): MetricsService =>
  new MetricsService(
    { running: 1, waiting: 2 } as HashingQueue,
    { pool: () => ({ open: 3, waiting: 4 }) } as Database,
    { droppedLines: 5 } as Log,
  );

describe('MetricsService', () => {
  it('starts the collectors of the process once', () => {
    const watch = jest.spyOn(perfHooks, 'monitorEventLoopDelay');
    made();
    made();
    expect(watch.mock.calls.length).toBeLessThan(2);
    watch.mockRestore();
  });

  it('exposes process metrics and only its own service metrics', async () => {
    const [one, other] = [made(), made()];
    one.countBusyRejection();
    const [text, otherText] = [await one.text(), await other.text()];
    expect(text.match(/^process_cpu_seconds_total /gm)).toHaveLength(1);
    expect(text).toContain('\ncastellan_database_busy_total 1\n');
    expect(text).toContain('\ncastellan_hashes_waiting 2\n');
    expect(otherText.match(/^process_cpu_seconds_total /gm)).toHaveLength(1);
    expect(otherText).toContain('\ncastellan_database_busy_total 0\n');
  });

  it('counts requests by route and status', async () => {
    const metrics = made();
    metrics.countRequest({ method: 'GET', route: '/api/auth/me', status: 200, seconds: 0.003 });
    metrics.countRequest({ method: 'GET', route: '/api/auth/me', status: 200, seconds: 0.2 });
    const text = await metrics.text();
    const labels = 'method="GET",route="/api/auth/me",status="200"';
    expect(text).toContain(`castellan_http_request_seconds_bucket{le="0.005",${labels}} 1\n`);
    expect(text).toContain(`castellan_http_request_seconds_count{${labels}} 2\n`);
  });

  it('describes every name once', async () => {
    const described = (await made().text()).match(/^# TYPE \S+/gm) ?? [];
    expect(described.length).toBeGreaterThan(20);
    expect(new Set(described).size).toBe(described.length);
  });
});
