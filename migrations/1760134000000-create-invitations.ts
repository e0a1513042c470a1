import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Invitations of people to organizations. */
export class CreateInvitations1760134000000 implements MigrationInterface {
  name = 'CreateInvitations1760134000000';
  creates = [
    'invitation',
    'invitation_pk',
    'invitation_contact_unique',
    'invitation_token_unique',
    'invitation_by_organization',
    'invitation_by_inviter',
    'invitation_by_expiry',
    'invitation_role',
    'invitation_role_pk',
    'invitation_role_by_role',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE invitation (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        channel varchar(8) NOT NULL,
        target varchar(254) NOT NULL,
        address varchar(254) NOT NULL,
        token_digest varchar(43) NOT NULL,
        inviter_id uuid,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        sent_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT invitation_pk PRIMARY KEY (id),
        CONSTRAINT invitation_channel_known CHECK (channel IN ('email', 'sms')),
        CONSTRAINT invitation_organization_fk FOREIGN KEY (organization_id) REFERENCES organization (id) ON DELETE CASCADE,
        CONSTRAINT invitation_inviter_fk FOREIGN KEY (inviter_id) REFERENCES user_account (id) ON DELETE SET NULL
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX invitation_contact_unique ON invitation (organization_id, channel, target)`,
    );
    await runner.query(`CREATE UNIQUE INDEX invitation_token_unique ON invitation (token_digest)`);
    await runner.query(`CREATE INDEX invitation_by_organization ON invitation (organization_id, id)`);
    await runner.query(`CREATE INDEX invitation_by_inviter ON invitation (inviter_id)`);
    await runner.query(`CREATE INDEX invitation_by_expiry ON invitation (expires_at)`);
    await runner.query(`
      CREATE TABLE invitation_role (
        invitation_id uuid NOT NULL,
        role_id uuid NOT NULL,
        CONSTRAINT invitation_role_pk PRIMARY KEY (invitation_id, role_id),
        CONSTRAINT invitation_role_invitation_fk FOREIGN KEY (invitation_id) REFERENCES invitation (id) ON DELETE CASCADE,
        CONSTRAINT invitation_role_role_fk FOREIGN KEY (role_id) REFERENCES role (id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX invitation_role_by_role ON invitation_role (role_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['invitation_role', 'invitation']) await runner.query(`DROP TABLE ${table}`);
  }
}
