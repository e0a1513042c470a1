import { Injectable } from '@nestjs/common';
import { Transactions } from '../platform/database';
import { LoginMethodRow } from './login-method.entity';

@Injectable()
export class LoginMethodRepository {
  constructor(private readonly transactions: Transactions) {}

  findDisabled(): Promise<LoginMethodRow[]> {
    return this.transactions.manager.findBy(LoginMethodRow, { enabled: false });
  }
}
