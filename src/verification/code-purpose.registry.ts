import { Injectable } from '@nestjs/common';
import { CodePurpose } from '../messaging';

type Rule = () => Promise<void>;

/** What modules to the right ask before a code for their purpose is sent. A rule throws what it refuses with. */
@Injectable()
export class CodePurposeRegistry {
  private readonly rules = new Map<CodePurpose, Rule>();

  /** To be called while modules are built. The rule must not depend on whose contact it is. */
  guard(purpose: CodePurpose, rule: Rule): void {
    if (this.rules.has(purpose)) throw new Error(`A second rule for codes to ${purpose}`);
    this.rules.set(purpose, rule);
  }

  /** Errors: those of the rule. */
  async requireOpen(purpose: CodePurpose): Promise<void> {
    await this.rules.get(purpose)?.();
  }
}
