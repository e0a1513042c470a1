import { Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { SecondFactorPolicy } from '../../../platform/access';
import type { BrowserSession } from '../../../session';
import { interactionPolicy } from './library';

/** Authentication Context Class References (OpenID Connect Core §2): how many factors a login proved. */
export const acrValues = ['urn:castellan:acr:1fa', 'urn:castellan:acr:2fa'] as const;
type Acr = (typeof acrValues)[number];
const [ONE_FACTOR, TWO_FACTORS] = acrValues;

/** Why a logged-in user is asked to log in: the application prefers a login with two factors. */
export const TWO_FACTORS_WANTED = 'acr_values';

type Proved = Pick<BrowserSession, 'amr'>;

export const hasTwoFactors = ({ amr }: Proved): boolean => amr.includes('mfa');

/** How the user was authenticated, for the library's login state; a third party's word has no name in RFC 8176. */
export function authenticationOf(login: Proved): { acr: Acr; amr?: string[] } {
  return {
    acr: hasTwoFactors(login) ? TWO_FACTORS : ONE_FACTOR,
    ...(login.amr.length > 0 && { amr: [...login.amr] }),
  };
}

/** Which login an application's `acr_values` ask for. */
@Injectable()
export class AuthenticationContextService {
  constructor(private readonly secondFactors: SecondFactorPolicy) {}

  /**
   * A preference (OpenID Connect Core §3.1.2.1): a user with a second factor is asked for it, once; no login is
   * rejected.
   */
  check(): interactionPolicy.Check {
    return new interactionPolicy.Check(TWO_FACTORS_WANTED, 'End-User can prove a second factor', (ctx) =>
      this.isMoreWanted(ctx),
    );
  }

  private async isMoreWanted({ oidc }: KoaContextWithOIDC): Promise<boolean> {
    const { session, params, prompts, result } = oidc;
    if (session?.accountId === undefined || session.acr === TWO_FACTORS || result?.login) return false;
    if (prompts.has('none') || preferred(params?.['acr_values']) !== TWO_FACTORS) return false;
    const { isOffered, isEnrolled } = await this.secondFactors.of(session.accountId);
    return isOffered && isEnrolled;
  }
}

/** The first of the values that is known. */
function preferred(asked: unknown): string | undefined {
  const known: readonly string[] = acrValues;
  return typeof asked === 'string' ? asked.split(' ').find((value) => known.includes(value)) : undefined;
}
