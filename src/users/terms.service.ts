import { Injectable } from '@nestjs/common';
import { FieldProblem, platformErrors } from '../platform/errors';
import { andThen, MaybePromise } from '../platform/util';
import { SettingsReader } from '../platform/settings';
import { termsAtLogin, termsRequired, termsVersion } from './terms.settings';
import { User } from './user.entity';

const FIELD = 'terms_accepted';

/** Decides who must accept the terms, and which version. */
@Injectable()
export class TermsService {
  constructor(private readonly settings: SettingsReader) {}

  /** Whether the user must accept the current terms before anything else. Called at every request. */
  isDue({ termsVersion: accepted }: Pick<User, 'termsVersion'>): MaybePromise<boolean> {
    return andThen(this.settings.get(termsAtLogin), (isAsked) => isAsked && this.isOutdated(accepted));
  }

  /** Whether a registration must accept terms. */
  async isRequired(): Promise<boolean> {
    return (await this.settings.get(termsRequired)) && (await this.settings.get(termsVersion)) !== '';
  }

  /** The problems of field `terms_accepted` of a registration. */
  async problemsOf(accepted: unknown): Promise<FieldProblem[]> {
    if (isGiven(accepted)) return this.problemsOfVersion(accepted);
    return (await this.isRequired()) ? [{ field: FIELD, code: 'terms_required' }] : [];
  }

  /** Returns the accepted version, or null if a registration need not accept any. Throws `validation_failed`. */
  async read(accepted: string | null | undefined): Promise<string | null> {
    rejectIfAny(await this.problemsOf(accepted));
    return isGiven(accepted) ? accepted : null;
  }

  /** Throws `validation_failed` unless this is the current version. */
  async requireCurrent(accepted: string): Promise<void> {
    rejectIfAny(await this.problemsOfVersion(accepted));
  }

  private async problemsOfVersion(accepted: unknown): Promise<FieldProblem[]> {
    const current = await this.settings.get(termsVersion);
    return current !== '' && accepted === current ? [] : [{ field: FIELD, code: 'terms_version' }];
  }

  private isOutdated(accepted: string | null): MaybePromise<boolean> {
    return andThen(this.settings.get(termsVersion), (current) => current !== '' && accepted !== current);
  }
}

const isGiven = <T>(accepted: T | null | undefined): accepted is T =>
  accepted !== undefined && accepted !== null && accepted !== '';

function rejectIfAny(fields: readonly FieldProblem[]): void {
  if (fields.length > 0) throw platformErrors.validationFailed({ fields });
}
