import { returnAddress } from './return-address';

const rules = {
  ownOrigin: 'https://id.example.com',
  allowedOrigins: ['https://app.example.com', 'http://localhost:3000'],
};

describe('returnAddress', () => {
  it.each([
    ['/', '/'],
    ['/settings?tab=logins#github', '/settings?tab=logins#github'],
    ['/a/../b', '/b'],
    ['/a?next=https://evil.example', '/a?next=https://evil.example'],
    ['https://id.example.com/home', 'https://id.example.com/home'],
    ['https://APP.example.com/x', 'https://app.example.com/x'],
    ['http://localhost:3000', 'http://localhost:3000/'],
  ])('accepts %s', (text, expected) => {
    expect(returnAddress(text, rules)).toBe(expected);
  });

  it.each([
    '',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/%2f/evil.example',
    '/%2Fevil.example',
    '/%5cevil.example',
    '/%5Cevil.example',
    '/%255cevil.example',
    '/%252fevil.example',
    '/./%2fevil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e%2e//evil.example',
    'http:evil.example',
    'https:evil.example',
    'https:/evil.example',
    'https:///evil.example',
    'https:\\\\evil.example',
    'http://evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'evil.example',
    'home',
    '?x',
    '#x',
    'https://app.example.com@evil.example',
    'https://app.example.com:443@evil.example',
    'https://app.example.com.evil.example',
    'https://app.example.comevil.example',
    'https://app.example.com:8443/',
    'http://app.example.com/',
    'https://user@app.example.com/',
    'https://app.example.com\\@evil.example',
    'https://evil.example?https://app.example.com',
    'https://evil.example#https://app.example.com',
    'HTTPS://EVIL.example/',
    'https://ａpp.example.com/',
    '/ünicode',
  ])('rejects %j', (text) => {
    expect(returnAddress(text, rules)).toBeUndefined();
  });

  it('limits the length', () => {
    expect(returnAddress(`/${'a'.repeat(1_999)}`, rules)).toBeDefined();
    expect(returnAddress(`/${'a'.repeat(2_000)}`, rules)).toBeUndefined();
    // The length of the encoded URL counts. Each quote is encoded as three characters.
    expect(returnAddress(`/${'"'.repeat(700)}`, rules)).toBeUndefined();
    expect(returnAddress(`https://app.example.com/?${'"'.repeat(700)}`, rules)).toBeUndefined();
  });
});
