import { Injectable, OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../../platform/jobs/events';
import { userDeleting, usersDisabled } from '../../users';

export const setUpKinds = ['domain', 'invitation', 'oauth_client'] as const;

/** What acts later in an organisation for the user who set it up. */
export interface SetUp {
  readonly kind: (typeof setUpKinds)[number];
  readonly id: string;
  readonly name: string;
}

/** Who set it up, and where. */
export interface SetUpPlace {
  readonly userIds: readonly string[];
  /** Undefined: in every organisation. */
  readonly organizationId?: string;
}

/** A feature in which users set up what acts later for them. It also judges them when it acts. */
export interface SetUpSource {
  list(place: SetUpPlace): Promise<readonly SetUp[]>;
  /** Audits each, and returns them. Runs in the transaction that ends the user's authority. */
  switchOff(place: SetUpPlace, reason: string): Promise<readonly SetUp[]>;
}

/** Switches off what users have set up in organisations, when they are removed, disabled or deleted. */
@Injectable()
export class SetUpRegistry implements OnModuleInit {
  private readonly sources: SetUpSource[] = [];

  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.on(usersDisabled, ({ userIds }) => this.switchOff({ userIds }, 'set up by a disabled user'));
    this.events.on(userDeleting, ({ userId }) => this.switchOff({ userIds: [userId] }, 'set up by a deleted user'));
  }

  /** Call while modules are constructed. */
  register(source: SetUpSource): void {
    this.sources.push(source);
  }

  async list(place: SetUpPlace): Promise<SetUp[]> {
    const found: SetUp[] = [];
    for (const source of this.sources) found.push(...(await source.list(place)));
    return found.sort(byKindAndName);
  }

  /** Returns what was switched off. Call it in the transaction of the change, which holds the grant lock. */
  async switchOff(place: SetUpPlace, reason: string): Promise<SetUp[]> {
    const ended: SetUp[] = [];
    for (const source of this.sources) ended.push(...(await source.switchOff(place, reason)));
    return ended.sort(byKindAndName);
  }
}

const byKindAndName = (a: SetUp, b: SetUp): number =>
  a.kind === b.kind ? (a.name < b.name ? -1 : 1) : a.kind < b.kind ? -1 : 1;
