/** sysexits EX_CONFIG: the exit code of a start that a bad configuration ended. */
export const exitCodeForBadConfiguration = 78;

/** Keeps the service from starting and is told in one line, without a stack: whoever starts it can mend it. */
export class StartRefusedError extends Error {
  /** That of a start that would go well some other time. */
  readonly exitCode: number = 1;
}

/** One variable that cannot be used. Neither text ever holds the value of a secret. */
export interface EnvironmentProblem {
  readonly variable: string;
  readonly problem: string;
  readonly allowed: string;
}

/** Everything wrong with the environment at once; its message is one line a problem. */
export class EnvironmentError extends StartRefusedError {
  override readonly exitCode = exitCodeForBadConfiguration;
  readonly problems: readonly EnvironmentProblem[];

  constructor(problems: readonly EnvironmentProblem[]) {
    super(problems.map(({ variable, problem, allowed }) => `${variable} ${problem}; allowed: ${allowed}`).join('\n'));
    this.name = 'EnvironmentError';
    this.problems = problems;
  }
}
