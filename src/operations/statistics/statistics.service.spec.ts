import { CacheFactory, NoInvalidations } from '../../platform/cache';
import type { Transactions } from '../../platform/database';
import type { ActivityHour } from './activity-hour.entity';
import type { ActivityRepository } from './activity.repository';
import { StatisticsService } from './statistics.service';

const HOUR_MS = 3_600_000;
const CURRENT = new Date('2026-03-04T05:00:00Z');
const hoursAgo = (hours: number): Date => new Date(CURRENT.getTime() - hours * HOUR_MS);
const hourOf = (hour: Date): ActivityHour => ({
  ...{ hour, logins: 1, failedLogins: 0, deliveries: 0, failedDeliveries: 0, activeSessions: null, methods: {} },
});
const caches = new CacheFactory({ isOpen: false } as Transactions, new NoInvalidations());

describe('StatisticsService', () => {
  it('counts an hour once if another instance stores it at the same time', async () => {
    const written = [3, 2, 1].map((hours) => hourOf(hoursAgo(hours)));
    const activity: Partial<ActivityRepository> = {
      openHours: () => Promise.resolve({ first: hoursAgo(2), lastSettled: hoursAgo(1), current: CURRENT }),
      findBetween: (first, end) => Promise.resolve(written.filter(({ hour }) => hour >= first && hour < end)),
      count: () => Promise.resolve([2, 1, 0].map((hours) => hourOf(hoursAgo(hours)))),
    };
    const { steps } = await new StatisticsService(caches, activity as ActivityRepository).read('day');
    expect(steps.slice(-5).map(({ logins }) => logins)).toEqual([0, 1, 1, 1, 1]);
  });
});
