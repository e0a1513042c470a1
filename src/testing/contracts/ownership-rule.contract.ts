import { equal } from 'node:assert/strict';
import type { OwnershipRule } from '../../platform/access';
import type { Caller } from '../../platform/context';
import { ProblemError } from '../../platform/errors';
import { ContractCase, contractOf, forEach, Make, UnderTest } from './contract-case';

type Params = Readonly<Record<string, string>>;

export interface OwnershipUnderTest extends UnderTest {
  readonly rule: OwnershipRule;
  /** The id of the user who owns the object that `params` name. */
  readonly owner: string;
  readonly params: Params;
  /** Params of an object without an owner, if there can be one. */
  readonly unowned?: Params;
}

/** Path parameters are untrusted, and a rule is called before they are validated. */
const hostile = ['', ' ', '0', 'nothing', '%00', "' OR 1=1 --", '__proto__', 'x'.repeat(5_000), '\0', '\ud800'];
const OTHER_USER = '00000000-0000-7000-8000-000000000001';

function callerOf(userId: string): Caller {
  return {
    userId,
    username: 'somebody',
    sessionId: '00000000-0000-7000-8000-000000000002',
    locale: null,
    mustChangePassword: false,
    recentLogin: true,
    recentSecondFactor: false,
    amr: ['pwd'],
  };
}

/** A `not_found` reveals no more than false. */
async function owns(rule: OwnershipRule, userId: string, params: Params): Promise<boolean> {
  try {
    return await rule.isOwner(callerOf(userId), params);
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return false;
    throw error;
  }
}

/** The contract of every `OwnershipRule`. */
export function ownershipRuleContract(make: Make<OwnershipUnderTest>): ContractCase[] {
  return contractOf<OwnershipUnderTest>(make, {
    'accepts the owner': async ({ rule, owner, params }) => {
      equal(await rule.isOwner(callerOf(owner), params), true);
    },
    'rejects another user': async ({ rule, params }) => {
      equal(await owns(rule, OTHER_USER, params), false);
    },
    'rejects every user for an object without an owner': async ({ rule, owner, unowned }) => {
      if (unowned) equal(await owns(rule, owner, unowned), false);
    },
    ...forEach<string, OwnershipUnderTest>(
      hostile,
      (value) => `rejects ${JSON.stringify(value.slice(0, 20))} in the path without throwing`,
      async ({ rule, owner, params }, value) => {
        const typed = Object.fromEntries(Object.keys(params).map((name) => [name, value]));
        equal(await owns(rule, owner, typed), false);
      },
    ),
  });
}
