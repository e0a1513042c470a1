import { serverOf } from './server-address';

describe('serverOf', () => {
  it.each([
    ['postgres://ann:s3cret@db.internal:6432/castellan', 'db.internal:6432'],
    ['postgresql://ann:s3cret@db.internal/castellan', 'db.internal:5432'],
    ['postgres://ann:s3cret@[fd00::1]:5433/castellan', '[fd00::1]:5433'],
    ['postgres:///castellan?host=db.internal&port=6432&user=ann&password=s3cret', 'db.internal:6432'],
    ['postgres://ann:s3cret@%2Fvar%2Frun%2Fpostgresql/castellan', '/var/run/postgresql'],
    ['postgres:///castellan?host=/var/run/postgresql', '/var/run/postgresql'],
  ])('returns for %s: %s', (url, server) => {
    expect(serverOf(url)).toBe(server);
  });
});
