import 'reflect-metadata';
import { checkInput } from './check-input';
import { TimeField } from './structured-fields';

class FromDto {
  @TimeField({ description: 'a moment' }) from: string;
}

describe('TimeField', () => {
  it.each([
    '2024-02-29T23:59:59Z',
    '2000-02-29T00:00:00Z',
    '2024-04-30T00:00:00.123456789+14:00',
    '2024-12-31t00:00:00z',
  ])('accepts %s', (from) => {
    expect(checkInput(FromDto, { from })).toEqual({ from });
  });

  // JavaScript accepts some of these as the following day.
  it.each([
    '2024-02-30T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2024-04-31T00:00:00Z',
    '2024-01-32T00:00:00Z',
    '2024-13-01T00:00:00Z',
    '2024-00-01T00:00:00Z',
    '2024-01-00T00:00:00Z',
    '2024-01-01T24:00:00Z',
    '2024-01-01T00:60:00Z',
    '2024-01-01T00:00:00+24:00',
    '2024-01-01T00:00:00',
    '2024-01-01',
    '0024-01-01T00:00:00Z',
  ])('rejects %s', (from) => {
    const problem = { fields: [{ field: 'from', code: 'time' }] };
    expect(() => checkInput(FromDto, { from })).toThrow(expect.objectContaining(problem) as Error);
  });
});
