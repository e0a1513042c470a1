import { newPerson, withCodes } from '../support/accounts/codes';
import { createUser } from '../support/accounts/admin-users';
import { invite, storeOrganization, StoredOrganization } from '../support/organizations/invitations';
import { emailSpellings, phoneSpellings } from '../support/accounts/spellings';
import type { TestClient } from '../support/service/test-client';
import type { TestService } from '../support/service/test-service';

type Contact = 'email' | 'phone';

const CONTACTS = [
  { contact: 'email', spellings: emailSpellings },
  { contact: 'phone', spellings: phoneSpellings },
] as const;

/** The routes that read a contact besides those of `typed-identifiers.spec.ts`. */
describe('contacts as people type them', () => {
  let service: TestService;
  let admin: TestClient;
  let acme: StoredOrganization;

  withCodes(async (started) => {
    service = started;
    admin = await service.admin();
    acme = await storeOrganization(service);
  });

  const routes: Readonly<Record<string, (contact: Contact, typed: string) => Promise<string | null | undefined>>> = {
    'of a change by an administrator': async (contact, typed) => {
      const { id } = await createUser(admin, newPerson().username);
      return (await admin.patch<Record<string, string>>(`/api/user/${id}`, { [contact]: typed })).body[contact];
    },
    'of an import': async (contact, typed) => {
      const { username } = newPerson();
      const cell = `"${typed}"`;
      await admin.post('/api/user/import', { csv: `username,${contact}\n${username},${cell}` });
      const [row] = await service.query<Record<string, string>>(
        `SELECT ${contact} AS contact FROM user_account WHERE username = $1`,
        [username],
      );
      return row?.['contact'];
    },
    'of an invitation': async (contact, typed) => {
      const { body } = await invite(admin, acme, { [contact]: typed, role_ids: [] });
      return body[contact];
    },
  };

  describe.each(Object.keys(routes))('%s', (route) => {
    it.each(CONTACTS)('are stored alike: $contact', async ({ contact, spellings }) => {
      for (const index of spellings(newPerson()[contact]).keys()) {
        const own = newPerson()[contact];
        const typed = spellings(own)[index] ?? own;
        expect([typed, await routes[route]?.(contact, typed)]).toEqual([typed, own]);
      }
    });
  });

  it('are understood by the first step of a login', async () => {
    for (const identifier of [...emailSpellings(newPerson().email), ...phoneSpellings(newPerson().phone)]) {
      const { status } = await service.client().post('/api/auth/identify', { identifier });
      expect([identifier, status]).toEqual([identifier, 200]);
    }
  });
});
