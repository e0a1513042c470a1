import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';
import { isConnectionLost, isDatabaseUnavailable } from './database-errors';

function refusal(code: string): QueryFailedError {
  const error = new DatabaseError('as the server says it, in its own language', 0, 'error');
  return new QueryFailedError('SELECT 1', [], Object.assign(error, { code }));
}

describe('a refusal of PostgreSQL', () => {
  it.each([
    ['a cancelled statement', '57014'],
    ['a lock that others keep', '55P03'],
    ['a server that is read only', '25006'],
    ['a transaction that idled too long', '25P03'],
    ['a transaction that took too long', '25P04'],
    ['a session that idled too long', '57P05'],
    ['too many connections', '53300'],
    ['a full disk', '53100'],
  ])('says that it cannot serve now: %s', (_, code) => {
    expect(isDatabaseUnavailable(refusal(code))).toBe(true);
  });

  it.each([
    ['a name that is taken', '23505'],
    ['a statement of a failed transaction', '25P02'],
    ['a statement that is wrong', '42601'],
  ])('says nothing of the kind: %s', (_, code) => {
    expect(isDatabaseUnavailable(refusal(code))).toBe(false);
  });

  it('that ends the connection is known for it, whatever the language', () => {
    expect(['57P01', '08006', '23505'].map((code) => isConnectionLost(refusal(code)))).toEqual([true, true, false]);
  });
});
