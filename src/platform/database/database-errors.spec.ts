import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';
import { isConnectionLost, isDatabaseUnavailable } from './database-errors';

function databaseError(code: string): QueryFailedError {
  const error = new DatabaseError('a message in the language of the server', 0, 'error');
  return new QueryFailedError('SELECT 1', [], Object.assign(error, { code }));
}

describe('database errors', () => {
  it.each([
    ['a cancelled statement', '57014'],
    ['a lock timeout', '55P03'],
    ['a server that is read only', '25006'],
    ['a transaction that was idle too long', '25P03'],
    ['a transaction that took too long', '25P04'],
    ['a session that was idle too long', '57P05'],
    ['too many connections', '53300'],
    ['a full disk', '53100'],
  ])('reports the database as unavailable for %s', (_, code) => {
    expect(isDatabaseUnavailable(databaseError(code))).toBe(true);
  });

  it.each([
    ['a unique violation', '23505'],
    ['a statement of a failed transaction', '25P02'],
    ['a syntax error', '42601'],
  ])('reports the database as available for %s', (_, code) => {
    expect(isDatabaseUnavailable(databaseError(code))).toBe(false);
  });

  it('recognizes a lost connection by its code, whatever the language', () => {
    expect(['57P01', '08006', '23505'].map((code) => isConnectionLost(databaseError(code)))).toEqual([
      true,
      true,
      false,
    ]);
  });
});
