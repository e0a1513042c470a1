import { defineSetting, integer } from '../../platform/settings';

export const invitationsPerDayPerOrganization = defineSetting({
  key: 'rate.invitations_per_day_organization',
  defaultValue: 500,
  kind: integer({ minimum: 1, maximum: 1_000_000 }),
  sensitive: true,
});

/** Because the messages reach people who did not ask for them. */
export const invitationsPerDayPerOrganizationContact = defineSetting({
  key: 'rate.invitations_per_day_organization_contact',
  defaultValue: 5,
  kind: integer({ minimum: 1, maximum: 10_000 }),
  sensitive: true,
});

/** Of all organizations together. Well above what one of them may send, which could keep out the others otherwise. */
export const invitationsPerDayPerContact = defineSetting({
  key: 'rate.invitations_per_day_contact',
  defaultValue: 50,
  kind: integer({ minimum: 1, maximum: 10_000 }),
  sensitive: true,
});
