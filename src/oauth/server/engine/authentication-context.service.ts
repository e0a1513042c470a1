import { Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { SecondFactorPolicy } from '../../../platform/access';
import type { BrowserSession } from '../../../session';
import { interactionPolicy } from '../core/library';

/** Authentication Context Class References (OpenID Connect Core §2): the number of factors of a login. */
export const acrValues = ['urn:castellan:acr:1fa', 'urn:castellan:acr:2fa'] as const;
type Acr = (typeof acrValues)[number];
const [ONE_FACTOR, TWO_FACTORS] = acrValues;

/** The reason to ask a logged-in user to log in again: the application prefers two factors. */
export const TWO_FACTORS_WANTED = 'acr_values';

type Proved = Pick<BrowserSession, 'amr'>;

export const hasTwoFactors = ({ amr }: Proved): boolean => amr.includes('mfa');

/** The authentication for the library's session. RFC 8176 has no `amr` value for a login at a third party. */
export function authenticationOf(login: Proved): { acr: Acr; amr?: string[] } {
  return {
    acr: hasTwoFactors(login) ? TWO_FACTORS : ONE_FACTOR,
    ...(login.amr.length > 0 && { amr: [...login.amr] }),
  };
}

/** Evaluates `acr_values`, the login that an application prefers. */
@Injectable()
export class AuthenticationContextService {
  constructor(private readonly secondFactors: SecondFactorPolicy) {}

  /**
   * A preference, not a requirement (OpenID Connect Core §3.1.2.1): a user with a second factor is asked for it once,
   * and no login is rejected.
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
    const { isOffered, isEnrolled } = await this.secondFactors.get(session.accountId);
    return isOffered && isEnrolled;
  }
}

/** The first known value. */
function preferred(asked: unknown): string | undefined {
  const known: readonly string[] = acrValues;
  return typeof asked === 'string' ? asked.split(' ').find((value) => known.includes(value)) : undefined;
}
