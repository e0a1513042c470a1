import { EnvironmentError } from './environment-error';
import { readEnvironment } from './read-environment';

const DATABASE_URL = 'postgres://a/x';

function problemsOf(source: Record<string, string>): string[] {
  try {
    readEnvironment(source);
  } catch (error) {
    if (error instanceof EnvironmentError) {
      return error.problems.map(({ variable, problem }) => `${variable} ${problem}`);
    }
    throw error;
  }
  return [];
}

describe('the URL of a database', () => {
  it.each<Record<string, string>>([
    { DATABASE_URL: 'postgres://db:5432' },
    { DATABASE_URL: 'postgres://db:5432/' },
    { DATABASE_URL: 'postgres://a:b@db/?x=y' },
    { DATABASE_URL: 'postgres:///?host=/run/pg' },
    { DATABASE_DIRECT_URL: 'postgres://b', DATABASE_URL },
    { DATABASE_REPLICA_URLS: 'postgres://b/x,postgres://c', DATABASE_URL },
  ])('is rejected without a database: %j', (source) => {
    const [variable = ''] = Object.keys(source);
    expect(problemsOf(source)).toEqual([
      expect.stringMatching(new RegExp(`^${variable} is .+: it names no database$`)) as string,
    ]);
  });
});

describe('ADMIN_PASSWORD', () => {
  it.each([
    ['too short', '1234567', 'admin'],
    ['too long', 'x'.repeat(257), 'admin'],
    ['common', 'Password123', 'admin'],
    ['the username', 'ROOT_of_tests', 'root_of_tests'],
  ])('is rejected when it is %s', (_, password, username) => {
    expect(problemsOf({ ADMIN_USERNAME: username, ADMIN_PASSWORD: password })).toEqual([
      'ADMIN_PASSWORD breaks the password rules',
    ]);
  });
});
