import { scimErrorOf, userType } from '../../../../test/support/directories/scim';
import { pathText } from './attribute-path';
import { Filter, parseFilter } from './filter';
import { groupResourceType } from './group-schema';

/** The filter in a form of its meaning that a test can name. */
function shown(filter: Filter): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `(${filter.filters.map(shown).join(` ${filter.kind} `)})`;
    case 'not':
      return `not ${shown(filter.filter)}`;
    case 'present':
      return `${pathText(filter.path)} pr`;
    case 'element':
      return `${pathText(filter.path)}[${shown(filter.filter)}]`;
    case 'comparison':
      return `${pathText(filter.path)} ${filter.operator} ${JSON.stringify(filter.operand)}`;
  }
}

const parsed = (filter: string): string => shown(parseFilter(filter, userType));

const errorOf = (filter: string, type = userType): ReturnType<typeof scimErrorOf> =>
  scimErrorOf(() => parseFilter(filter, type));

describe('parseFilter', () => {
  it.each([
    // RFC 7644 §3.4.2.2
    ['userName eq "bjensen"', 'userName eq "bjensen"'],
    [`name.familyName co "O'Malley"`, `name.familyName co "O'Malley"`],
    ['userName sw "J"', 'userName sw "J"'],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"', 'userName sw "J"'],
    ['title pr', 'title pr'],
    ['meta.lastModified gt "2011-05-13T04:42:34Z"', 'meta.lastModified gt "2011-05-13T04:42:34.000Z"'],
    ['meta.lastModified ge "2011-05-13T04:42:34.1234567Z"', 'meta.lastModified ge "2011-05-13T04:42:34.123Z"'],
    ['title pr and userType eq "Employee"', '(title pr and userType eq "Employee")'],
    ['title pr or userType eq "Intern"', '(title pr or userType eq "Intern")'],
    [
      'userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")',
      '(userType eq "Employee" and (emails.value co "example.com" or emails.value co "example.org"))',
    ],
    [
      'userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")',
      '(userType ne "Employee" and not (emails.value co "example.com" or emails.value co "example.org"))',
    ],
    [
      'userType eq "Employee" and emails[type eq "work" and value co "@example.com"]',
      '(userType eq "Employee" and emails[(type eq "work" and value co "@example.com")])',
    ],
    [
      'emails[type eq "work" and value co "@x"] or ims[type eq "xmpp" and value co "@foo"]',
      '(emails[(type eq "work" and value co "@x")] or ims[(type eq "xmpp" and value co "@foo")])',
    ],
    // "and" binds more than "or"
    ['title pr or active eq true and nickName pr', '(title pr or (active eq true and nickName pr))'],
    ['title pr and active eq true or nickName pr', '((title pr and active eq true) or nickName pr)'],
    ['title pr and title pr and title pr', '(title pr and title pr and title pr)'],
    // spelling
    ['USERNAME EQ "Ann"', 'userName eq "Ann"'],
    ['Title Pr AND NOT(Active Eq False)', '(title pr and not active eq false)'],
    ['  ( ( title   pr ) )  ', 'title pr'],
    ['active eq "True"', 'active eq true'],
    ['active eq FALSE', 'active eq false'],
    // null is what is not assigned
    ['title eq null', 'not title pr'],
    ['title ne null', 'title pr'],
    // extensions
    [
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager eq "26118915"',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value eq "26118915"',
    ],
    [
      'URN:CASTELLAN:scim:schemas:attributes:1.0:Employee_No eq "7"',
      'urn:castellan:scim:schemas:attributes:1.0:employee_no eq "7"',
    ],
    [
      'urn:castellan:scim:schemas:attributes:1.0:teams[value eq "red"]',
      'urn:castellan:scim:schemas:attributes:1.0:teams[value eq "red"]',
    ],
    [
      'urn:castellan:scim:schemas:attributes:1.0:level ge -1.5e2',
      'urn:castellan:scim:schemas:attributes:1.0:level ge -150',
    ],
    // JSON escapes
    [String.raw`userName eq "a\"b\\cé\n"`, String.raw`userName eq "a\"b\\cé\n"`],
    ['userName eq "]) and (["', 'userName eq "]) and (["'],
    ['userName eq ""', 'userName eq ""'],
    ['userName eq "李娜"', 'userName eq "李娜"'],
  ])('reads %s', (filter, expected) => {
    expect(parsed(filter)).toBe(expected);
  });

  it.each([
    ['', 'the name of an attribute expected at character 1'],
    ['userName', 'one of pr, eq, ne, co, sw, ew, gt, ge, lt, le expected at character 9'],
    ['userName eq', 'a text in quotes, a number, true, false or null expected at character 12'],
    ['userName like "a"', 'one of pr, eq, ne, co, sw, ew, gt, ge, lt, le expected at character 10'],
    ['userName eq ann', 'a text in quotes, a number, true, false or null expected at character 13'],
    ["userName eq 'ann'", 'a text in quotes, a number, true, false or null expected at character 13'],
    ['userName eq "ann', 'a text without a closing quote at character 13'],
    [String.raw`userName eq "\x"`, 'a text that is not valid JSON at character 13'],
    ['userName eq "a\nb"', 'a text that is not valid JSON at character 13'],
    ['userName eq "ann" title pr', '"and", "or" or the end expected at character 19'],
    ['userName eq "ann" and', 'the name of an attribute expected at character 22'],
    ['(title pr', '"and", "or" or ")" expected at character 10'],
    ['title pr)', '"and", "or" or the end expected at character 9'],
    ['not title pr', 'unknown attribute "not" at character 1'],
    ['emails[type eq "work"', '"and", "or" or "]" expected at character 22'],
    ['emails[type eq "work")', '"and", "or" or "]" expected at character 22'],
    ['emails[]', 'the name of an attribute expected at character 8'],
    ['emails.value[type eq "work"]', 'no brackets are possible at character 13'],
    ['userName[value eq "work"]', 'no brackets are possible at character 9'],
    ['emails[value[type eq "a"]]', 'no brackets are possible at character 13'],
    ['colour eq "red"', 'unknown attribute "colour" at character 1'],
    ['emails.colour eq "red"', 'unknown attribute "emails.colour" at character 1'],
    ['emails.value.value eq "red"', 'unknown attribute "emails.value.value" at character 1'],
    ['emails[colour eq "red"]', 'unknown attribute "colour" at character 8'],
    ['password eq "secret"', 'unknown attribute "password" at character 1'],
    ['constructor pr', 'unknown attribute "constructor" at character 1'],
    ['name.constructor pr', 'unknown attribute "name.constructor" at character 1'],
    ['urn:x:userName pr', 'unknown attribute "urn:x:userName" at character 1'],
    [
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User pr',
      'unknown attribute "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User" at character 1',
    ],
    ['name eq "Ann"', '"name" cannot be compared by eq with the value at character 9'],
    ['active gt true', '"active" cannot be compared by gt with the value at character 11'],
    ['active eq "yes"', '"active" cannot be compared by eq with the value at character 11'],
    ['active co "t"', '"active" cannot be compared by co with the value at character 11'],
    ['userName eq 5', '"userName" cannot be compared by eq with the value at character 13'],
    ['userName gt null', '"userName" cannot be compared by gt with the value at character 13'],
    [String.raw`userName eq "\u0000"`, '"userName" cannot be compared by eq with the value at character 13'],
    [String.raw`userName eq "\ud800"`, '"userName" cannot be compared by eq with the value at character 13'],
    ['meta.created co "2011-05-13T04:42:34Z"', '"meta" cannot be compared by co with the value at character 17'],
    ['meta.created gt "0000-05-13T04:42:34Z"', '"meta" cannot be compared by gt with the value at character 17'],
    ['meta.created gt "2011-02-30"', '"meta" cannot be compared by gt with the value at character 17'],
    [
      'urn:castellan:scim:schemas:attributes:1.0:level gt 1e999',
      '"level" cannot be compared by gt with the value at character 52',
    ],
  ])('rejects %s: %s', (filter, problem) => {
    expect(errorOf(filter)).toEqual({
      status: 400,
      scimType: 'invalidFilter',
      detail: `filter: ${problem}`,
    });
  });

  it('knows the attributes of the resource type alone', () => {
    expect(parseFilter('members eq "7"', groupResourceType)).toMatchObject({ operator: 'eq', operand: '7' });
    expect(errorOf('userName eq "ann"', groupResourceType).detail).toContain('unknown attribute "userName"');
  });

  it.each([
    ['brackets', `${'('.repeat(20)}title pr${')'.repeat(20)}`, `${'('.repeat(21)}title pr${')'.repeat(21)}`],
    ['negations', `${'not ('.repeat(20)}title pr${')'.repeat(20)}`, `${'not('.repeat(21)}title pr${')'.repeat(21)}`],
    ['conditions', series(200, 'title pr'), series(201, 'title pr')],
    ['conditions in brackets', `ims[${series(199, 'type pr')}]`, `ims[${series(200, 'type pr')}]`],
    ['characters', `title eq "${'x'.repeat(8_181)}"`, `title eq "${'x'.repeat(8_182)}"`],
  ])('limits %s', (_, good, bad) => {
    expect(() => parseFilter(good, userType)).not.toThrow();
    expect(errorOf(bad)).toMatchObject({ status: 400, scimType: 'invalidFilter' });
  });

  it('repeats no long name in its error', () => {
    expect(errorOf('x'.repeat(8_000)).detail.length).toBeLessThan(200);
  });
});

function series(count: number, condition: string): string {
  return Array.from({ length: count }, () => condition).join(' or ');
}
