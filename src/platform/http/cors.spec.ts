import { corsHeaders } from './cors';

const ALLOWED = ['https://app.test', 'http://localhost:3000'];

describe('corsHeaders', () => {
  it.each(['https://app.test', 'http://localhost:3000', 'HTTPS://APP.test'])('allows %s exactly as sent', (origin) => {
    expect(corsHeaders(origin, ALLOWED)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
    });
  });

  it.each([
    undefined,
    '',
    'null',
    '*',
    'https://app.test/',
    'https://app.test:443',
    'http://app.test',
    'https://xapp.test',
    'https://app.test.evil.test',
    'https://app.test, https://evil.test',
    'http://localhost',
    'http://localhost:30000',
    'https://\u212Aapp.test',
  ])('sends no headers to %j', (origin) => {
    expect(corsHeaders(origin, ALLOWED)).toEqual({});
  });

  it('sends no headers without a list', () => {
    expect(corsHeaders('https://app.test', [])).toEqual({});
    expect(corsHeaders('', [''])).toEqual({});
  });
});
