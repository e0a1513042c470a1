import { Injectable } from '@nestjs/common';
import { CodePurpose } from '../messaging';

type Rule = () => Promise<void>;

/** Rules that other modules add for their purpose. A rule runs before a code is sent, and throws to prevent it. */
@Injectable()
export class CodePurposeRegistry {
  private readonly rules = new Map<CodePurpose, Rule>();

  /** Call it while modules are initialized. The rule must not depend on the owner of the contact. */
  guard(purpose: CodePurpose, rule: Rule): void {
    if (this.rules.has(purpose)) throw new Error(`Duplicate rule for codes with the purpose ${purpose}`);
    this.rules.set(purpose, rule);
  }

  /** Errors: those of the rule. */
  async requireOpen(purpose: CodePurpose): Promise<void> {
    await this.rules.get(purpose)?.();
  }
}
