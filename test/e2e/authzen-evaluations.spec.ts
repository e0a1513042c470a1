import {
  about,
  authzenParties,
  Body,
  evaluateAll,
  fieldsOf,
  invoice,
  MANY,
  read,
  user,
} from '../support/accounts/authzen';
import { UserWithGrants } from '../support/accounts/holders';
import { Problem } from '../support/service/test-client';
import { withService } from '../support/service/with-service';

let ann: UserWithGrants;
let bob: UserWithGrants;
let reader: UserWithGrants;

withService(async (started) => {
  ({ ann, bob, reader } = await authzenParties(started));
});

const aboutAnn = (action: string, type?: string): Body => about(ann, action, type);

describe('POST /access/v1/evaluations', () => {
  const decisionsOf = async (body: Body): Promise<boolean[]> =>
    (await evaluateAll(body, reader)).body.evaluations.map(({ decision }) => decision);
  const actions = (...names: string[]): object[] => names.map((name) => ({ action: { name } }));

  it('returns one decision per evaluation in the order of the request, without a decision beside them', async () => {
    const { status, body } = await evaluateAll(
      {
        evaluations: [aboutAnn('read'), { ...aboutAnn('read'), subject: user(bob.id) }, aboutAnn('update')],
      },
      reader,
    );
    expect(status).toBe(200);
    expect(body.evaluations.map(({ decision }) => decision)).toEqual([true, false, true]);
    expect(Object.keys(body)).toEqual(['evaluations']);
  });

  it('takes what an evaluation leaves out from the top level', async () => {
    const { resource, ...rest } = aboutAnn('delete');
    expect(
      await decisionsOf({ ...rest, resource, evaluations: [{}, ...actions('read'), { subject: user(bob.id) }] }),
    ).toEqual([false, true, false]);
    expect(
      await decisionsOf({ ...rest, action: read, evaluations: [{ resource }, { resource: { type: 'a', id: '1' } }] }),
    ).toEqual([true, false]);
  });

  it('replaces a default as a whole', async () => {
    const { body } = await evaluateAll({ ...aboutAnn('read'), evaluations: [{ resource: { id: '2' } }] }, reader);
    expect(body.evaluations[0]!.context?.error?.errors).toMatchObject([
      { field: 'evaluations[0].resource.type', code: 'required' },
    ]);
  });

  it('accepts a context at the top level and in an evaluation', async () => {
    const context = { time: '2025-06-27T18:03-07:00' };
    expect(await decisionsOf({ ...aboutAnn('read'), context, evaluations: [{}, { context: { time: 'x' } }] })).toEqual([
      true,
      true,
    ]);
  });

  it.each([
    ['execute_all', ['read', 'delete', 'update'], [true, false, true]],
    ['deny_on_first_deny', ['read', 'delete', 'update'], [true, false]],
    ['deny_on_first_deny', ['read', 'update'], [true, true]],
    ['permit_on_first_permit', ['delete', 'read', 'update'], [false, true]],
    ['permit_on_first_permit', ['delete', 'admin'], [false, false]],
    [undefined, ['read', 'delete', 'update'], [true, false, true]],
  ])('ends as %s says for %j', async (semantic, names, decisions) => {
    const options = { another_option: 'value', ...(semantic !== undefined && { evaluations_semantic: semantic }) };
    expect(await decisionsOf({ ...aboutAnn('read'), options, evaluations: actions(...names) })).toEqual(decisions);
  });

  it('denies an evaluation that it cannot read, and evaluates the others', async () => {
    const { status, body } = await evaluateAll(
      {
        subject: user(ann.id),
        action: read,
        evaluations: [{ resource: invoice }, {}, 'x', { resource: invoice, action: { name: 'GET' } }],
      },
      reader,
    );
    expect(status).toBe(200);
    const [first, missing, text, capitals] = body.evaluations;
    expect(first).toEqual({ decision: true });
    expect(missing).toEqual({
      decision: false,
      context: {
        error: {
          status: 400,
          code: 'validation_failed',
          message: expect.any(String) as string,
          errors: [{ field: 'evaluations[1].resource', code: 'required', detail: 'This field is required.' }],
        },
      },
    });
    expect(text?.context?.error?.errors).toMatchObject([{ field: 'evaluations[2]', code: 'type_object' }]);
    expect(capitals?.context?.error?.errors).toMatchObject([
      { field: 'evaluations[3].action.name', code: 'action_name' },
    ]);
  });

  it('ends at the first failure with deny_on_first_deny, and continues with permit_on_first_permit', async () => {
    const evaluations = [{ action: {} }, ...actions('read', 'update')];
    const request = (evaluations_semantic: string): Body => ({
      ...aboutAnn('read'),
      options: { evaluations_semantic },
      evaluations,
    });
    expect(await decisionsOf(request('deny_on_first_deny'))).toEqual([false]);
    expect(await decisionsOf(request('permit_on_first_permit'))).toEqual([false, true]);
  });

  it.each([
    ['without evaluations', {}],
    ['with an empty list of evaluations', { evaluations: [] }],
  ])('returns one decision %s', async (_, more) => {
    const { status, body } = await evaluateAll({ ...aboutAnn('read'), ...more }, reader);
    expect([status, body]).toEqual([200, { decision: true }]);
  });

  it.each<[string, Body, string[]]>([
    ['a text as evaluations', { evaluations: 'x' }, ['evaluations type_list']],
    ['null as evaluations', { evaluations: null }, ['evaluations type_list']],
    ['too many', { evaluations: Array.from({ length: 101 }, () => ({})) }, ['evaluations max_items']],
    ['options that are no object', { evaluations: [{}], options: 'x' }, ['options type_object']],
    [
      'an unknown semantic',
      { evaluations: [{}], options: { evaluations_semantic: 'any' } },
      ['options.evaluations_semantic one_of'],
    ],
    ['a malformed default', { evaluations: [{}], subject: 'ann' }, ['subject type_object']],
    ['an incomplete default', { evaluations: [{}], action: {} }, ['action.name required']],
  ])('rejects %s as a whole', async (_, more, fields) => {
    const answer = await reader.client.post<Problem>(MANY, { ...aboutAnn('read'), ...more });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, fields]);
  });

  it('evaluates 100 requests, also beyond the size of other bodies', async () => {
    const properties = { note: 'x'.repeat(1_000) };
    const evaluations = Array.from({ length: 100 }, (_, index) => ({
      subject: user(index % 2 === 0 ? ann.id : bob.id, { properties }),
    }));
    const decisions = await decisionsOf({ action: read, resource: invoice, evaluations });
    expect(decisions).toEqual(evaluations.map((_, index) => index % 2 === 0));
  });
});
