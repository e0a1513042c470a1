import { FieldProblem, ProblemError } from '../platform/errors';
import { csvUsers, MAX_CSV_ROLES, MAX_CSV_USERS } from './csv-users';

/** Nothing for a file that can be read. */
const problemsOf = (text: string): readonly FieldProblem[] => {
  try {
    csvUsers(text);
    return [];
  } catch (error) {
    if (error instanceof ProblemError) return error.fields;
    throw error;
  }
};

const codesOf = (text: string): string[] => problemsOf(text).map(({ field, code }) => `${field}: ${code}`);

describe('csvUsers', () => {
  it('reads the columns in any order, and what is empty as missing', () => {
    const [ann, bob] = csvUsers(
      'Email,username,email_verified,status,phone\nann@x.example,Ann,TRUE,,\n,bob,,disabled,+861\n',
    );
    expect(ann).toMatchObject({
      line: 2,
      entry: {
        sourceId: 'ann',
        name: 'Ann',
        email: 'ann@x.example',
        emailVerified: true,
        isDisabled: false,
        roles: [],
      },
    });
    expect(bob).toMatchObject({ line: 3, entry: { sourceId: 'bob', isDisabled: true, phone: '+861' } });
  });

  it('identifies a user without a username by the e-mail address', () => {
    expect(csvUsers('email\nAnn@X.example')[0]?.entry).toMatchObject({ sourceId: 'ann@x.example', name: undefined });
  });

  it('skips a user with neither', () => {
    expect(csvUsers('username,nickname\n,Ann')[0]?.entry).toMatchObject({ why: 'no_id' });
  });

  it('ignores the other columns of an export', () => {
    expect(csvUsers('id,username,has_second_factor,created_at,last_login_at\n1,ann,true,x,')).toHaveLength(1);
  });

  it('reads roles separated by spaces', () => {
    expect(csvUsers('username,roles\nann, iam:admin   editor ')[0]?.entry).toMatchObject({
      roles: ['iam:admin', 'editor'],
    });
  });

  it('rejects a line with too many roles, and counts none twice', () => {
    const names = Array.from({ length: MAX_CSV_ROLES }, (_, number) => `r${number}`);
    const fileWith = (more: string): string => `username,roles\nann,editor\nbob,${names.join(' ')} ${more}`;
    expect(csvUsers(fileWith('r0 r1'))[1]?.entry).toMatchObject({ roles: names });
    expect(problemsOf(fileWith('one_more'))).toEqual([
      { field: 'csv', code: 'csv_roles', params: { line: 3, max: MAX_CSV_ROLES } },
    ]);
  });

  it.each([
    ['a line with the separator', 'sep=;\r\nusername;email\r\nann;a@x.example\r\n'],
    ['a quoted line with the separator', '"sep=,"\nusername,email\nann,a@x.example\n'],
    ['a comma at the end of the head', 'username,email,\nann,a@x.example\n'],
    ['commas at the end of all lines', 'username,email,,,\nann,a@x.example,,,\n,,,,\n'],
    ['semicolons at the end of all lines', 'username;email;\nann;a@x.example;\n'],
    ['empty cells too many', 'username,email\nann,a@x.example,,, ,\n'],
    ['tabs', 'username\temail\nann\ta@x.example\n'],
    ['a line with the separator that is a tab', 'sep=\t\nusername\temail\nann\ta@x.example'],
    ['a mark before the line with the separator', '\ufeffsep=;\nusername;email\nann;a@x.example'],
  ])('reads %s, as spreadsheets write it', (_, text) => {
    expect(csvUsers(text)).toEqual([
      expect.objectContaining({ entry: expect.objectContaining({ name: 'ann', email: 'a@x.example' }) as unknown }),
    ]);
  });

  it('counts the line with the separator', () => {
    expect(csvUsers('sep=;\nusername\nann')[0]?.line).toBe(3);
    expect(problemsOf('sep=;\nusername\nann;bob')).toEqual([
      { field: 'csv', code: 'csv_width', params: { line: 3, max: 1 } },
    ]);
  });

  it('names a workbook and UTF-16', () => {
    const inUtf16 = new TextDecoder().decode(Buffer.from('\ufeffusername\r\nann\r\n', 'utf16le'));
    expect(codesOf('PK\u0003\u0004rest')).toEqual(['csv: csv_workbook']);
    expect(codesOf(inUtf16)).toEqual(['csv: csv_utf16']);
  });

  it.each([
    ['', 'csv_names'],
    ['nickname\nAnn', 'csv_names'],
    ['username', 'csv_empty'],
    ['username,password\nann,secret', 'csv_column'],
    ['username,username\nann,ann', 'csv_column'],
    ['username\nann,bob', 'csv_width'],
    ['username,,email\nann,,a@x.example', 'csv_column'],
    ['username,email_verified\nann,yes', 'csv_choice'],
    ['username,status\nann,gone', 'csv_choice'],
    ['username\n"ann', 'csv_quotes'],
    [`username\n${'a\n'.repeat(MAX_CSV_USERS + 1)}`, 'csv_users'],
    [`username\n${'a\n'.repeat(MAX_CSV_USERS + 1)}"not read any more`, 'csv_users'],
  ])('rejects %j', (text, code) => {
    expect(codesOf(text)).toEqual([`csv: ${code}`]);
  });

  it('reads as many users as it may', () => {
    const names = Array.from({ length: MAX_CSV_USERS }, (_, number) => `a${number}\n`);
    expect(csvUsers(`username\n${names.join('')}`)).toHaveLength(MAX_CSV_USERS);
  });

  it.each([
    ['a username', 'username\nann\nbob\nANN', { line: 4, first: 2 }],
    ['an e-mail address', 'email\na@x.example\nA@X.example', { line: 3, first: 2 }],
    [
      'the e-mail address of another username',
      'username,email\nann,a@x.example\nbob,A@x.example',
      { line: 3, first: 2 },
    ],
    ['an e-mail address that is the username', 'username,email\na@x.example,\n,a@x.example', { line: 3, first: 2 }],
  ])('rejects %s that is given twice, and names both lines', (_, text, params) => {
    expect(problemsOf(text)).toEqual([{ field: 'csv', code: 'csv_repeated', params }]);
  });

  it('accepts a username that is the e-mail address of the same line', () => {
    expect(csvUsers('username,email\na@x.example,a@x.example\n,b@x.example')).toHaveLength(2);
  });

  it('rejects text that was read in another encoding, and names the line', () => {
    const text = new TextDecoder().decode(Buffer.from('username,nickname\r\nann,\xd5\xc5\xce\xb0\r\n', 'latin1'));
    expect(problemsOf(text)).toEqual([{ field: 'csv', code: 'csv_encoding', params: { line: 2 } }]);
  });
});
