import { Injectable, OnModuleInit } from '@nestjs/common';
import { PlacedSetUp, SetUpPlace, SetUpRegistry, SetUpSource } from '../../rbac';
import { InvitationChangesService } from './invitation-changes.service';
import { InvitationRepository } from './invitation.repository';
import { InvitationView, maskedContact } from './invitation.views';

/** Ends the open invitations of inviters who are removed or deleted, until another user sends them. */
@Injectable()
export class InviterEndsService implements SetUpSource, OnModuleInit {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly changes: InvitationChangesService,
    private readonly setUps: SetUpRegistry,
  ) {}

  onModuleInit(): void {
    this.setUps.register(this);
  }

  async list(place: SetUpPlace): Promise<PlacedSetUp[]> {
    return (await this.invitations.findOpenBy(place)).map(setUpOf);
  }

  async switchOff(place: SetUpPlace, reason: string): Promise<PlacedSetUp[]> {
    const invitations = await this.invitations.findOpenBy(place, { lock: true });
    await this.changes.disableAll(invitations, reason);
    return invitations.map(setUpOf);
  }
}

const setUpOf = (invitation: InvitationView): PlacedSetUp => ({
  kind: 'invitation',
  id: invitation.id,
  name: maskedContact(invitation),
  organizationId: invitation.organizationId,
  userIds: invitation.inviterId === null ? [] : [invitation.inviterId],
  isSuspended: invitation.isSuspended,
});
