import { DiagnosticsDto, DiagnosticsService } from '../operations/diagnostics';
import { fallbackLanguage, isLanguage, languages } from '../platform/i18n';
import { Command, CommandError } from './command';
import { choiceOption, textOf } from './option';
import { print } from './output';

function linesOf({ checks, cookies, issuer, redirect_uris: redirects }: DiagnosticsDto): string[] {
  const flags = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  return [
    ...checks.map(({ state, title, detail }) => `${state}\t${title}\t${detail}`),
    `cookies\t${flags.join(' ')}`,
    `issuer\t${issuer}`,
    ...redirects.map(({ provider, uri }) => `redirect\t${provider}\t${uri}`),
  ];
}

const doctor: Command = {
  name: 'doctor',
  summary: 'Check the deployment of the service. Fails if a check finds an error',
  example: 'doctor --lang en',
  printsData: true,
  options: { lang: choiceOption(languages, `The language of the checks. Default: ${fallbackLanguage}`) },
  needsKeys: false,
  async run(invocation) {
    const lang = textOf(invocation, 'lang');
    const language = isLanguage(lang) ? lang : fallbackLanguage;
    const found = await invocation.service.get(DiagnosticsService).examine(undefined, language);
    print(invocation, found, linesOf(found));
    const wrong = found.checks.filter(({ state }) => state === 'error').length;
    if (wrong > 0) throw new CommandError(`${wrong} checks failed`);
  },
};

export const doctorCommands: readonly Command[] = [doctor];
