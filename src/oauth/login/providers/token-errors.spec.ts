import { ProviderFailure } from './provider-failure';
import { evaluateTokenError } from './token-errors';

const CODES = {
  passed: ['invalid_grant', 'bad_verification_code', '40029', 'invalidParameter.authCode.notFound', 'isv.code-invalid'],
  failed: [
    'invalid_client',
    'unauthorized_client',
    'incorrect_client_credentials',
    '40001',
    '40013',
    '40125',
    'isv.invalid-app-id',
    'isv.invalid-signature',
  ],
};

describe('evaluateTokenError', () => {
  it.each(Object.entries(CODES))('knows the codes of every vendor: %s', (outcome, codes) => {
    const outcomes = codes.map((code) => evaluateTokenError(new ProviderFailure('token', { code })));
    expect(outcomes).toEqual(codes.map(() => outcome));
  });

  it.each<[string, unknown, string]>([
    ['a code that is a number', new ProviderFailure('token', { code: 40029 }), 'passed'],
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
