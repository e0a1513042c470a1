import { readCsv } from '../../platform/util';
import { auditCsvHead, auditCsvLine } from './audit-csv';

const event = {
  id: '01980c6e-4f3a-7c21-9d5b-2e8f60a1b3c4',
  at: '2026-01-02T03:04:05.006Z',
  action: 'setting.update',
  outcome: 'success',
  actor: { id: '01980c6e-4f3a-7c21-9d5b-2e8f60a1b3c5', username: 'ann' },
  session_id: null,
  target: { type: 'setting', id: 'app.name', label: '=HYPERLINK("http://evil.example")' },
  ip: '203.0.113.7',
  user_agent: null,
  request_id: 'r-1',
  before: { value: 'A "quoted", name' },
  after: null,
  reason: 'two\nlines',
};

describe('the audit log as CSV', () => {
  it('has a cell for each member and restores every text', () => {
    const [head, line] = [...readCsv(auditCsvHead() + auditCsvLine(event))];
    const cells = Object.fromEntries((head?.cells ?? []).map((name, place) => [name, line?.cells[place]]));
    expect(cells).toEqual({
      id: event.id,
      at: event.at,
      action: event.action,
      outcome: 'success',
      actor: 'ann',
      actor_id: event.actor.id,
      on_behalf_of: '',
      on_behalf_of_id: '',
      target_type: 'setting',
      target_id: 'app.name',
      target: event.target.label,
      organization_id: '',
      ip: event.ip,
      user_agent: '',
      session_id: '',
      request_id: 'r-1',
      before: '{"value":"A \\"quoted\\", name"}',
      after: '',
      reason: event.reason,
    });
  });

  it('hands no formula to a spreadsheet', () => {
    expect(auditCsvLine(event)).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
  });
});
