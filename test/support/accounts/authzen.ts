import { createRole, UserWithGrants, userWith } from './holders';
import { Answer, Problem, SendOptions, TestClient } from '../service/test-client';
import { TestService } from '../service/test-service';

export interface Decision {
  readonly decision: boolean;
  readonly context?: {
    readonly reason?: string;
    readonly error?: {
      readonly status: number;
      readonly code: string;
      readonly errors: { field: string; code: string }[];
    };
  };
}
export interface Decisions {
  readonly evaluations: Decision[];
}
export type Body = Record<string, unknown>;

export const ONE = '/access/v1/evaluation';
export const MANY = '/access/v1/evaluations';
export const UNKNOWN = '01900000-0000-7000-8000-00000000cafe';
export const read = { name: 'read' };
export const invoice = { type: 'billing:invoice', id: '1' };
export const user = (id: string, more: object = {}): object => ({ type: 'user', id, ...more });

/** The rejected fields of a problem with their rules. */
export const fieldsOf = ({ body }: Answer<unknown>): unknown =>
  (body as Problem).errors?.map(({ field, code }) => `${field} ${code}`);

/** Users for AuthZEN requests. */
export interface AuthzenParties {
  readonly service: TestService;
  readonly admin: TestClient;
  /** Holds `billing:invoice:*` up to level 3 and `report:read`. */
  readonly ann: UserWithGrants;
  /** Holds `billing:order:read` through a role. */
  readonly bob: UserWithGrants;
  /** Holds `permission:read`. */
  readonly reader: UserWithGrants;
}

export async function authzenParties(service: TestService): Promise<AuthzenParties> {
  const admin = await service.admin();
  const ann = await userWith(
    service,
    admin,
    'ann',
    { scope: 'billing', permission_id: 'invoice:*', level: 3 },
    { permission_id: 'report:read', level: 1 },
  );
  const bob = await userWith(service, admin, 'bob');
  const reader = await userWith(service, admin, 'reader', 'permission:read');
  const role = await createRole(admin, 'clerk', { scope: 'billing', permission_id: 'order:read', level: 1 });
  await admin.put(`/api/role/${role.id}/users`, { user_ids: [bob.id] });
  return { service, admin, ann, bob, reader };
}

export const evaluate = (body: unknown, by: UserWithGrants, options?: SendOptions): Promise<Answer<Decision>> =>
  by.client.post<Decision>(ONE, body, options);
export const evaluateAll = (body: unknown, by: UserWithGrants): Promise<Answer<Decisions>> =>
  by.client.post<Decisions>(MANY, body);

/** A request about the user and one of the invoices of the scope `billing`. */
export const about = ({ id }: UserWithGrants, action: string, type = invoice.type): Body => ({
  subject: user(id),
  action: { name: action },
  resource: { type, id: '1' },
});
