import { equal } from 'node:assert/strict';
import type { OwnershipRule } from '../../platform/access';
import type { Caller } from '../../platform/context';
import { ProblemError } from '../../platform/errors';
import { ContractCase, contractOf, forEach, Make, UnderTest } from './contract-case';

type Params = Readonly<Record<string, string>>;

export interface OwnershipUnderTest extends UnderTest {
  readonly rule: OwnershipRule;
  /** The id of the user to whom what `params` name belongs. */
  readonly owner: string;
  readonly params: Params;
  /** What belongs to nobody, where there is such a thing. */
  readonly unowned?: Params;
}

/** Paths are typed by anybody, and a rule is asked before they are checked. */
const hostile = ['', ' ', '0', 'nothing', '%00', "' OR 1=1 --", '__proto__', 'x'.repeat(5_000), '\0', '\ud800'];
const SOMEBODY_ELSE = '00000000-0000-7000-8000-000000000001';

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

/** A `not_found` says no more than a no. */
async function owns(rule: OwnershipRule, userId: string, params: Params): Promise<boolean> {
  try {
    return await rule.isOwner(callerOf(userId), params);
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return false;
    throw error;
  }
}

/** What every `OwnershipRule` promises. */
export function ownershipRuleContract(make: Make<OwnershipUnderTest>): ContractCase[] {
  return contractOf<OwnershipUnderTest>(make, {
    'knows the owner': async ({ rule, owner, params }) => {
      equal(await rule.isOwner(callerOf(owner), params), true);
    },
    'takes nobody else for the owner': async ({ rule, params }) => {
      equal(await owns(rule, SOMEBODY_ELSE, params), false);
    },
    'gives what is nobody’s to nobody': async ({ rule, owner, unowned }) => {
      if (unowned) equal(await owns(rule, owner, unowned), false);
    },
    ...forEach<string, OwnershipUnderTest>(
      hostile,
      (value) => `lets ${JSON.stringify(value.slice(0, 20))} in the path be nobody’s, and throws nothing else`,
      async ({ rule, owner, params }, value) => {
        const typed = Object.fromEntries(Object.keys(params).map((name) => [name, value]));
        equal(await owns(rule, owner, typed), false);
      },
    ),
  });
}
