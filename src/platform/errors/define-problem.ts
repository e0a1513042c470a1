import { declaredErrors, ErrorFactory } from './define-errors';
import { ProblemDefinition, ProblemError, ProblemOptions, ProblemTexts } from './problem.error';

/** Status and texts of a problem of a host. */
export interface ProblemDeclaration extends ProblemTexts {
  /** 400 to 599. */
  readonly status: number;
}

const CODE = /^[a-z][a-z0-9_]{1,63}$/;

const declared = new Map<string, string>();

function rejectWrong(code: string, { status, ...texts }: ProblemDeclaration): void {
  if (!CODE.test(code)) throw new Error(`The code "${code}" of a problem is not snake case, such as order_closed`);
  if (!Number.isInteger(status) || status < 400 || status > 599) {
    throw new Error(`Problem "${code}" has status ${status}: use one from 400 to 599`);
  }
  if (typeof texts.en !== 'string' || texts.en === '') throw new Error(`Problem "${code}" has no text: set "en"`);
  if (declaredErrors().some((error) => error.code === code)) {
    throw new Error(`Problem "${code}" has the code of an error that exists: choose another`);
  }
}

/**
 * Declares a problem of the host: `defineProblem('order_closed', { status: 409, en: 'The order is closed.', zh: '…' })`.
 * Throw what it returns. Texts may contain `{name}`, filled from `params`. Throws for a code that is taken.
 */
export function defineProblem(code: string, declaration: ProblemDeclaration): ErrorFactory {
  rejectWrong(code, declaration);
  const content = JSON.stringify(declaration);
  const known = declared.get(code);
  if (known !== undefined && known !== content) throw new Error(`Problem "${code}" is defined twice`);
  declared.set(code, content);
  const { status, ...texts } = declaration;
  const definition: ProblemDefinition = { code, status, texts };
  return Object.assign((options?: ProblemOptions) => new ProblemError(definition, options), { code, status });
}
