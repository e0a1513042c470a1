import { syslogFrame } from './syslog-message';

const EVENT = {
  ...{ id: '01980c6e-4f3a-7c21-9d5b-2e8f60a1b3c4', at: '2026-01-31T09:30:00.000Z', action: 'role.update' },
  ...{ outcome: 'success', actor: null, session_id: null, target: null, ip: null, user_agent: null, request_id: null },
  ...{ before: null, after: { name: '编辑' }, reason: null },
};

describe('syslogFrame', () => {
  it('counts the bytes of the message, not its characters', () => {
    const frame = syslogFrame(EVENT, 'id.example.com');
    const [, count, message = ''] = /^(\d+) (.*)$/s.exec(frame) ?? [];
    expect(Buffer.byteLength(message)).toBe(Number(count));
    expect(message).toMatch(/^<110>1 2026-01-31T09:30:00\.000Z id\.example\.com castellan - role\.update - \{.*\}$/);
  });

  it('marks failures as warnings, and shortens the name of an action to 32 characters', () => {
    const frame = syslogFrame({ ...EVENT, outcome: 'failure', action: `a.${'b'.repeat(60)}` }, 'id.example.com');
    expect(frame).toContain('<108>1 ');
    expect(frame).toContain(` - a.${'b'.repeat(30)} - {`);
  });

  it('replaces what a header field must not contain', () => {
    expect(
      syslogFrame({ ...EVENT, action: 'a b\nc' }, '')
        .split(' ')
        .slice(3, 7),
    ).toEqual(['-', 'castellan', '-', 'a_b_c']);
  });
});
