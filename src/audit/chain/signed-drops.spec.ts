import type { RootClaims } from './root-claims';
import { SignedDrops } from './signed-drops';

const place = { position: '1', id: '' };
const root: RootClaims = { number: 9, previous: null, from: place, to: place, events: 0, last_at: 0, root: '' };
const time = (text: string): number => Date.parse(`${text}Z`);

describe('signed drops', () => {
  const dropped = { months: ['2026-08', '2026-12'], retention_days: 30, at: time('2027-01-31T00:00') };

  it.each([
    ['2026-08-01T00:00', 8, true],
    ['2026-08-31T23:59:59.999', 8, true],
    ['2026-12-31T23:59:59.999', 8, true],
    ['2026-07-31T23:59:59.999', 8, false],
    ['2026-09-01T00:00', 8, false],
    ['2026-08-15T00:00', 9, false],
    ['2026-08-15T00:00', 10, false],
  ])('excuse an event of %s in root %d: %s', (at, number, isDropped) => {
    expect(new SignedDrops([{ ...root, dropped }]).isDropped(time(at), number)).toBe(isDropped);
  });

  it('of former versions reach up to a time', () => {
    const drops = new SignedDrops([{ ...root, dropped_before: time('2026-08-01T00:00') }]);
    expect([drops.isDropped(time('2025-01-01T00:00'), 8), drops.isDropped(time('2025-01-01T00:00'), 9)]).toEqual([
      true,
      false,
    ]);
    expect(drops.isDropped(time('2026-08-01T00:00'), 8)).toBe(false);
    expect(drops.months).toEqual([]);
  });

  it.each([
    ['the day at which the retention has passed', {}, 0, []],
    ['a moment before', { at: dropped.at - 1 }, 0, ['2026-12']],
    ['a longer retention at the drop', { retention_days: 31 }, 0, ['2026-12']],
    ['a longer signed retention', {}, 365, ['2026-08', '2026-12']],
  ])('are early, or not, by %s', (_, changed, proven, early) => {
    const drops = new SignedDrops([{ ...root, retention_days: proven, dropped: { ...dropped, ...changed } }]);
    expect(drops.months.filter(({ isEarly }) => isEarly).map(({ month }) => month)).toEqual(early);
  });
});
