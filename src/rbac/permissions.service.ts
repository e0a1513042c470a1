import { Injectable } from '@nestjs/common';
import { PermissionChecker } from '../platform/access';
import { SharedState, SharedStates } from '../platform/cache';
import { Environment } from '../platform/config';
import { CatalogueState } from './catalogue-state';
import { GrantRepository, Holdings } from './grant.repository';
import {
  GrantSet,
  hasStandardRank,
  parsePermissionCode,
  PermissionCheck,
  PermissionCode,
  permissionIdOf,
} from './permission';

/** `Holdings`, compiled for checking. */
interface Held extends Pick<Holdings, 'demandsSecondFactor'> {
  readonly grants: GrantSet;
  /** What routes asked before, by the permission as they name it: few, and the same over and over. */
  judged?: Map<string, boolean>;
}

const heldOf = ({ grants, demandsSecondFactor }: Holdings): Held => ({
  grants: new GrantSet(grants),
  demandsSecondFactor,
});

/** What each user may do: grants given directly and through roles, merged and compiled for checking. */
@Injectable()
export class Permissions extends PermissionChecker {
  private readonly state: SharedState<Held>;
  /** Routes name few permissions, over and over. */
  private readonly parsed = new Map<string, PermissionCode>();

  constructor(
    states: SharedStates,
    private readonly environment: Environment,
    private readonly grants: GrantRepository,
    private readonly catalogue: CatalogueState,
  ) {
    super();
    this.state = states.create<Held>('grants');
  }

  async of(userId: string): Promise<GrantSet> {
    return (await this.held(userId)).grants;
  }

  /** Whether a role of the user's asks for a second factor. */
  async demandSecondFactor(userId: string): Promise<boolean> {
    return (await this.held(userId)).demandsSecondFactor;
  }

  /** As `of`, where that needs no wait. */
  peek(userId: string): GrantSet | undefined {
    return this.state.peek(userId)?.grants;
  }

  /** As `demandSecondFactor`, where that needs no wait. */
  peekDemandOfSecondFactor(userId: string): boolean | undefined {
    return this.state.peek(userId)?.demandsSecondFactor;
  }

  override peekGranted(userId: string, permission: string): boolean | undefined {
    const held = this.state.peek(userId);
    return held && (held.judged?.get(permission) ?? this.judge(held, permission));
  }

  isGranted(userId: string, permission: string): Promise<boolean> {
    return this.allows(userId, this.parse(permission));
  }

  async allows(userId: string, check: PermissionCheck): Promise<boolean> {
    const ranks = this.catalogue.peekRanksFor(check) ?? (await this.catalogue.ranksFor(check));
    return (this.peek(userId) ?? (await this.of(userId))).allows(check, ranks);
  }

  describe(permission: string): { permission: string; scope: string } {
    const code = this.parse(permission);
    return { permission: permissionIdOf(code), scope: code.scope };
  }

  /** To be called in the transaction that changes what the users hold. */
  async changed(users: string | readonly string[]): Promise<void> {
    await this.state.forget(users);
  }

  /** As `changed`, for a role: how many users it has does not matter then. */
  async changedForAll(): Promise<void> {
    await this.state.forgetAll();
  }

  private async held(userId: string): Promise<Held> {
    const held = await this.state.read(userId, async () => heldOf(await this.grants.holdingsOf(userId)));
    return held ?? heldOf({ grants: [], demandsSecondFactor: false });
  }

  /** Undefined where it has to be read what the catalogue asks for. */
  private judge(held: Held, permission: string): boolean | undefined {
    const code = this.parse(permission);
    const ranks = this.catalogue.peekRanksFor(code);
    const answer = ranks && held.grants.allows(code, ranks);
    // What the catalogue asks for may change while the grants are still believed.
    if (answer !== undefined && hasStandardRank(code.action)) (held.judged ??= new Map()).set(permission, answer);
    return answer;
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
