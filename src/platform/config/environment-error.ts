/** EX_CONFIG of sysexits.h: exit code for an invalid configuration. */
export const exitCodeForBadConfiguration = 78;

/** An error that the operator can fix: it ends the startup and is printed in one line, without a stack. */
export class StartupError extends Error {
  /** 1: a later start may succeed without a change of the configuration. */
  readonly exitCode: number = 1;
}

/** A variable with an invalid value. Neither text ever contains the value of a secret. */
export interface EnvironmentProblem {
  readonly variable: string;
  readonly problem: string;
  readonly allowed: string;
}

/** All problems of the environment at once; the message has one line per problem. */
export class EnvironmentError extends StartupError {
  override readonly exitCode = exitCodeForBadConfiguration;
  readonly problems: readonly EnvironmentProblem[];

  constructor(problems: readonly EnvironmentProblem[]) {
    super(problems.map(({ variable, problem, allowed }) => `${variable} ${problem}; allowed: ${allowed}`).join('\n'));
    this.name = 'EnvironmentError';
    this.problems = problems;
  }
}
