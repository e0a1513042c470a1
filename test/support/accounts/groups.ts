import { Answer, Problem, SendOptions, TestClient } from '../service/test-client';

export interface GroupAnswer {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly parent_id: string | null;
  /** Absent from a group of the service. */
  readonly organization_id?: string;
  readonly path: string[];
  readonly role_ids: string[];
  readonly member_count: number;
}

export type GroupBody = Partial<Pick<GroupAnswer, 'description' | 'parent_id' | 'organization_id' | 'role_ids'>>;

export async function createGroup(
  client: TestClient,
  name: string,
  more: GroupBody = {},
  options: SendOptions = {},
): Promise<GroupAnswer> {
  const answer = await client.post<GroupAnswer>('/api/group', { name, ...more }, options);
  if (answer.status !== 201) throw new Error(`Could not create the group ${name}: ${answer.text}`);
  return answer.body;
}

/** Groups one below the other, from the top. */
export async function createTree(client: TestClient, ...names: string[]): Promise<GroupAnswer[]> {
  const groups: GroupAnswer[] = [];
  for (const name of names) groups.push(await createGroup(client, name, { parent_id: groups.at(-1)?.id ?? null }));
  return groups;
}

export const moveGroup = (client: TestClient, id: string, parentId: string | null): Promise<Answer<Problem>> =>
  client.patch<Problem>(`/api/group/${id}`, { parent_id: parentId });

export async function joinGroup(client: TestClient, groupId: string, ...userIds: string[]): Promise<void> {
  const answer = await client.post(`/api/group/${groupId}/users`, { user_ids: userIds });
  if (answer.status !== 200) throw new Error(`Could not add members to a group: ${answer.text}`);
}
