import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { RecentLoginService } from '../../../platform/access';
import { KeyFormatError } from '../../../platform/crypto';
import { FieldProblem } from '../../../platform/errors';
import { Caller } from '../../../platform/context';
import { OutboundClient } from '../../../platform/outbound';
import { everythingIn, PrivilegeEscalationGuardService, rbacErrors, WILDCARD } from '../../../rbac';
import { OrganizationSettingsService } from '../../../organizations';
import { OAuthProviderAdapter } from './oauth-provider-adapter';
import { ResolvedProvider } from './resolve-provider';

/** A provider as it would be after a change. */
export interface ProposedProvider {
  readonly resolved: ResolvedProvider;
  readonly trustEmail: boolean;
  readonly autoRegister: boolean;
  /** Decrypted. Empty if there is none. */
  readonly secret: string;
}

const ADDRESSES = [
  ['authorize_url', 'authorizeUrl'],
  ['token_url', 'tokenUrl'],
  ['userinfo_url', 'userinfoUrl'],
  ['issuer', 'issuer'],
] as const;

/** The checks before a provider is stored. */
@Injectable()
export class ProviderGuard {
  constructor(
    private readonly outbound: OutboundClient,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly recentLogins: RecentLoginService,
    private readonly organizations: OrganizationSettingsService,
  ) {}

  /** Makes DNS lookups, so call it before the transaction. */
  async problemsOf({ resolved, secret }: ProposedProvider, adapter: OAuthProviderAdapter): Promise<FieldProblem[]> {
    const addresses = await Promise.all(
      ADDRESSES.map(async ([field, name]): Promise<FieldProblem[]> => {
        const address = resolved[name];
        if (address === null) return [];
        // The preset's endpoints come from the code, not from a user.
        if (field !== 'issuer' && address === adapter.preset.endpoints[name]) return [];
        const code = await this.outbound.check(address);
        return code === undefined ? [] : [{ field, code }];
      }),
    );
    return [...addresses.flat(), ...missingAddresses(resolved, adapter), ...secretProblems(resolved, secret, adapter)];
  }

  /**
   * Changing trusted providers requires full authority, because a provider can log in as any user. Runs in the
   * transaction of the change. Errors: `escalation_denied`, `reauthentication_required`.
   */
  async requireTrust(caller: Caller, before: ProposedProvider, after: ProposedProvider): Promise<void> {
    if (isDeepStrictEqual(guardedPart(before), guardedPart(after))) return;
    await this.requireEverything(caller);
  }

  /**
   * Organizations accept providers by name: without it their members could not log in, and another provider could take it.
   * Takes the authority lock, with which organizations change their lists. Errors: `in_use`.
   */
  async requireUnlisted(name: string): Promise<void> {
    await this.escalationGuard.lock();
    if (await this.organizations.isLoginListed(`oauth:${name}`)) throw rbacErrors.inUse();
  }

  /** Errors: `escalation_denied`, `reauthentication_required`. */
  async requireEverything(caller: Caller): Promise<void> {
    await this.escalationGuard.requireCover(caller, [everythingIn(WILDCARD)]);
    await this.recentLogins.require(caller);
  }
}

/** Whether a change sends the secret to a new origin. A caller who cannot read the secret must not redirect it. */
export function newOrigins(before: ResolvedProvider, after: ResolvedProvider): boolean {
  const known = originsOf(before);
  return [...originsOf(after)].some((origin) => !known.has(origin));
}

function originsOf(resolved: ResolvedProvider): ReadonlySet<string> {
  const addresses = ADDRESSES.flatMap(([, name]) => resolved[name] ?? []);
  return new Set(addresses.flatMap((address) => (URL.canParse(address) ? [new URL(address).origin] : [])));
}

/**
 * The fields that decide who can log in: besides endpoints and switches, the client of this service, the trusted keys
 * and tenants, and the claims for the subject and the verified e-mail address.
 */
function guardedPart({ resolved, trustEmail, autoRegister }: ProposedProvider): unknown {
  const { authorizeUrl, tokenUrl, userinfoUrl, issuer, mapping, clientId, params, pkce, withoutUserinfo } = resolved;
  const { subject, email, email_verified } = mapping;
  const identity = { subject, email, email_verified };
  const client = { clientId, params, pkce };
  return { authorizeUrl, tokenUrl, userinfoUrl, withoutUserinfo, issuer, identity, client, trustEmail, autoRegister };
}

function missingAddresses(resolved: ResolvedProvider, adapter: OAuthProviderAdapter): FieldProblem[] {
  return adapter.requiredAddresses
    .filter((name) => resolved[name] === null)
    .map((name) => ({ field: ADDRESSES.find(([, own]) => own === name)?.[0] ?? name, code: 'required' }));
}

function secretProblems(resolved: ResolvedProvider, secret: string, adapter: OAuthProviderAdapter): FieldProblem[] {
  try {
    if (secret !== '') adapter.checkSecret({ ...resolved, clientSecret: secret });
    return [];
  } catch (error) {
    if (!(error instanceof KeyFormatError)) throw error;
    return [{ field: 'client_secret', code: 'private_key' }];
  }
}
