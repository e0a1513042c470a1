import { Injectable } from '@nestjs/common';
import { SharedState, SharedStates } from '../platform/cache';
import { User } from './user.entity';
import { UserRepository } from './user.repository';

/** A user as requests see one: everything but the password's hash. */
export type KnownUser = Readonly<Omit<User, 'passwordHash' | 'searchSegment'>> & { readonly hasPassword: boolean };

export function knownUser({ passwordHash, ...user }: User): KnownUser {
  return { ...user, hasPassword: passwordHash !== null };
}

/** Users as every request needs them, read through the memory of a second. */
@Injectable()
export class UserState {
  private readonly state: SharedState<KnownUser>;

  constructor(
    states: SharedStates,
    private readonly users: UserRepository,
  ) {
    this.state = states.create<KnownUser>('user');
  }

  /** The user, where that needs no wait. */
  peek(id: string): KnownUser | undefined {
    return this.state.peek(id);
  }

  find(id: string): Promise<KnownUser | undefined> {
    return this.state.read(id, async () => {
      const user = await this.users.findById(id);
      return user ? knownUser(user) : undefined;
    });
  }

  /** To be called in the transaction that changes the user. */
  changed(id: string): Promise<void> {
    return this.state.forget(id);
  }
}
