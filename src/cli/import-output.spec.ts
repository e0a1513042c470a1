import { ImportLine } from '../import-export';
import { ImportOutput, progressBar } from './import-output';

describe('progressBar', () => {
  it.each([
    [0, 0, 1_000, '[------------------------------] 0 %, 0 users'],
    [1_500, 500, 1_000, '[###############---------------] 50 %, 1,500 users'],
    [5_002, 1_000, 1_000, '[##############################] 100 %, 5,002 users'],
    [1, 2_000, 1_000, '[##############################] 100 %, 1 users'],
    [0, 0, 0, '[##############################] 100 %, 0 users'],
  ])('shows %i users after %i of %i bytes', (users, bytes, size, bar) => {
    expect(progressBar({ users, bytes }, size)).toBe(bar);
  });
});

describe('ImportOutput', () => {
  const line = (more: Partial<ImportLine>): ImportLine => ({ result: 'made', source_id: '1', name: 'ann', ...more });

  const written = (isVerbose: boolean, lines: readonly ImportLine[]): string[] => {
    const shown: string[] = [];
    const terminal = {
      write: (text: string) => void shown.push(text),
      showStatus: () => undefined,
      isOver: false,
      isScreen: false,
      isInteractive: false,
      finish: async () => undefined,
      readInput: async () => '',
      readSecret: async () => '',
      ask: async () => '',
    };
    const output = new ImportOutput(terminal, 1, isVerbose);
    for (const each of lines) output.write(each);
    return shown;
  };

  const harmless: ImportLine[] = [
    line({ notes: ['renamed'] }),
    line({ notes: ['renamed', 'locale_unknown', 'nickname_invalid'] }),
    line({ notes: ['email_invalid', 'phone_invalid', 'weak_password_hash', 'password_unusable', 'identity_left_out'] }),
    line({ result: 'merged' }),
    line({ result: 'completed' }),
    line({ result: 'skipped', why: 'service_account' }),
    line({ result: 'skipped', why: 'deleted_there' }),
  ];

  it('writes no line about users who log in as before', () => {
    expect(written(false, harmless)).toEqual([]);
    expect(written(true, harmless)).toHaveLength(harmless.length);
  });

  it.each([
    line({ notes: ['renamed', 'no_way_in'] }),
    line({ notes: ['login_name_lost'] }),
    line({ result: 'completed', notes: ['login_name_lost'] }),
    line({ notes: ['contact_left_out'] }),
    line({ result: 'merged', notes: ['factor_left_out'] }),
    line({ notes: ['role_left_out'] }),
    line({ notes: ['group_left_out'] }),
    line({ notes: ['organization_left_out'] }),
    line({ roles_left_out: [{ role: 'editor', why: 'unknown_role' }] }),
    line({ result: 'conflict', why: 'username_taken' }),
    line({ result: 'skipped', why: 'no_id' }),
    line({ result: 'skipped', why: 'not_json', line: 4 }),
    line({ result: 'skipped', why: 'provider_unknown' }),
    line({ result: 'skipped', why: 'id_unusable' }),
  ])('writes a line about what an operator must act upon: %j', (each) => {
    expect(written(false, [...harmless, each])).toEqual([`${JSON.stringify(each)}\n`]);
  });
});
