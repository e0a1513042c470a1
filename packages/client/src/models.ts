import type { components } from './schema';

/** The logged-in user with all permissions: what `GET /api/auth/me` returns, for `can`. */
export type User = components['schemas']['UserInfoWithPermsDto'];

/** What a user must do before anything else. */
export type PendingDuty = NonNullable<User['pending']>;

/** A user who is logged in and has something to do before anything else. */
export interface Pending {
  readonly duty: PendingDuty;
  readonly user: User;
}

/** A session of the user on one device. */
export type Session = components['schemas']['SessionDto'];

/** An organization: what `GET /api/organization/{id}` returns, and `GET /api/organization?mine=true` lists. */
export type Organization = components['schemas']['OrganizationDto'];

/** What an organization shows and accepts, with the service's values: `GET /api/organization/{id}/settings`. */
export type OrganizationSettings = components['schemas']['OrganizationSettingsDto'];

/** A member of an organization with the roles there. */
export type OrganizationMember = components['schemas']['OrganizationMemberDto'];

/** A role of the service or of an organization, with its permissions. */
export type Role = components['schemas']['RoleDto'];

/** A role that the user may give in an organization: what `GET /api/organization/{id}/roles` lists. */
export type GivableRole = components['schemas']['GivableRoleDto'];

/** A group with its place in the tree. */
export type Group = components['schemas']['GroupDto'];

/** An invitation as those see it who sent it. */
export type Invitation = components['schemas']['InvitationDto'];

/** An invitation as its link shows it. */
export type OpenInvitation = components['schemas']['OpenInvitationDto'];
