import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICE_SUBJECTS } from '../../src/host-api/service-subjects';
import { auditActionsOf, expectedActionsOf } from '../support/audit-actions';

const root = join(__dirname, '../..');

describe('the actions of audit events', () => {
  const { actions, unknown } = auditActionsOf(join(root, 'src'));

  it('are found in the source, however they reach the log', () => {
    expect(unknown).toEqual([]);
    // A property, a variable, arguments and a default.
    const some = ['login', 'message_template.update', 'session.logout', 'user.add_roles', 'setting.update'];
    expect([...actions]).toEqual(expect.arrayContaining([...some, 'password.reset', 'user.merge']));
  });

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

  it('are each expected by a test', () => {
    const expected = expectedActionsOf(join(root, 'test'));
    expect([...actions].filter((action) => !expected.has(action)).sort()).toEqual([]);
  });
});
