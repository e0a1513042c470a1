import { TxtResolver } from '../../../src/organizations/domains';
import { invitationsPerDayPerContact } from '../../../src/organizations/invitations';
import { anyUserWith, createRole, UserWithGrants, RoleAnswer } from './holders';
import { lastCode } from '../receivers/inbox';
import {
  invited,
  rolesThere,
  showInvitation,
  StoredOrganization,
  storeOrganization,
} from '../organizations/invitations';
import { basic, CALLBACK, post, Registered } from '../oauth/oauth';
import { addMember, within } from '../organizations/organizations';
import { TestClient } from '../service/test-client';
import { TestService } from '../service/test-service';

export const MACHINE_FORM = {
  grant_type: 'client_credentials',
  resource: 'urn:castellan:iam',
  scope: 'permission:read',
};
const MACHINE = { grant_types: ['client_credentials'], redirect_uris: [], scopes: ['permission:read'] };

export interface SetUp {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
}

export interface Rule {
  readonly domain: string;
  readonly txt_name: string;
  readonly txt_value: string;
  readonly members_join: boolean;
  readonly set_by: string | null;
}

/** What an owner of an organization has set up there, each of which works. */
export interface Place {
  readonly organization: StoredOrganization;
  readonly setter: UserWithGrants;
  readonly domain: string;
  readonly contact: string;
  readonly token: string;
  readonly client: Registered;
  readonly machine: Registered;
  readonly path: string;
}

/** What acts later for the user who set it up. */
const ACTS = ['a rule of a domain', 'an invitation', 'a client that acts for the organization'] as const;
type Act = (typeof ACTS)[number];

export const all = (acts: boolean): object => Object.fromEntries(ACTS.map((name) => [name, acts]));

export const member = ({ path, setter }: Place): string => `${path}/members/${setter.id}`;
export const user = ({ setter }: Place): string => `/api/user/${setter.id}`;
const status = async (answer: Promise<{ status: number }>): Promise<number> => (await answer).status;

/** Organizations with what users have set up in them. */
export class SetUpStage {
  private made = 0;
  private readonly records = new Map<string, string[]>();

  private constructor(
    private readonly service: TestService,
    readonly admin: TestClient,
    readonly owner: RoleAnswer,
  ) {}

  static async start(service: TestService): Promise<SetUpStage> {
    const admin = await service.admin();
    await service.set(invitationsPerDayPerContact, 1_000);
    const members = ['organization:update', 'organization_domain:update', 'organization_member:*'];
    const owner = await createRole(admin, 'owner', ...members, 'invitation:*', 'oauth_client:*');
    const stage = new SetUpStage(service, admin, owner);
    jest
      .spyOn(service.app.get(TxtResolver, { strict: false }), 'resolve')
      .mockImplementation(async (name) => stage.records.get(name) ?? []);
    return stage;
  }

  async setUp(): Promise<Place> {
    const { service, admin, owner } = this;
    const organization = await storeOrganization(service, 'Acme');
    const setter = await anyUserWith(service, admin, 'permission:read', 'oauth_client:create');
    await addMember(admin, organization, setter, owner);
    const path = `/api/organization/${organization.id}`;
    const domain = `later${++this.made}.example`;
    await this.setRule(setter.client, path, domain, { members_join: true, role_ids: [owner.id] });
    const contact = `guest${this.made}@elsewhere.example`;
    const token = await invited(service, setter.client, organization, contact, { role_ids: [owner.id] });
    const registered = async (name: string, more: object, there: object): Promise<Registered> => {
      const body = { name, redirect_uris: [CALLBACK], scopes: ['openid'], organization_id: organization.id, ...more };
      const answer = await setter.client.post<Registered>('/api/oauth/client', body, there);
      expect([answer.status, answer.text]).toEqual([201, answer.text]);
      return answer.body;
    };
    const client = await registered('Portal', {}, within(organization));
    const machine = await registered('Machine', MACHINE, {});
    return { organization, setter, domain, contact, token, client, machine, path };
  }

  /** The roles of a new user who verifies an address of the domain; undefined: no member. */
  async joinBy({ organization, domain }: Place): Promise<string[] | undefined> {
    const { service } = this;
    const username = `joiner_${++this.made}`;
    const email = `${username}@${domain}`;
    await service.client().post('/api/auth/codes', { purpose: 'register', channel: 'email', target: email });
    await service.register(username, { email, email_code: lastCode(service, email) });
    return rolesThere(service, organization, username);
  }

  async actsOf(place: Place): Promise<object> {
    const acts: [Act, boolean][] = [
      ['a rule of a domain', (await this.joinBy(place)) !== undefined],
      ['an invitation', (await showInvitation(this.service, place.token)).status === 200],
      [
        'a client that acts for the organization',
        (await post(this.service, '/api/oauth/token', MACHINE_FORM, basic(place.machine))).status === 200,
      ],
    ];
    return Object.fromEntries(acts) as object;
  }

  async auditOf({ organization }: Place, action: string): Promise<Record<string, unknown>[]> {
    const path = `/api/audit?organization_id=${organization.id}&action=${action}`;
    return (await this.admin.get<{ items: Record<string, unknown>[] }>(path)).body.items;
  }

  remove(place: Place): Promise<number> {
    return status(this.admin.delete(member(place)));
  }

  demote(place: Place): Promise<number> {
    return status(this.admin.patch(member(place), { role_ids: [] }));
  }

  setStatus(place: Place, wanted: 'active' | 'disabled'): Promise<number> {
    return status(this.admin.patch(user(place), { status: wanted }));
  }

  setStatusOfMany(place: Place, wanted: 'active' | 'disabled'): Promise<number> {
    const body = { user_ids: [place.setter.id], status: wanted };
    return status(this.admin.post('/api/user/batch/status', body));
  }

  delete(place: Place): Promise<number> {
    return status(this.admin.delete(user(place)));
  }

  private async setRule(by: TestClient, path: string, domain: string, rule: object): Promise<void> {
    const { body } = await by.post<Rule>(`${path}/domains`, { domain });
    this.records.set(body.txt_name, [body.txt_value]);
    expect((await by.post(`${path}/domains/${domain}/verify`)).status).toBe(200);
    expect((await by.patch(`${path}/domains/${domain}`, rule)).status).toBe(200);
  }
}
