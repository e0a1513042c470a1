import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuditService } from '../../audit';
import { DomainEvents } from '../../platform/jobs/events';
import { userDeleting, usersDisabled, usersEnabled } from '../../users';
import { membershipActs } from './membership.acts';
import { OrganizationRepository } from './organization.repository';
import { organizationTarget } from './organization.views';
import { PlacedSetUp, SetUp, SetUpPlace, SetUpSource } from './set-up';

/** What an entry in the audit log names at most. */
export const MAX_NAMED_SET_UPS = 1_000;

/**
 * Switches off what users have set up in organizations, when they are removed or deleted. While they are disabled, it is
 * suspended: who may disable users only must not change organizations for good.
 */
@Injectable()
export class SetUpRegistry implements OnModuleInit {
  private readonly sources: SetUpSource[] = [];

  constructor(
    private readonly events: DomainEvents,
    private readonly organizations: OrganizationRepository,
    private readonly audit: AuditService,
  ) {}

  onModuleInit(): void {
    this.events.on(usersDisabled, ({ userIds }) => this.record('suspend', userIds));
    this.events.on(usersEnabled, ({ userIds }) => this.record('restore', userIds));
    this.events.on(userDeleting, ({ userId }) => this.switchOff({ userIds: [userId] }, 'set up by a deleted user'));
  }

  /** Call while modules are constructed. */
  register(source: SetUpSource): void {
    this.sources.push(source);
  }

  async list(place: SetUpPlace): Promise<SetUp[]> {
    return (await this.find(place)).map(setUpOf);
  }

  /** Returns what was switched off. Call it in the transaction of the change, which holds the grant lock. */
  async switchOff(place: SetUpPlace, reason: string): Promise<SetUp[]> {
    const ended: SetUp[] = [];
    for (const source of this.sources) ended.push(...(await source.switchOff(place, reason)));
    return ended.map(setUpOf).sort(byKindAndName);
  }

  private async find(place: SetUpPlace): Promise<PlacedSetUp[]> {
    const found: PlacedSetUp[] = [];
    for (const source of this.sources) found.push(...(await source.list(place)));
    return found.sort(byKindAndName);
  }

  /** An entry for each organization, with what stops or begins to act there. */
  private async record(verb: 'suspend' | 'restore', userIds: readonly string[]): Promise<void> {
    const found = (await this.find({ userIds })).filter(({ isSuspended }) => isSuspended === (verb === 'suspend'));
    const places = new Map<string, PlacedSetUp[]>();
    for (const setUp of found) places.set(setUp.organizationId, [...(places.get(setUp.organizationId) ?? []), setUp]);
    const organizations = await this.organizations.findByIds([...places.keys()]);
    await this.audit.recordAll(
      organizations.map((organization) => {
        const there = places.get(organization.id) ?? [];
        const by = userIds.filter((id) => there.some((setUp) => setUp.userIds.includes(id)));
        const act = verb === 'suspend' ? membershipActs.suspendSetUp : membershipActs.restoreSetUp;
        return act({
          target: organizationTarget(organization),
          after: { user_ids: by, set_up: there.slice(0, MAX_NAMED_SET_UPS).map(setUpOf) },
          reason: verb === 'suspend' ? 'set up by a disabled user' : 'set up by a user who was enabled again',
        });
      }),
    );
  }
}

const setUpOf = ({ kind, id, name }: SetUp): SetUp => ({ kind, id, name });

const byKindAndName = (a: SetUp, b: SetUp): number =>
  a.kind === b.kind ? (a.name < b.name ? -1 : 1) : a.kind < b.kind ? -1 : 1;
