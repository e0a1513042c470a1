import { Injectable } from '@nestjs/common';
import { PermissionChecker } from '../platform/access';
import { SharedState, SharedStates } from '../platform/cache';
import { Environment } from '../platform/config';
import { CatalogueState } from './catalogue-state';
import { GrantRepository } from './grant.repository';
import { RoleRepository } from './role.repository';
import { GrantSet, parsePermissionCode, PermissionCheck, PermissionCode, permissionIdOf } from './permission';

/** What each user may do: grants given directly and through roles, merged and compiled for checking. */
@Injectable()
export class Permissions extends PermissionChecker {
  private readonly state: SharedState<GrantSet>;
  private readonly demands: SharedState<boolean>;
  /** Routes name few permissions, over and over. */
  private readonly parsed = new Map<string, PermissionCode>();

  constructor(
    states: SharedStates,
    private readonly environment: Environment,
    private readonly grants: GrantRepository,
    private readonly catalogue: CatalogueState,
    private readonly roles: RoleRepository,
  ) {
    super();
    this.state = states.create<GrantSet>('grants');
    this.demands = states.create<boolean>('role_demands');
  }

  async of(userId: string): Promise<GrantSet> {
    return this.state.peek(userId) ?? (await this.state.read(userId, () => this.load(userId))) ?? new GrantSet([]);
  }

  /** Whether a role of the user's asks for a second factor. */
  async demandSecondFactor(userId: string): Promise<boolean> {
    const known = this.demands.peek(userId);
    return known ?? (await this.demands.read(userId, () => this.roles.demandsSecondFactor(userId))) ?? false;
  }

  /** As `of`, where that needs no wait. */
  peek(userId: string): GrantSet | undefined {
    return this.state.peek(userId);
  }

  /** As `demandSecondFactor`, where that needs no wait. */
  peekDemandOfSecondFactor(userId: string): boolean | undefined {
    return this.demands.peek(userId);
  }

  override peekGranted(userId: string, permission: string): boolean | undefined {
    const code = this.parse(permission);
    const ranks = this.catalogue.peekRanksFor(code);
    return ranks && this.state.peek(userId)?.allows(code, ranks);
  }

  isGranted(userId: string, permission: string): Promise<boolean> {
    return this.allows(userId, this.parse(permission));
  }

  async allows(userId: string, check: PermissionCheck): Promise<boolean> {
    const ranks = this.catalogue.peekRanksFor(check) ?? (await this.catalogue.ranksFor(check));
    return (this.state.peek(userId) ?? (await this.of(userId))).allows(check, ranks);
  }

  describe(permission: string): { permission: string; scope: string } {
    const code = this.parse(permission);
    return { permission: permissionIdOf(code), scope: code.scope };
  }

  /** To be called in the transaction that changes what the users hold. */
  async changed(users: string | readonly string[]): Promise<void> {
    await this.state.forget(users);
    await this.demands.forget(users);
  }

  /** As `changed`, for a role: how many users it has does not matter then. */
  async changedForAll(): Promise<void> {
    await this.state.forgetAll();
    await this.demands.forgetAll();
  }

  private async load(userId: string): Promise<GrantSet> {
    return new GrantSet(await this.grants.ofUser(userId));
  }

  private parse(permission: string): PermissionCode {
    const known = this.parsed.get(permission);
    if (known) return known;
    const code = parsePermissionCode(permission, this.environment.serviceScope);
    if (!code) throw new Error(`"${permission}" is not a permission code`);
    this.parsed.set(permission, code);
    return code;
  }
}
