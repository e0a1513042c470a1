import { isForwarded } from './forwarding';

describe('isForwarded', () => {
  it.each([
    'forwarded',
    'via',
    'x-forwarded',
    'x-forwarded-for',
    'x-forwarded-proto',
    'x-real-ip',
    'x-client-ip',
    'x-original-forwarded-for',
    'true-client-ip',
    'cf-connecting-ip',
  ])('recognizes %s', (name) => {
    expect(isForwarded({ host: 'id.example.com', [name]: '' })).toBe(true);
  });

  it('ignores headers of a direct request', () => {
    expect(isForwarded({ host: 'id.example.com', 'user-agent': 'via', 'x-request-id': 'forwarded' })).toBe(false);
  });
});
