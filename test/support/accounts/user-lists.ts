import type { AdminUser } from './admin-users';
import type { Problem, TestClient } from '../service/test-client';

export interface UserPage {
  readonly items: AdminUser[];
  readonly total: number;
  readonly total_is_estimate?: boolean;
  readonly page: number;
  readonly page_size: number;
}

export interface UserCursorPage {
  readonly items: AdminUser[];
  readonly next_cursor: string | null;
  readonly page_size: number;
}

export type UserQuery = Readonly<Record<string, string | number | boolean | undefined>>;

const pathOf = (query: UserQuery): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return `/api/user?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
};

/** `GET /api/user` of a caller that exists once the tests run. */
export class UserLists {
  constructor(private readonly caller: () => TestClient) {}

  page(query: UserQuery = {}): Promise<UserPage> {
    return this.read(query);
  }

  cursorPage(query: UserQuery = {}): Promise<UserCursorPage> {
    return this.read({ cursor: '', ...query });
  }

  /** All users of the list, page after page by cursor. */
  async walk(query: UserQuery): Promise<AdminUser[]> {
    const items: AdminUser[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const part = await this.cursorPage({ ...query, cursor });
      items.push(...part.items);
      cursor = part.next_cursor;
    }
    return items;
  }

  async failure(query: UserQuery): Promise<unknown> {
    const { status, body } = await this.caller().get<Problem>(pathOf(query));
    return { status, code: body.code, errors: body.errors?.map(({ field, code }) => `${field}: ${code}`) };
  }

  private async read<T>(query: UserQuery): Promise<T> {
    const { status, body, text } = await this.caller().get<T>(pathOf(query));
    if (status !== 200) throw new Error(text);
    return body;
  }
}

/** The `failure` of a query with these errors. */
export const rejected = (...errors: string[]): object => ({ status: 400, code: 'validation_failed', errors });
