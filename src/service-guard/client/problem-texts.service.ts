import { Injectable } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import { projectRoot } from '../../platform/config/project-root';
import { Caller } from '../../platform/context';
import { ProblemError } from '../../platform/errors';
import { negotiateLanguage } from '../../platform/http/language';
import type { Language } from '../../platform/i18n';
import { isLanguage, LANGUAGES } from './languages';
import { GuardedRequest } from './request-credentials';

interface Texts {
  readonly titles: Readonly<Record<string, string>>;
  readonly codes: Readonly<Record<string, string>>;
}

const PLACEHOLDER = /\{(\w+)\}/g;

const read = (language: Language): Texts =>
  JSON.parse(readFileSync(join(projectRoot, 'i18n', language, 'errors.json'), 'utf8')) as Texts;

/** The texts of the guard's errors: those of Castellan, in both languages. */
@Injectable()
export class ProblemTextsService {
  private readonly texts: Readonly<Record<Language, Texts>> = { en: read('en'), zh: read('zh') };

  /** The caller's own language, else the one that the browser prefers. */
  languageOf({ headers }: GuardedRequest, caller: Caller | undefined): Language {
    const acceptLanguage = headers['accept-language'];
    const preferences = {
      userLocale: caller?.locale ?? null,
      acceptLanguage: typeof acceptLanguage === 'string' ? acceptLanguage : null,
      fallback: 'en',
    };
    const language = negotiateLanguage(preferences, LANGUAGES);
    return isLanguage(language) ? language : 'en';
  }

  /** The body of the problem (RFC 9457), as Castellan has it. */
  bodyOf(error: ProblemError, language: Language, requestId: string): object {
    const { titles, codes } = this.texts[language];
    const { status, code, params } = error;
    const title = titles[status] ?? STATUS_CODES[status] ?? '';
    const detail = codes[code]?.replace(PLACEHOLDER, (_, name: string) => String(params[name] ?? '')) ?? title;
    return {
      type: 'about:blank',
      title,
      status,
      detail,
      code,
      request_id: requestId,
      ...(Object.keys(params).length > 0 && { params }),
    };
  }
}
