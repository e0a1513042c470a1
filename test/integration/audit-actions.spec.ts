import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declaredActions } from '../../src/audit';
import '../../src/identity/identity.module';
import { SERVICE_SUBJECTS } from '../../src/host-api/service-subjects';
import { expectedActionsOf } from '../support/documents/audit-actions';

const root = join(__dirname, '../..');

describe('the actions of audit events', () => {
  const actions = declaredActions();

  it('have subjects that no act of a host may have', () => {
    const subjects = new Set([...actions].map((action) => action.split('.', 1)[0] ?? ''));
    expect([...subjects].filter((subject) => !SERVICE_SUBJECTS.has(subject))).toEqual([]);
  });

  it('each have a title in every language, and no title is left over', () => {
    for (const language of ['en', 'zh']) {
      const titles = JSON.parse(readFileSync(join(root, 'i18n', language, 'audit.json'), 'utf8')) as object;
      expect([language, ...Object.keys(titles).sort()]).toEqual([
        language,
        ...[...actions].map((action) => action.replaceAll('.', '/')).sort(),
      ]);
    }
  });

  it('name the user to whom their target belongs, for the filter by user', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
    const nameless = files
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
      .flatMap((path) => {
        const text = readFileSync(join(root, 'src', path), 'utf8');
        return [...text.matchAll(/target: \{ type: '(?:session|identity|oauth_grant)'/g)]
          .map(({ index }) => text.slice(index, text.indexOf('\n    }', index)))
          .filter((entry) => !entry.includes('user_id'))
          .map(() => path.replaceAll('\\', '/'));
      });
    // Of the caller's own session: the actor is the user.
    expect(nameless.sort()).toEqual([
      'auth/reauthentication.service.ts',
      'auth/second-factor-reauthentication.service.ts',
    ]);
  });

  it('are each expected by a test', () => {
    const expected = expectedActionsOf(join(root, 'test'));
    expect([...actions].filter((action) => !expected.has(action)).sort()).toEqual([]);
  });
});
