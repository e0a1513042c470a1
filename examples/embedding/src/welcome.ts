import { Injectable } from '@nestjs/common';
import { OnUserCreate } from 'castellan';
import type { UserCreated } from 'castellan';
import { DataSource } from 'typeorm';
import { Invoice } from './database';

/** Creates an empty invoice for every new user. If the listener fails, the user still exists. */
@Injectable()
export class Welcome {
  constructor(private readonly database: DataSource) {}

  @OnUserCreate()
  async greet({ userId, username }: UserCreated): Promise<void> {
    if (username.startsWith('unlucky')) throw new Error('The host rejects this name');
    await this.database.getRepository(Invoice).save({ customer: userId, cents: 0 });
  }
}
