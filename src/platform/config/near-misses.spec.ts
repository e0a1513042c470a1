import { nearMisses } from './near-misses';

const KNOWN = new Set(['DATABASE_URL', 'REDIS_URL', 'PUBLIC_URL', 'ENCRYPTION_KEYS', 'PORT', 'HOST']);

describe('nearMisses', () => {
  it.each([
    ['a missing letter', 'DATABSE_URL', 'DATABASE_URL'],
    ['an extra letter', 'DATABASEE_URL', 'DATABASE_URL'],
    ['another letter', 'REDIS_URI', 'REDIS_URL'],
    ['two neighbours swapped', 'PUBILC_URL', 'PUBLIC_URL'],
    ['a missing end', 'ENCRYPTION_KEY', 'ENCRYPTION_KEYS'],
    ['another case', 'database_url', 'DATABASE_URL'],
  ])('finds %s', (_, found, known) => {
    expect(nearMisses([found], KNOWN)).toEqual([{ found, known }]);
  });

  it.each(['DATABASE_URL', 'PATH', 'HOSTS', 'PORTS', 'DATA_URL', 'MY_REDIS_URL', 'REDIS', ''])('ignores %j', (name) => {
    expect(nearMisses([name], KNOWN)).toEqual([]);
  });
});
