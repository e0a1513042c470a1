import { Injectable } from '@nestjs/common';
import { OnUserCreate } from 'castellan';
import type { UserCreated } from 'castellan';
import { DataSource } from 'typeorm';
import { Invoice } from './database';

/** Every new user gets an invoice of nothing, but where the host stumbles: the user is there all the same. */
@Injectable()
export class Welcome {
  constructor(private readonly database: DataSource) {}

  @OnUserCreate()
  async greet({ userId, username }: UserCreated): Promise<void> {
    if (username.startsWith('unlucky')) throw new Error('The host stumbles over this name');
    await this.database.getRepository(Invoice).save({ customer: userId, cents: 0 });
  }
}
