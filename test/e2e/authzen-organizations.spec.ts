import {
  about,
  authzenParties,
  AuthzenParties,
  Body,
  evaluate,
  evaluateAll,
  fieldsOf,
  UNKNOWN,
} from '../support/accounts/authzen';
import { createRole } from '../support/accounts/holders';
import { createRoleOf } from '../support/organizations/organization-roles';
import { addMember, createOrganization, OrganizationAnswer } from '../support/organizations/organizations';
import { withService } from '../support/service/with-service';

let parties: AuthzenParties;
let [acme, globex]: OrganizationAnswer[] = [];

withService(async (service) => {
  parties = await authzenParties(service);
  const { admin, bob } = parties;
  [acme, globex] = [await createOrganization(admin, 'acme'), await createOrganization(admin, 'globex')];
  const auditor = await createRole(admin, 'auditor', { scope: 'billing', permission_id: 'invoice:read', level: 1 });
  await addMember(admin, acme, bob, auditor);
  await addMember(admin, globex, bob);
});

const within = (organization_id: unknown, action = 'read', type?: string): Body => ({
  ...about(parties.bob, action, type),
  context: { organization_id, time: '2026-01-31T09:30:00Z' },
});

describe('the organization in the context of an evaluation', () => {
  it('counts what the subject holds there, beside what holds everywhere', async () => {
    const { bob, reader } = parties;
    for (const [body, decision] of [
      [about(bob, 'read'), false],
      [within(acme!.id), true],
      [within(acme!.id, 'delete'), false],
      [within(globex!.id), false],
      [within(UNKNOWN), false],
      [within(globex!.id, 'read', 'billing:order'), true],
    ] as const) {
      expect([body, (await evaluate(body, reader)).body.decision]).toEqual([body, decision]);
    }
    expect((await evaluate(within(acme!.id), bob)).body.decision).toBe(true);
  });

  it('counts a role of the organization there only', async () => {
    const { admin, bob, reader } = parties;
    const approver = await createRoleOf(admin, acme!, 'approver', [
      { scope: 'billing', permission_id: 'invoice:approve' },
    ]);
    await addMember(admin, acme!, bob, approver);
    for (const [body, decision] of [
      [about(bob, 'approve'), false],
      [within(acme!.id, 'approve'), true],
      [within(globex!.id, 'approve'), false],
    ] as const) {
      expect([body, (await evaluate(body, reader)).body.decision]).toEqual([body, decision]);
    }
  });

  it('is a default for several evaluations, which an entry replaces with its context', async () => {
    const { reader } = parties;
    const { body } = await evaluateAll(
      {
        ...within(acme!.id),
        evaluations: [
          {},
          { context: { organization_id: globex!.id } },
          { context: {} },
          { context: { organization_id: 1 } },
        ],
      },
      reader,
    );
    expect(body.evaluations.map(({ decision }) => decision)).toEqual([true, false, false, false]);
    expect(body.evaluations[3]!.context?.error?.errors).toMatchObject([
      { field: 'evaluations[3].context.organization_id', code: 'id' },
    ]);
  });

  it.each(['acme', '', null, 7, ['a']])('must be an id, and is not %j', async (value) => {
    const answer = await evaluate(within(value), parties.reader);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ['context.organization_id id']]);
  });

  it('does not let users ask about others', async () => {
    const { ann } = parties;
    await addMember(parties.admin, acme!, ann);
    expect((await evaluate(within(acme!.id), ann)).status).toBe(403);
  });
});
