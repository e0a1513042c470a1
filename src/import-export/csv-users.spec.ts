import { ProblemError } from '../platform/errors';
import { csvUsers, MAX_CSV_USERS } from './csv-users';

const codeOf = (text: string): unknown => {
  try {
    return csvUsers(text).length;
  } catch (error) {
    return error instanceof ProblemError ? error.fields.map(({ field, code }) => `${field}: ${code}`) : error;
  }
};

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
    expect(
      csvUsers('id,username,roles,has_second_factor,created_at,last_login_at\n1,ann,iam:admin,true,x,'),
    ).toHaveLength(1);
  });

  it.each([
    ['', 'csv_names'],
    ['nickname\nAnn', 'csv_names'],
    ['username', 'csv_empty'],
    ['username,password\nann,secret', 'csv_column'],
    ['username,username\nann,ann', 'csv_column'],
    ['username\nann,bob', 'csv_width'],
    ['username,email_verified\nann,yes', 'csv_choice'],
    ['username,status\nann,gone', 'csv_choice'],
    ['username\n"ann', 'csv_quotes'],
    [`username\n${'a\n'.repeat(MAX_CSV_USERS + 1)}`, 'csv_users'],
  ])('rejects %j', (text, code) => {
    expect(codeOf(text)).toEqual([`csv: ${code}`]);
  });

  it('reads as many users as it may', () => {
    expect(codeOf(`username\n${'a\n'.repeat(MAX_CSV_USERS)}`)).toBe(MAX_CSV_USERS);
  });
});
