import { Injectable } from '@nestjs/common';
import { SharedState, SharedStates } from '../platform/cache';
import { FactorRepository } from './factor.repository';

/** Whether users have a second factor, read through the memory of a second. */
@Injectable()
export class FactorState {
  private readonly state: SharedState<boolean>;

  constructor(
    states: SharedStates,
    private readonly factors: FactorRepository,
  ) {
    this.state = states.create<boolean>('second_factor');
  }

  async isEnrolled(userId: string): Promise<boolean> {
    return (await this.state.read(userId, () => this.factors.isEnrolled(userId))) ?? false;
  }

  /** To be called in the transaction that changes the user's factors. */
  changed(userId: string): Promise<void> {
    return this.state.forget(userId);
  }
}
