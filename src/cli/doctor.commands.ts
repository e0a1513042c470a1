import { DiagnosticsService } from '../diagnostics';
import { fallbackLanguage, isLanguage, Language, languages } from '../platform/i18n';
import { Command, CommandError, Typed, UsageError } from './command';

function languageOf({ lang = fallbackLanguage }: Typed['options']): Language {
  if (!isLanguage(lang)) throw new UsageError(`--lang must be one of ${languages.join(', ')}`);
  return lang;
}

const doctor: Command = {
  name: 'doctor',
  usage: `[--lang ${languages.join('|')}]`,
  summary: 'Check the deployment of the service. Fails if a check finds an error',
  options: { lang: { type: 'string' } },
  needsKeys: false,
  check({ options }) {
    languageOf(options);
  },
  async run({ options, service, terminal }) {
    const language = languageOf(options);
    const {
      cookies,
      issuer,
      redirect_uris: redirects,
      checks,
    } = await service.get(DiagnosticsService).examine(undefined, language);
    for (const { state, title, detail } of checks) terminal.write(`${state}\t${title}\t${detail}\n`);
    const flags = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
    terminal.write(`cookies\t${flags.join(' ')}\n`);
    terminal.write(`issuer\t${issuer}\n`);
    for (const { provider, uri } of redirects) terminal.write(`redirect\t${provider}\t${uri}\n`);
    const wrong = checks.filter(({ state }) => state === 'error').length;
    if (wrong > 0) throw new CommandError(`${wrong} checks failed`);
  },
};

export const doctorCommands: readonly Command[] = [doctor];
