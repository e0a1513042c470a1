import { Injectable } from '@nestjs/common';
import { AuditTarget } from '../../../audit';
import { Caller } from '../../../platform/context';
import { platformErrors } from '../../../platform/errors';
import { everythingIn, Grant, PrivilegeEscalationGuardService, targetOfPlace, WILDCARD } from '../../../rbac';
import { AccessIdsService } from './access-ids.service';
import { ClaimAttributesService } from './claim-attributes.service';
import { ClientAccessService, LockedClient } from './client-access.service';
import { ClaimMapping, problemsOfClaims, reachServices } from './client-claims';
import { ClientClaimInputDto, claimsOf, ClientAccessInputDto } from './client-claims.dto';
import { changeOf, disablingOf, targetOf } from './client-fields';
import { ClientDelegationService } from './client-delegation.service';
import { ClientScopesService } from './client-scopes.service';
import { ClientOrganizationsService } from './client-organizations.service';
import { ChangeClientDto } from './client.dto';
import { isDisabledByService, OAuthClient } from './client.entity';
import { ClientChange } from './client.repository';

/** The fields of a body that name other things, or need authority. */
interface GuardedFields {
  readonly scopes?: readonly string[];
  readonly introspection_resources?: readonly string[];
  readonly first_party?: boolean;
  readonly access?: ClientAccessInputDto;
  readonly claims?: readonly ClientClaimInputDto[];
  readonly organization_id?: string | null;
}

export interface ClientInput {
  /** Undefined if the body has none. */
  readonly scopes: readonly string[] | undefined;
  /** The permissions that the caller must hold. */
  readonly grants: readonly Grant[];
  /** Whether the change may need authority beyond the client's, so that authority must be locked first. */
  readonly isGuarded: boolean;
}

/** Reads the fields of clients that other things or the caller's permissions limit. */
@Injectable()
export class ClientInputService {
  constructor(
    private readonly scopes: ClientScopesService,
    private readonly access: ClientAccessService,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly admitted: AccessIdsService,
    private readonly ties: ClientOrganizationsService,
    private readonly delegation: ClientDelegationService,
    private readonly attributes: ClaimAttributesService,
  ) {}

  /** Errors: `validation_failed`. */
  async read(body: GuardedFields, defaultScopes?: readonly string[]): Promise<ClientInput> {
    const wanted = body.scopes ?? defaultScopes;
    const read = wanted && (await this.scopes.read(wanted));
    const introspected = await this.scopes.readResources(body.introspection_resources ?? []);
    rejectClaims(body);
    return {
      scopes: read?.scopes,
      grants: [...(read?.grants ?? []), ...introspected],
      isGuarded: introspected.length > 0 || isAnyGiven(read, body.first_party, body.claims, body.organization_id),
    };
  }

  /** The fields of the body that change the client, and what follows from them. Call it in the transaction of the change. */
  async changeOf(
    { userId }: Caller,
    { client, byService }: LockedClient,
    body: ChangeClientDto,
    { scopes }: ClientInput,
  ): Promise<ClientChange> {
    const by = { userId, isAnsweredFor: await this.ties.isAnsweredFor(client) };
    const change = { ...changeOf(client, body, scopes, by), ...disablingOf(client, body, byService) };
    return this.ties.withoutDisabledOwner(client, change);
  }

  /** Locks the authority, which must come before the owner, as when an owner is deleted, to prevent deadlocks. */
  async lock({ isGuarded }: ClientInput): Promise<void> {
    if (isGuarded) await this.escalationGuard.lock();
  }

  /**
   * Call it in the transaction of the change. Roles, groups and users that the client already admits may be gone.
   * Errors: `validation_failed`, `escalation_denied`, `attribute_trusted`.
   */
  async authorize(
    caller: Caller,
    { grants }: ClientInput,
    change: ClientChange,
    locked: Partial<LockedClient>,
  ): Promise<void> {
    const { client: before, byOrganization = false } = locked;
    const target = targetOfChange(change, locked);
    if (byOrganization) await this.delegation.limit(caller, change, before);
    if (change.access) await this.admitted.requireKnown(change.access, before?.access);
    await this.escalationGuard.requireCover(caller, grants, target);
    await this.ties.authorize(caller, change, before);
    if (enables(change, before)) await this.access.requireEverything(caller, target);
    if (change.firstParty !== undefined) await this.access.requireEverything(caller, target);
    if (change.claims !== undefined) await this.authorizeClaims(caller, change.claims, change, locked);
  }

  private async authorizeClaims(
    caller: Caller,
    claims: readonly ClaimMapping[],
    change: ClientChange,
    locked: Partial<LockedClient>,
  ): Promise<void> {
    const { client: before } = locked;
    const target = targetOfChange(change, locked);
    await this.attributes.authorize(caller, claims, before?.claims, target);
    // Other services read access tokens, and trust this service, not the owner of the client.
    if (reachServices(claims)) await this.escalationGuard.requireCover(caller, [everythingIn(WILDCARD)], target);
    // No user consents to what the client learns.
    else if (change.firstParty ?? before?.firstParty) await this.access.requireEverything(caller, target);
  }
}

/** The client, or the organization that registers it, so that its administrators see a rejected attempt. */
function targetOfChange(
  { organizationId = null }: ClientChange,
  { client, byOrganization }: Partial<LockedClient>,
): AuditTarget | undefined {
  if (client) return targetOf(client);
  return byOrganization ? targetOfPlace(organizationId) : undefined;
}

/** Whether the change enables what the service disabled. */
const enables = ({ enabled }: ClientChange, before?: OAuthClient): boolean =>
  enabled === true && before !== undefined && isDisabledByService(before);

const isAnyGiven = (...parts: readonly unknown[]): boolean => parts.some((part) => part !== undefined);

function rejectClaims({ claims }: GuardedFields): void {
  const fields = problemsOfClaims(claimsOf(claims ?? []));
  if (fields.length > 0) throw platformErrors.validationFailed({ fields });
}
