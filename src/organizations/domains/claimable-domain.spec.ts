import { domainProblem } from './claimable-domain';

describe('domainProblem', () => {
  it.each([
    'example.com',
    'Example.COM',
    'sub.example.co.uk',
    'münchen.example',
    '例子.中国',
    `${'a'.repeat(63)}.example`,
  ])('accepts %s', (domain) => {
    expect(domainProblem(domain)).toBeUndefined();
  });

  it.each([
    ['', 'domain'],
    ['com', 'domain'],
    ['localhost', 'domain'],
    ['example.com.', 'domain'],
    ['-a.example', 'domain'],
    ['a b.example', 'domain'],
    ['ann@example.com', 'domain'],
    ['https://example.com', 'domain'],
    ['192.0.2.1', 'domain'],
    [`${'a'.repeat(64)}.example`, 'domain'],
    [Array.from({ length: 80 }, () => 'abc').join('.'), 'domain'],
    ['gmail.com', 'domain_not_allowed'],
    ['QQ.com', 'domain_not_allowed'],
    ['163.com', 'domain_not_allowed'],
  ])('rejects %j: %s', (domain, problem) => {
    expect(domainProblem(domain)).toBe(problem);
  });
});
