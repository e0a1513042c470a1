import { Transactions } from '../../src/platform/database';
import {
  CodeProof,
  CodeProofsService,
  codeResend,
  codesPerHourPerAddress,
  maxDailyCodes,
} from '../../src/verification';
import { CodeCleanupJob } from '../../src/verification/code-cleanup.job';
import { proveContacts } from '../support/accounts/accounts';
import { eventually } from '../support/service/eventually';
import { testMessages, WITH_POST_OFFICE } from '../support/receivers/test-messages';
import type { TestClient } from '../support/service/test-client';
import type { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

describe('verification codes', () => {
  let service: TestService;
  let made = 0;

  withService(async (started) => {
    service = started;
    await service.set(codeResend, 0);
  }, WITH_POST_OFFICE);

  const freshEmail = (): string => `ending${++made}@example.com`;
  const send = async (target: string, purpose = 'register', client: TestClient = service.client()): Promise<number> =>
    (await client.post('/api/auth/codes', { purpose, channel: 'email', target })).status;
  const check = (target: string): Promise<CodeProof> =>
    service.app
      .get(CodeProofsService, { strict: false })
      .check({ purpose: 'register', channel: 'email', key: target, code: testMessages.code(target) });
  const kept = async (table: 'verification_code' | 'verification_target'): Promise<unknown[]> =>
    (await service.query<{ target: string }>(`SELECT target FROM ${table} ORDER BY target`)).map(
      ({ target }) => target,
    );

  it('rejects a verified code that expires before it is consumed', async () => {
    const target = freshEmail();
    await send(target);
    const proof = await check(target);
    await service.query('UPDATE verification_code SET expires_at = now() WHERE target = $1', [target]);
    const spending = service.app.get(Transactions).run(() => proof.consume());
    await expect(spending).rejects.toMatchObject({ code: 'code_invalid' });
  });

  it('verifies no code while codes are disabled', async () => {
    const target = freshEmail();
    await send(target);
    await service.set(maxDailyCodes, 0);
    await expect(check(target)).rejects.toMatchObject({ code: 'verification_disabled' });
    await service.set(maxDailyCodes, maxDailyCodes.defaultValue);
    await expect(check(target)).resolves.toBeDefined();
  });

  it('deletes the codes of a deleted account', async () => {
    const target = freshEmail();
    const client = await service.signUp('leaves_soon');
    expect(await send(target, 'bind', client)).toBe(202);
    expect(await kept('verification_code')).toContain(target);
    expect((await client.delete('/api/auth/me')).status).toBe(204);
    expect(await kept('verification_code')).not.toContain(target);
  });

  it('records a sent code with a masked recipient, and writes in the language of the recipient', async () => {
    const target = freshEmail();
    const client = await service.signUp('reads_chinese', { email: target });
    await proveContacts(service, 'reads_chinese');
    expect((await client.patch('/api/auth/me', { locale: 'zh' })).status).toBe(200);
    expect(await send(target, 'login')).toBe(202);
    await eventually(
      async () => testMessages.to(target).length,
      (count) => count === 1,
    );
    expect(testMessages.to(target)[0]!.text).toContain('验证码');
    const written = await service.query(
      `SELECT target_label AS label, after FROM audit_event WHERE action = 'code.send' AND target_type = 'user'`,
    );
    expect(written).toEqual([
      { label: 'reads_chinese', after: { purpose: 'login', channel: 'email', to: 'e***@example.com' } },
    ]);
  });

  it('keeps the daily budget of the recipient when the client is over its own limit', async () => {
    const [client, target] = [service.client(), freshEmail()];
    await service.set(codesPerHourPerAddress, 1);
    expect(await send(freshEmail(), 'register', client)).toBe(202);
    expect(await send(target, 'register', client)).toBe(429);
    await service.set(codesPerHourPerAddress, codesPerHourPerAddress.defaultValue);
    expect(await kept('verification_target')).not.toContain(target);
  });

  it('deletes expired codes, and recipients two days after the last message', async () => {
    const [gone, alive, again] = [freshEmail(), freshEmail(), freshEmail()];
    await service.query('DELETE FROM verification_code');
    await service.query('DELETE FROM verification_target');
    for (const target of [gone, alive, again]) await send(target);
    await service.query(`UPDATE verification_code SET expires_at = now() WHERE target <> $1`, [alive]);
    await service.query(`UPDATE verification_target SET touched_at = now() - interval '49 hours'`);
    await service.query(`UPDATE verification_target SET touched_at = now() - interval '47 hours' WHERE target = $1`, [
      alive,
    ]);
    await send(again);
    await service.app.get(CodeCleanupJob, { strict: false }).clean();
    expect(await kept('verification_code')).toEqual([alive, again].sort());
    expect(await kept('verification_target')).toEqual([alive, again].sort());
  });
});
