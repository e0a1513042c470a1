import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import type { LoginMethod } from '../../login';
import { ProblemError } from '../../platform/errors';
import { ContractCase, contractOf, Make, Promises, UnderTest } from './contract-case';
import { quickest } from './quickest';

export interface LoginMethodUnderTest<Credentials extends object = object> extends UnderTest {
  readonly method: LoginMethod<Credentials>;
  /** Credentials of a user who is there: right ones, and wrong ones. */
  readonly right: Credentials;
  readonly wrong: Credentials;
  /** Those of nobody. */
  readonly unknown: Credentials;
  /** The same user as `right`, written in another way, where the method takes more than one. */
  readonly otherSpelling?: Credentials;
}

/** Below it, what is measured is the machine rather than the work. */
const MEASURABLE_MS = 5;
/** Nobody may be told from a known user by an answer that comes this much sooner. */
const MAX_TIMES = 5;

type Kept = Promises<LoginMethodUnderTest>;

const description: Kept = {
  'has a type that a body can name': ({ method }) => {
    match(method.type, /^[a-z][a-z0-9_]{0,31}$/);
  },
  'names its methods as RFC 8176 does': ({ method }) => {
    for (const reference of method.amr) match(reference, /^[a-z0-9_]{1,16}$/);
  },
  'refuses with a problem that says nothing of the user': ({ method }) => {
    const refusal = method.refusal();
    ok(refusal instanceof ProblemError);
    ok([400, 401, 403].includes(refusal.status), `status ${refusal.status}`);
    deepEqual(refusal.params, {});
  },
  'knows whether it is set up': async ({ method }) => {
    equal(await method.isConfigured(), true);
  },
};

const finding: Kept = {
  'finds the user of the credentials, right or wrong, under one key': async ({ method, right, wrong }) => {
    const [found, again] = [await method.findSubject(right), await method.findSubject(wrong)];
    ok(found.user !== undefined);
    equal(found.user.id, again.user?.id);
    equal(found.key, again.key);
  },
  'gives every spelling of a name one key': async ({ method, right, otherSpelling }) => {
    if (!otherSpelling) return;
    equal((await method.findSubject(otherSpelling)).key, (await method.findSubject(right)).key);
  },
  'finds nobody for unknown names, and counts them by a key of their own': async ({ method, right, unknown }) => {
    const nobody = await method.findSubject(unknown);
    equal(nobody.user, undefined);
    ok(nobody.key.length > 0);
    equal((await method.findSubject(unknown)).key, nobody.key);
    notEqual(nobody.key, (await method.findSubject(right)).key);
  },
};

const judging: Kept = {
  'proves right credentials': async ({ method, right }) => {
    const subject = await method.findSubject(right);
    ok((await method.verify(right, subject.user, subject)) !== undefined);
  },
  'proves neither wrong ones nor those of nobody': async ({ method, right, wrong, unknown }) => {
    const [found, nobody] = [await method.findSubject(wrong), await method.findSubject(unknown)];
    equal(await method.verify(wrong, found.user, found), undefined);
    equal(await method.verify(unknown, undefined, nobody), undefined);
    equal(await method.verify(right, undefined, nobody), undefined);
  },
  'takes the same time for nobody as for wrong credentials': async ({ method, wrong, unknown }) => {
    const [found, nobody] = [await method.findSubject(wrong), await method.findSubject(unknown)];
    await method.verify(unknown, undefined, nobody);
    const known = await quickest(() => method.verify(wrong, found.user, found));
    const unknownMs = await quickest(() => method.verify(unknown, undefined, nobody));
    ok(
      known < MEASURABLE_MS || unknownMs > known / MAX_TIMES,
      `${unknownMs} ms for nobody, ${known} ms for a wrong one`,
    );
  },
};

/** What every `LoginMethod` promises. */
export function loginMethodContract<Credentials extends object>(
  make: Make<LoginMethodUnderTest<Credentials>>,
): ContractCase[] {
  return contractOf(make as Make<LoginMethodUnderTest>, { ...description, ...finding, ...judging });
}
