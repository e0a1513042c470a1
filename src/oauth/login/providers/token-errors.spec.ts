import { ProviderFailure } from './provider-failure';
import { evaluateTokenError } from './token-errors';

describe('evaluateTokenError', () => {
  it.each<[string, unknown, string]>([
    ['a rejected code', new ProviderFailure('token', { code: 'invalid_grant' }), 'passed'],
    ['a rejected code of a vendor', new ProviderFailure('token', { code: 40029 }), 'passed'],
    ['a rejected client', new ProviderFailure('token', { code: 'invalid_client' }), 'failed'],
    ['a rejected client of a vendor', new ProviderFailure('token', { code: '40013' }), 'failed'],
    ['a rejection for another reason', new ProviderFailure('token', { code: 'slow_down' }), 'unclear'],
    ['a rejection without a reason', new ProviderFailure('token', { rejected: true }), 'unclear'],
    [
      'a known code of a response that is no rejection',
      new ProviderFailure('token', { code: 'invalid_grant', rejected: false }),
      'failed',
    ],
    ['no response', new ProviderFailure('token'), 'failed'],
    ['an error of the service', new Error('invalid_grant'), 'failed'],
  ])('judges the client by %s', (_, error, outcome) => {
    expect(evaluateTokenError(error)).toBe(outcome);
  });
});
