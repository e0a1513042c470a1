import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import type { LoginMethod } from '../../auth/login';
import { ProblemError } from '../../platform/errors';
import { ContractCase, contractOf, Make, Promises, UnderTest } from './contract-case';
import { quickest } from './quickest';

export interface LoginMethodUnderTest<Credentials extends object = object> extends UnderTest {
  readonly method: LoginMethod<Credentials>;
  /** Correct and wrong credentials of an existing user. */
  readonly right: Credentials;
  readonly wrong: Credentials;
  /** Credentials of an unknown user. */
  readonly unknown: Credentials;
  /** The credentials of `right` in another spelling, if the method accepts several. */
  readonly otherSpelling?: Credentials;
}

/** Shorter times measure the machine rather than the work. */
const MEASURABLE_MS = 5;
/** The check for an unknown user may be at most this many times faster than for a known user. */
const MAX_TIMES = 5;

type Kept = Promises<LoginMethodUnderTest>;

const description: Kept = {
  'has a valid type': ({ method }) => {
    match(method.type, /^[a-z][a-z0-9_]{0,31}$/);
  },
  'has valid authentication method references': ({ method }) => {
    for (const reference of method.amr) match(reference, /^[a-z0-9_]{1,16}$/);
  },
  'fails with a problem that reveals nothing about the user': ({ method }) => {
    const error = method.createError();
    ok(error instanceof ProblemError);
    ok([400, 401, 403].includes(error.status), `status ${error.status}`);
    deepEqual(error.params, {});
  },
  'reports that it is configured': async ({ method }) => {
    equal(await method.isConfigured(), true);
  },
};

const finding: Kept = {
  'finds the user under one key, for correct and wrong credentials': async ({ method, right, wrong }) => {
    const [found, again] = [await method.findSubject(right), await method.findSubject(wrong)];
    ok(found.user !== undefined);
    equal(found.user.id, again.user?.id);
    equal(found.key, again.key);
  },
  'uses one key for every spelling of a name': async ({ method, right, otherSpelling }) => {
    if (!otherSpelling) return;
    equal((await method.findSubject(otherSpelling)).key, (await method.findSubject(right)).key);
  },
  'finds no user for an unknown name and uses a different key': async ({ method, right, unknown }) => {
    const noUser = await method.findSubject(unknown);
    equal(noUser.user, undefined);
    ok(noUser.key.length > 0);
    equal((await method.findSubject(unknown)).key, noUser.key);
    notEqual(noUser.key, (await method.findSubject(right)).key);
  },
};

const verifying: Kept = {
  'accepts correct credentials': async ({ method, right }) => {
    const subject = await method.findSubject(right);
    ok((await method.verify(right, subject.user, subject)) !== undefined);
  },
  'rejects wrong credentials and unknown users': async ({ method, right, wrong, unknown }) => {
    const [found, noUser] = [await method.findSubject(wrong), await method.findSubject(unknown)];
    equal(await method.verify(wrong, found.user, found), undefined);
    equal(await method.verify(unknown, undefined, noUser), undefined);
    equal(await method.verify(right, undefined, noUser), undefined);
  },
  'takes the same time for an unknown user as for wrong credentials': async ({ method, wrong, unknown }) => {
    const [found, noUser] = [await method.findSubject(wrong), await method.findSubject(unknown)];
    await method.verify(unknown, undefined, noUser);
    const known = await quickest(() => method.verify(wrong, found.user, found));
    const unknownMs = await quickest(() => method.verify(unknown, undefined, noUser));
    ok(
      known < MEASURABLE_MS || unknownMs > known / MAX_TIMES,
      `${unknownMs} ms for an unknown user, ${known} ms for wrong credentials`,
    );
  },
};

/** The contract of every `LoginMethod`. */
export function loginMethodContract<Credentials extends object>(
  make: Make<LoginMethodUnderTest<Credentials>>,
): ContractCase[] {
  return contractOf(make as Make<LoginMethodUnderTest>, { ...description, ...finding, ...verifying });
}
